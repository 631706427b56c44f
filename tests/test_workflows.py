"""The hosted workflows: what they name is there, and their commands work on trees like the hosts'."""

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from fnmatch import fnmatch
from types import SimpleNamespace

import pytest
from support import CHECKOUT

yaml = pytest.importorskip("yaml", reason="needs PyYAML, which the extra docs brings")
FOLDER = CHECKOUT / ".github/workflows"
if not FOLDER.is_dir():
    pytest.skip("the source distribution has no workflows", allow_module_level=True)

WORKFLOWS = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.yml")}
JOBS = {f"{file}:{name}": job for file, data in WORKFLOWS.items() for name, job in data["jobs"].items()}
RELEASE = WORKFLOWS["release"]["jobs"]
PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")
GITHUB = {"ref", "repository", "run_number", "token"}  # what the workflows ask of the context `github`

every_job = pytest.mark.parametrize("job", JOBS.values(), ids=JOBS)


def needed(file, job):
    """The jobs that have ended before this one begins."""
    names = job.get("needs", [])
    jobs = WORKFLOWS[file]["jobs"]
    found = {}
    for name in [names] if isinstance(names, str) else names:
        found |= {name: jobs[name], **needed(file, jobs[name])}
    return found


def variants(job):
    """The values of `matrix` that a job runs with."""
    matrix = job.get("strategy", {}).get("matrix", {})
    axes = [{name: value} for name, values in matrix.items() if name != "include" for value in values]
    return matrix.get("include", axes) or [{}]


def values(data):
    """All texts of a job or step."""
    if isinstance(data, dict):
        data = list(data.values())
    if isinstance(data, list):
        return [text for item in data for text in values(item)]
    return [str(data)]


def fill(text, context):
    """The text with the values of its expressions, which the context has by name."""
    return EXPRESSION.sub(lambda found: context[found[1]], text)


# What the workflows name


def test_runners_and_actions_are_those_that_were_checked():
    """packaging/versions.toml says when; an action or a runner that is not in it is a mistake.

    An action is named by its commit: whoever can move a tag could run code of theirs in a release.
    """
    versions = tomllib.loads((CHECKOUT / "packaging/versions.toml").read_text(encoding="utf-8"))
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", str(versions["checked"]))
    lines = [line for path in FOLDER.glob("*.yml") for line in path.read_text(encoding="utf-8").splitlines()]
    used = {line.split("uses: ")[1] for line in lines if "uses: " in line}
    runners = {
        variant.get("runner", job["runs-on"]) for job in JOBS.values() for variant in variants(job)
    }  # fmt: skip
    assert used == {f"{name}@{at['commit']} # {at['version']}" for name, at in versions["actions"].items()}
    assert all(re.fullmatch("[0-9a-f]{40}", at["commit"]) for at in versions["actions"].values())
    assert runners == set(versions["runners"])


@pytest.mark.parametrize("name", JOBS)
def test_every_expression_has_a_value(name):
    file, job = name.partition(":")[0], JOBS[name]
    needed(file, job)  # every job in `needs` is one
    ids = [step.get("id") for step in job["steps"]]
    known = WORKFLOWS[file].get("env", {}) | job.get("env", {})
    for number, part in enumerate([*job["steps"], {key: job[key] for key in job if key != "steps"}]):
        for text in values(part):
            assert text.count("${{") == len(EXPRESSION.findall(text))
            for expression in EXPRESSION.findall(text):
                context, key, *_ = expression.split(".")
                if context == "matrix":
                    assert all(key in variant for variant in variants(job)), expression
                elif context == "steps":
                    assert key in ids[:number], expression
                else:
                    variables = {"TEST_INDEX"}  # of the environments: CONTRIBUTING.md names them
                    assert key in {"env": known, "github": GITHUB, "vars": variables}[context], expression


@pytest.mark.parametrize("name", JOBS)
def test_what_is_downloaded_was_uploaded_before(name):
    file, job = name.partition(":")[0], JOBS[name]
    uploaded = {
        fill(step["with"]["name"], {f"matrix.{key}": value for key, value in variant.items()})
        for earlier in needed(file, job).values()
        for variant in variants(earlier)
        for step in earlier["steps"]
        if step.get("uses", "").startswith("actions/upload-artifact@")
    }
    for step in job["steps"]:
        if step.get("uses", "").startswith("actions/download-artifact@"):
            assert step["with"].get("name", next(iter(uploaded), None)) in uploaded
            assert "name" in step["with"] or len(uploaded) == 7  # five kinds of wheels, sdist, zip


