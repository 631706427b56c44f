"""Build of eleengine: asks the C compiler what it can do, then compiles the extension.

Needs gcc or clang for a 64-bit machine; on Windows the gcc of MinGW-w64, which must be on the PATH.
Switches, all environment variables:

ELEENGINE_MARCH     CPU to build for, a value of the compiler's -march= (-mcpu= on ARM and POWER).
                    Default: native, the building machine. For wheels: portable, which on x86-64 is
                    x86-64-v2 with variants for v3 and v4 beside it (eleengine/_internal/variants.py picks one
                    at import), elsewhere the compiler's default.
ELEENGINE_OPENMP    0: without OpenMP, an engine of one thread.
ELEENGINE_DEBUG     1: ele_check() aborts with a message; -O1 -g.
ELEENGINE_OPTIMIZE  Level of the compiler's -O, 3 by default. g builds in less than half of the time, for an
                    engine of half the speed.
ELEENGINE_SANITIZE  Sanitizers to build in: address,undefined.

CC, CFLAGS and LDFLAGS work as usual; Homebrew's OpenMP, for one, needs its folders in the last two.
Each combination of switches has a folder of its own under build/, so none is mistaken for another.
"""

import copy
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import textwrap
import warnings
from contextlib import contextmanager
from glob import glob

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.errors import CompileError, LinkError, PlatformError
from setuptools.modified import newer

MARCH = os.environ.get("ELEENGINE_MARCH") or "native"
OPENMP = os.environ.get("ELEENGINE_OPENMP") != "0"
DEBUG = os.environ.get("ELEENGINE_DEBUG") == "1"
OPTIMIZE = os.environ.get("ELEENGINE_OPTIMIZE") or "3"
SANITIZE = os.environ.get("ELEENGINE_SANITIZE", "")

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
}

OPENMP_FLAGS = [  # (compile, link), first that compiles and links wins
    (["-fopenmp"], ["-fopenmp"]),
    (["-Xpreprocessor", "-fopenmp"], ["-lomp"]),  # Apple's clang
]
OPENMP_PROGRAM = """
#include <omp.h>
int work(int n) {
    #pragma omp parallel for reduction(+:n)
    for (int i = 0; i < 4; i++) n += omp_get_thread_num();
    return n;
}
"""
EMPTY_PROGRAM = "int work(void) { return 0; }"
PYTHON_PROGRAM = "#include <Python.h>\n" + EMPTY_PROGRAM
INT128_PROGRAM = "unsigned __int128 set; int work(void) { return __builtin_popcountll(set >> 64); }"
LITTLE_ENDIAN_PROGRAM = "int work[__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 1 : -1];"

HOST = "https://github.com/eleengine/eleengine"
HOST_OF_FILES = "https://raw.githubusercontent.com/eleengine/eleengine/main/"

PARAMETERS = "src/eleengine/core/search/parameters.txt"
PARAMETERS_TEXT = '''\
# search/parameters.pxi - the parameters of the search as a struct and a table.
#
# Made of parameters.txt by setup.py: change that.

cdef extern from *:
    """
    typedef struct {{ const char *name; int value, min, max; }} Parameter;
    static const Parameter PARAMETER[] = {{
{rows}
    }};
    """
    ctypedef struct Parameter:
        const char* name
        int value, min, max
    const Parameter PARAMETER[]

cdef enum:
    N_PARAMETERS = {n}


cdef struct Parameters:
{fields}
'''

WEIGHTS = "src/eleengine/core/eval/classic/shipped.json"
WEIGHTS_TEXT = '''\
# eval/classic/shipped.pxi - the weights that the engine begins with.
#
# Uses: eval/classic/weights.
# Made of shipped.json by setup.py: change that.

cdef extern from *:
    """
    static const int16_t SHIPPED[2][{n}] = {{
{rows}
    }};
    """
    const int16_t SHIPPED[2][WEIGHTS]
'''

TARGET = sysconfig.get_platform()  # linux-x86_64, macosx-14.0-arm64; a cross build tells Python another
MACHINE = TARGET.rpartition("-")[2]
IS_WINDOWS = TARGET.startswith(("win", "mingw"))


