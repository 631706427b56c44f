"""Make an sdist repeat to the byte: python packaging/wheels/repeatable.py SDIST

setuptools writes the time of the build and its user into it; here all dates are SOURCE_DATE_EPOCH.
"""

import gzip
import io
import os
import sys
import tarfile
from pathlib import Path


def main() -> None:
    sdist, date = Path(sys.argv[1]), int(os.environ["SOURCE_DATE_EPOCH"])
    packed = io.BytesIO()
    with (
        tarfile.open(sdist) as source,
        gzip.GzipFile("", "wb", mtime=date, fileobj=packed) as file,
        tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as target,
    ):
        for member in sorted(source.getmembers(), key=lambda member: member.name):
            member.mtime, member.uid, member.gid, member.uname, member.gname = date, 0, 0, "", ""
            member.pax_headers = {}
            target.addfile(member, source.extractfile(member) if member.isfile() else None)
    sdist.write_bytes(packed.getvalue())


if __name__ == "__main__":
    main()