@pytest.mark.system
@every_job
def test_files_that_the_commands_name_are_there(job):
    for step in job["steps"]:
        command = step.get("run", "")
        if step.get("shell") == "pwsh":
            continue
        subprocess.run(["bash", "-n"], input=command, text=True, check=True)
        for path in re.findall(r"(?<![\w.-])((?:\.ci|packaging|tests|tools)/[\w./-]+)", command):
            assert (CHECKOUT / path).exists(), path
            if re.search(rf"^(?:sudo env \S+ )?{re.escape(path)}", command, re.MULTILINE):
                assert os.access(CHECKOUT / path, os.X_OK), path


def test_versions_of_python_are_those_of_the_project():
    tests = WORKFLOWS["tests"]["jobs"]
    classifiers = {
        text.rpartition(" ")[2]
        for text in PROJECT["project"]["classifiers"]
        if re.search(r":: 3\.\d+$", text)
    }
    built = {f"3.{tag[3:-2]}" for tag in PROJECT["tool"]["cibuildwheel"]["build"].split()}
    assert built == classifiers
    oldest = [step["with"]["python-version"] for step in tests["everything"]["steps"] if "with" in step]
    assert oldest == [PROJECT["project"]["requires-python"].removeprefix(">=")]
    assert {*oldest, *tests["versions"]["strategy"]["matrix"]["python"]} <= classifiers


@pytest.mark.system
@pytest.mark.parametrize("platform", ["linux", "macos", "windows"])
def test_the_tool_builds_a_wheel_for_every_version_of_python(platform):
    """cibuildwheel says nothing of a version that it does not know."""
    versions = tomllib.loads((CHECKOUT / "packaging/versions.toml").read_text(encoding="utf-8"))
    cibuildwheel = pytest.importorskip("cibuildwheel", reason="needs the extra lint")
    assert versions["actions"]["pypa/cibuildwheel"]["version"] == f"v{cibuildwheel.__version__}"
    arch = "AMD64" if platform == "windows" else "x86_64"
    words = ["--print-build-identifiers", "--platform", platform, "--archs", arch, str(CHECKOUT)]
    told = subprocess.run(
        [sys.executable, "-m", "cibuildwheel", *words], capture_output=True, text=True, check=True
    ).stdout.split()
    built = PROJECT["tool"]["cibuildwheel"]["build"].split()
    assert {name.split("-")[0] + "-*" for name in told} == set(built)
    assert platform != "linux" or {name.split("-")[1] for name in told} == {
        "manylinux_x86_64", "musllinux_x86_64",
    }  # fmt: skip


def test_what_is_uploaded_lies_where_the_scripts_put_it():
    [path] = [step["with"]["path"] for step in RELEASE["sdist"]["steps"] if "upload" in step.get("uses", "")]
    script = (CHECKOUT / "packaging/wheels/check").read_text()
    folder = re.search(r"^work=\$PWD/(\S+)$", script, re.MULTILINE)[1]
    assert path == f"{folder}/dist1/*.tar.gz"
    assert '--sdist --no-isolation --outdir "$work/dist$round"' in script


@pytest.mark.parametrize("name", ["build", "wheels"])
def test_what_builds_a_release_is_named_by_its_hashes(name):
    """Whoever could put another file in the index could put code into every wheel."""
    lines = (CHECKOUT / f"packaging/requirements-{name}.txt").read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#"))
    packages = text.replace(" \\\n", " ").splitlines()
    pinned = re.compile(r"[\w-]+==[\w.]+( ; \w+ == '\w+')?( +--hash=sha256:[0-9a-f]{64})+")
    assert [package for package in packages if not pinned.fullmatch(package)] == []
    needed = PROJECT["build-system"]["requires"] if name == "build" else ["build"]
    names = {package.partition("==")[0] for package in packages}
    assert {re.match(r"\w+", text)[0].lower() for text in needed} <= names