# What a build needs, in the words of the system: family of os-release, and the command that brings it.
PACKAGES = {
    "debian": "sudo apt install gcc libc6-dev python{version}-dev",
    "fedora": "sudo dnf install gcc glibc-devel python3-devel",
    "rhel": "sudo dnf install gcc glibc-devel python{version}-devel",
    "suse": "sudo zypper install gcc glibc-devel python3-devel",
    "arch": "sudo pacman -S gcc python",
    "alpine": "sudo apk add gcc musl-dev python3-dev",
    "darwin": "xcode-select --install",
    "windows": "put the gcc of MinGW-w64 on the PATH",
}


def system_families():
    """The system and those it is like, the nearest first."""
    if IS_WINDOWS or sys.platform == "darwin":
        return ["windows" if IS_WINDOWS else "darwin"]
    try:
        facts = platform.freedesktop_os_release()
    except OSError:
        return []
    return [facts["ID"], *facts.get("ID_LIKE", "").split()]


def how_to_install():
    """The command that brings compiler, linker and headers to this machine."""
    for family in system_families():
        if family in PACKAGES:
            return PACKAGES[family].format(version="{}.{}".format(*sys.version_info))
    return "install gcc or clang, the C library's headers and those of Python"


def cpu_flags(march):
    return [("-mcpu=" if MACHINE.startswith(("aarch64", "arm", "ppc")) else "-march=") + march]