def test_nothing_that_builds_a_release_is_installed_without_its_hash():
    tool = PROJECT["tool"]["cibuildwheel"]
    assert "--require-hashes" in tool["before-build"] and "--no-isolation" in tool["build-frontend"]["args"]
    for script in ("wheels/check", "windows/build", "arm64/check"):
        text = (CHECKOUT / "packaging" / script).read_text(encoding="utf-8").replace("\\\n", "")
        for line in text.splitlines():
            assert "requirements-" not in line or "--require-hashes" in line
            assert not re.search("pip.* install .*(setuptools|Cython|build |auditwheel)", line)


# What their commands do


@pytest.fixture
def host(tmp_path):
    """A machine of the host: a folder for the checkout, programs of its own first on the PATH, two files."""
    for name in ("checkout", "programs"):
        (tmp_path / name).mkdir()
    return SimpleNamespace(
        **{name: tmp_path / name for name in ("checkout", "programs", "env", "path", "calls")}
    )


def add_program(host, name, text):
    program = host.programs / name
    program.write_text(f"#!/bin/sh\n{text}\n")
    program.chmod(0o755)


def run_step(host, job, words, context=None):
    """Run the one command of the job with these words in it, as the host does; the finished process."""
    [step] = [step for step in job["steps"] if words in step.get("run", "")]
    shell = step.get("shell", job.get("defaults", {}).get("run", {}).get("shell"))
    options = ["--noprofile", "--norc", "-eo", "pipefail"] if shell == "bash" else ["-e"]
    environment = {
        "PATH": f"{host.programs}:{os.environ['PATH']}", "LANG": "C.UTF-8", "CALLS": str(host.calls),
        "GITHUB_ENV": str(host.env), "GITHUB_PATH": str(host.path), "GITHUB_REF_NAME": "v0.2.0",
    }  # fmt: skip
    return subprocess.run(
        ["bash", *options, "-c", fill(step["run"], context)], env=environment, capture_output=True, text=True,
        cwd=host.checkout / step.get("working-directory", "."),
    )  # fmt: skip


@pytest.mark.system
def test_clang_finds_its_openmp_on_macos(host):
    add_program(host, "brew", '[ "$1" = install ] || echo "/opt/homebrew/opt/$2"')
    add_program(host, "sw_vers", "echo 15.7.1")
    assert run_step(host, RELEASE["wheels"], "brew install").returncode == 0
    assert host.env.read_text().splitlines() == [
        "CFLAGS=-I/opt/homebrew/opt/libomp/include",
        "LDFLAGS=-L/opt/homebrew/opt/libomp/lib",
        "MACOSX_DEPLOYMENT_TARGET=15.0",
    ]


@pytest.mark.system
@pytest.mark.parametrize("name", ["wheels", "windows-folder"])
def test_gcc_of_msys2_is_the_first_on_windows(host, name):
    place = r"D:\a\_temp\msys64"
    done = run_step(host, RELEASE[name], "GITHUB_PATH", {"steps.msys2.outputs.msys2-location": place})
    assert done.returncode == 0
    assert host.path.read_text() == "D:\\a\\_temp\\msys64\\ucrt64\\bin\n"


@pytest.mark.system
def test_the_windows_folder_is_made_of_the_wheel_for_its_python(host):
    job = RELEASE["windows-folder"]
    (host.checkout / "wheel").mkdir()
    for tag in PROJECT["tool"]["cibuildwheel"]["build"].replace("-*", "").split():
        (host.checkout / f"wheel/eleengine-0.2.0-{tag}-{tag}-win_amd64.whl").touch()
    add_program(host, "python", 'printf "%s\\n" "$@" >"$CALLS"')
    assert run_step(host, job, "bundle.py").returncode == 0
    [setup] = [step for step in job["steps"] if "setup-python" in step.get("uses", "")]
    minor = setup["with"]["python-version"].replace(".", "")
    assert host.calls.read_text().split() == [
        "packaging/windows/bundle.py", f"wheel/eleengine-0.2.0-cp{minor}-cp{minor}-win_amd64.whl", "python",
        "dist",
    ]  # fmt: skip
    [download] = [step["run"] for step in job["steps"] if step.get("shell") == "pwsh"]
    assert "platform.python_version()" in download and "python/$version/$zip" in download
    assert "Expand-Archive $zip python\n" in download