def code_flags():
    """What the generated C is compiled with, apart from the CPU and OpenMP."""
    flags = ["-fno-math-errno", "-fvisibility=hidden"]
    flags += ["-ffp-contract=off"]  # multiply and add are rounded apart, so that training is equal everywhere
    flags += ["-fno-wrapv"]  # Python's own flags may hold -fwrapv, which hides overflows from the sanitizers
    flags += ["-Wall", "-Wno-unused-function", "-Wno-unused-const-variable"]  # generated code has both
    flags += ["-Wno-misleading-indentation"]  # 6 s of GCC, for code that a program wrote
    flags += ["-O1", "-g"] if DEBUG or SANITIZE else [f"-O{OPTIMIZE}", "-g0"]
    if DEBUG:
        flags += ["-UNDEBUG", "-DELE_DEBUG=1"]
    elif IS_WINDOWS:
        flags += ["-DNDEBUG"]  # elsewhere among Python's own flags
    if SANITIZE:
        flags += [f"-fsanitize={SANITIZE}", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer"]
    return flags


def link_flags():
    flags = [f"-fsanitize={SANITIZE}"] if SANITIZE else []
    if IS_WINDOWS:  # with gcc's libraries inside, as others have none; the same source gives the same file
        flags += ["-static", "-Wl,--no-insert-timestamp"]
        flags += [] if DEBUG or SANITIZE else ["-s"]
    return flags


def write_parameters():
    """Make the struct and the table of the search's parameters of their list, if it has changed."""
    with open(PARAMETERS, encoding="utf-8") as file:
        lines = [line.split()[:4] for line in file if line.strip() and not line.startswith("#")]
    rows = [f'        {{"{name}", {value}, {least}, {most}}},' for name, value, least, most in lines]
    fields = [f"    int {name}" for name, *_ in lines]
    text = PARAMETERS_TEXT.format(rows="\n".join(rows), n=len(lines), fields="\n".join(fields))
    write_changed(PARAMETERS.replace(".txt", ".pxi"), text)


def write_weights():
    """Make the table of the shipped weights of their file, if it has changed."""
    with open(WEIGHTS, encoding="utf-8") as file:
        data = json.load(file)
    phases = [re.findall(r"-?\d+", str([*data[phase].values()])) for phase in ("mg", "eg")]
    rows = "\n".join(textwrap.indent(textwrap.fill(f"{{{', '.join(row)}}},", 110), 8 * " ") for row in phases)
    write_changed(WEIGHTS.replace(".json", ".pxi"), WEIGHTS_TEXT.format(rows=rows, n=len(phases[0])))


def write_changed(path, text):
    """Write a file that is made of another one, unless it is as it should be."""
    with open(path, "a+", encoding="utf-8") as file:
        file.seek(0)
        if file.read() != text:
            file.truncate(0)
            file.write(text)


def extensions():
    """The extension; in portable builds on x86-64 also its variants and the module that tells the CPU."""

    def extension(name, source, cpu):
        return Extension(name, [f"src/eleengine/{source}.pyx"], depends=includes, extra_compile_args=cpu)

    write_parameters()
    write_weights()
    includes = ["setup.py", *sorted(glob("src/eleengine/core/**/*.pxi", recursive=True))]
    if MARCH != "portable":
        return [extension("eleengine._core", "_core", cpu_flags(MARCH))]
    if MACHINE not in ("x86_64", "amd64"):
        return [extension("eleengine._core", "_core", [])]
    v2, v3, v4 = (cpu_flags(f"x86-64-v{level}") for level in (2, 3, 4))
    v4 += ["-mtune=skylake-avx512"]  # with gcc's generic tuning v4 is an eighth slower than v3
    return [
        extension("eleengine._core", "_core", v2),
        extension("eleengine.variants.x86-64-v3._core", "_core", v3),
        extension("eleengine.variants.x86-64-v4._core", "_core", v4),
        extension("eleengine._cpu", "_cpu", cpu_flags("x86-64")),
    ]


def is_variant(ext):
    return ".variants." in ext.name


class BuildExt(build_ext):
    def build_extensions(self):
        if sysconfig.get_config_var("Py_GIL_DISABLED"):
            raise PlatformError(
                "eleengine is not made for the free-threaded Python: only the GIL keeps two threads from "
                "changing one board at once; build it with the other one"
            )
        self.need(EMPTY_PROGRAM, False, "a C compiler, and none works")
        self.need(EMPTY_PROGRAM, True, "a linker and the C library; the compiler works, but cannot link")
        if not self.works(INT128_PROGRAM):
            raise PlatformError(
                "eleengine needs 128-bit integers: gcc or clang for a 64-bit machine, "
                "not one for 32 bits, nor MSVC (on Windows use MinGW-w64)"
            )
        if not self.works(LITTLE_ENDIAN_PROGRAM):
            raise PlatformError("eleengine needs a little-endian machine")
        self.need(PYTHON_PROGRAM, False, "the headers of Python, and Python.h cannot be included")
        openmp_compile, openmp_link = self.openmp_flags()
        flags = code_flags() + openmp_compile
        # gcc does not align the stack to 32 bytes there: aligned moves of wide registers to it would crash.
        unaligned = ["-Wa,-muse-unaligned-vector-move"]
        if IS_WINDOWS and self.works(EMPTY_PROGRAM, unaligned):
            flags += unaligned
        for ext in list(self.extensions):
            cpu = ext.extra_compile_args
            if not self.works(EMPTY_PROGRAM, cpu):
                if is_variant(ext):
                    self.extensions.remove(ext)
                warnings.warn(f"the C compiler refuses {' '.join(cpu)}: going on without", stacklevel=1)
                cpu = []
            ext.extra_compile_args = flags + cpu
            ext.extra_link_args = openmp_link + link_flags()
        self.generate()
        super().build_extensions()

    def need(self, program, link, what):
        """Does the program compile, and link? If not, say what is missing and how to get it."""
        said = self.complaint(program, link=link)
        if said is not None:
            raise PlatformError(f"{said.strip()}\neleengine needs {what}: {how_to_install()}")

    def run(self):
        super().run()
        self.write_facts("src" if self.inplace else self.build_lib)

    def write_facts(self, folder):
        """What `eleengine doctor` tells of the build."""
        compiler = told_by([*self.compiler.compiler_so[:1], "--version"]).partition("\n")[0]
        commit = told_by(["git", "describe", "--always", "--dirty", "--abbrev=12"]) or "unknown"
        with open(os.path.join(folder, "eleengine", "_build.txt"), "w", encoding="utf-8") as file:
            file.write(f"commit={commit}\ncompiler={compiler or 'unknown'}\ncpu={MARCH} {MACHINE}\n")

    def build_extension(self, ext):
        one = copy.copy(self)  # variants have the same source: keep their object files apart
        one.build_temp = os.path.join(self.build_temp, ext.name)
        super(BuildExt, one).build_extension(ext)

    def generate(self):
        """Turn the .pyx sources into C under build/; variants share it."""
        generated = {}
        for ext in self.extensions:
            [source] = ext.sources
            if source not in generated:
                force = newer("setup.py", os.path.join("build/cython", source[:-3] + "c"))
                [made] = cythonize(
                    [ext], build_dir="build/cython", compiler_directives=DIRECTIVES, force=self.force or force
                )
                generated[source] = made.sources
            ext.sources = generated[source]

    def openmp_flags(self):
        if not OPENMP:
            return [], []
        for compile_flags, link_flags in OPENMP_FLAGS:
            if self.works(OPENMP_PROGRAM, compile_flags, link_flags):
                return compile_flags, link_flags
        warnings.warn("no OpenMP found: the engine will search with one thread", stacklevel=1)
        return [], []

    def works(self, program, compile_flags=(), link_flags=()):
        """Whether the compiler compiles and links program with these flags."""
        return self.complaint(program, compile_flags, link_flags) is None

    def complaint(self, program, compile_flags=(), link_flags=(), link=True):
        """What the compiler says of a program that it does not compile, or not link; None if it does."""
        with tempfile.TemporaryDirectory() as folder:
            source, probe, told = (os.path.join(folder, name) for name in ("probe.c", "probe.so", "told"))
            with open(source, "w") as file:
                file.write(program)
            try:
                with output_in(told):
                    objects = self.compiler.compile([source], folder, extra_postargs=list(compile_flags))
                    if link:
                        self.compiler.link_shared_object(objects, probe, extra_postargs=list(link_flags))
            except (CompileError, LinkError) as error:
                with open(told, errors="replace") as file:
                    return file.read() or str(error)
        return None


class BuildPy(build_py):
    """Installs positions/, too, where commands find its files by their names."""

    def run(self):
        super().run()
        if not self.editable_mode:
            for file in glob("positions/*"):
                target = os.path.join(self.build_lib, "eleengine", file)
                self.mkpath(os.path.dirname(target))
                self.copy_file(file, target)


@contextmanager
def output_in(path):
    """What this process and its children write to stdout and stderr goes to a file."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept = os.dup(1), os.dup(2)
    with open(path, "w") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
        try:
            yield
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            for stream, number in zip(kept, (1, 2), strict=True):
                os.dup2(stream, number)
                os.close(stream)


def readme():
    """The README for the package index, where its links and pictures must be whole."""
    with open("README.md", encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r"(!\[[^]]*\]\()(?!https?:)", rf"\1{HOST_OF_FILES}", text)
    return re.sub(r"(?<!!)(\[[^]]*\]\()(?!https?:|#)", rf"\1{HOST}/blob/main/", text)


def told_by(command):
    """What a program writes, or nothing if it fails."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def build_folder():
    """A folder name for this combination of switches, such as build/native-debug."""
    switches = [MARCH, *(["one-thread"] * (not OPENMP)), *(["debug"] * DEBUG), *SANITIZE.split(",")]
    switches += [f"O{OPTIMIZE}"] * (OPTIMIZE != "3")
    target = [TARGET] if "_PYTHON_HOST_PLATFORM" in os.environ else []
    return "build/" + "-".join(filter(None, [*target, *switches]))


def compiler_choice():
    """On Windows setuptools would take MSVC, which cannot compile this."""
    found = os.name == "nt" and (os.environ.get("CC") or shutil.which("gcc"))
    return {"build_ext": {"compiler": "mingw32"}} if found else {}


setup(
    long_description=readme(),
    long_description_content_type="text/markdown",
    ext_modules=extensions(),
    cmdclass={"build_ext": BuildExt, "build_py": BuildPy},
    options={"build": {"build_base": build_folder()}, **compiler_choice()},
)