ENGINE = r"""#!/bin/sh
case $1 in
doctor) ;;
bench) printf 'nodes 1\r\nsignature SIGNATURE\r\n' ;;
*) sleep 0.1; printf 'id name eleengine\r\nREPLY\r\nbye\r\n' ;;
esac
"""


@pytest.mark.system
@pytest.mark.parametrize(
    ("signature", "reply", "right"),
    [("17", "ucciok", True), ("18", "ucciok", False), ("17", "nothing", False)],
)
def test_the_windows_folder_is_tried_before_it_is_published(host, signature, reply, right):
    for folder in ("dist", "tests"):
        (host.checkout / folder).mkdir()
    (host.checkout / "tests/bench_signature.txt").write_bytes(b"17\r\n")  # as git checks it out on Windows
    with zipfile.ZipFile(host.checkout / "dist/eleengine-0.2.0-windows-x86-64.zip", "w") as archive:
        archive.writestr(
            "eleengine-0.2.0-windows-x86-64/eleengine.exe",
            ENGINE.replace("SIGNATURE", signature).replace("REPLY", reply),
        )
    # Here a file needs leave to be run.
    add_program(host, "python", f'"{sys.executable}" "$@" && chmod +x */*.exe')
    done = run_step(host, RELEASE["windows-folder"], "eleengine.exe doctor")
    assert (done.returncode == 0) == right, done


@pytest.mark.system
def test_a_release_has_everything_and_the_package_index_what_pip_installs(host):
    job, dist = RELEASE["publish"], host.checkout / "dist"
    dist.mkdir()
    wheel, sdist = "eleengine-0.2.0-cp311-cp311-win_amd64.whl", "eleengine-0.2.0.tar.gz"
    folder = "eleengine-0.2.0-windows-x86-64.zip"
    for name in (wheel, sdist, folder, f"{folder}.sha256"):
        (dist / name).write_text(name)
    assert run_step(host, job, "sha256sum").returncode == 0
    subprocess.run(["sha256sum", "--check", "--quiet", "--strict", "SHA256SUMS"], cwd=dist, check=True)
    assert len((dist / "SHA256SUMS").read_text().splitlines()) == 3
    assert run_step(host, job, "cp dist/").returncode == 0
    assert {path.name for path in (host.checkout / "index").iterdir()} == {wheel, sdist}
    [upload] = [step for step in job["steps"] if "pypi-publish" in step.get("uses", "")]
    assert upload["with"] == {"packages-dir": "index", "skip-existing": True}  # so that it can be repeated
    add_program(host, "gh", 'printf "%s\\n" "$@" >"$CALLS"')
    assert run_step(host, job, "gh release").returncode == 0
    called = host.calls.read_text().split()
    assert called[:3] == ["release", "create", "v0.2.0"]
    assert sorted(called[6:]) == sorted(f"dist/{name}" for name in ("SHA256SUMS", wheel, sdist, folder))
    assert job["steps"][-1]["run"].startswith("gh release create")  # nothing that can fail comes after it


def test_a_rehearsal_uploads_what_a_release_does_to_another_index():
    assert RELEASE["rehearse"]["if"] == "github.event_name == 'workflow_dispatch'"
    assert RELEASE["rehearse"]["needs"] == RELEASE["publish"]["needs"]
    uploads = [
        next(step for step in RELEASE[job]["steps"] if "pypi-publish" in step.get("uses", ""))
        for job in ("rehearse", "publish")
    ]
    assert uploads[0]["with"].pop("repository-url") == "${{ vars.TEST_INDEX }}"
    assert uploads[0] == uploads[1]


def test_only_a_tag_is_published():
    assert RELEASE["publish"]["if"] == "startsWith(github.ref, 'refs/tags/v')"
    [pattern] = WORKFLOWS["release"][True]["push"]["tags"]  # YAML takes the key `on` for a truth value
    assert fnmatch("v0.2.0", pattern) and not fnmatch("main", pattern)
