#!/usr/bin/env python3
"""Makes a wheel of the package: its modules, the reader's library, and the libraries that this needs and other systems
may not have.

    wheel.py LIBRARY FOLDER    libevtrace-reader.so as it is built, and where the wheel is written; prints its path

The same files make the same wheel, byte for byte.
"""
import base64
import ctypes
import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
TAG = "py3-none-manylinux_2_36_x86_64"
# What manylinux has on every system stays there; these are found by the library's RPATH, $ORIGIN.
TAKEN = re.compile(r"\s(lib(?:capnp|kj|fmt|zstd|lzma)[^ ]*) => (\S+)")

METADATA = """Metadata-Version: 2.1
Name: evtrace
Version: {version}
Summary: Reads traces of evtrace: events, states of threads, spans and statistics, as tables
License: MIT
Requires-Python: >=3.8
Provides-Extra: pandas
Requires-Dist: numpy; extra == 'pandas'
Requires-Dist: pandas; extra == 'pandas'
"""
WHEEL = f"Wheel-Version: 1.0\nGenerator: evtrace\nRoot-Is-Purelib: false\nTag: {TAG}\n"


def version_of(library):
    version = ctypes.CDLL(library).evtr_version
    version.restype = ctypes.c_char_p
    return version().decode()


def stripped(library):
    with tempfile.NamedTemporaryFile() as file:
        subprocess.run(["strip", "--strip-unneeded", "-o", file.name, library], check=True)
        return pathlib.Path(file.name).read_bytes()


def reader_of(library):
    """CMake puts a colon behind the RPATH of a library that is to be installed: an empty folder, which is the present one."""
    padded, content = b"\0$ORIGIN:\0", stripped(library)
    if content.count(padded) != 1:
        sys.exit(f"{library}: expected the RPATH $ORIGIN, as the build gives it")
    return content.replace(padded, b"\0$ORIGIN\0\0")


def licenses_of(path):
    """Of a library that Debian has: its package's file about rights."""
    # Packages of before the two folders became one have it in the other.
    names = [path, path.removeprefix("/usr")]
    found = [subprocess.run(["dpkg", "-S", name], capture_output=True, text=True).stdout for name in names]
    owner = next(filter(None, found)).split(":")[0]
    return owner, pathlib.Path(f"/usr/share/doc/{owner}/copyright").read_bytes()


def files_of(library, info, version):
    """Names in the wheel, and what is in them."""
    files = {f"evtrace/{path.name}": path.read_bytes() for path in sorted((ROOT / "python" / "evtrace").glob("*.py"))}
    files["evtrace/py.typed"] = b""
    files["evtrace/libevtrace-reader.so.1"] = reader_of(library)
    files[f"{info}/licenses/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    needed = subprocess.run(["ldd", library], capture_output=True, text=True, check=True).stdout
    for name, path in sorted(TAKEN.findall(needed)):
        path = str(pathlib.Path(path).resolve())
        files[f"evtrace/{name}"] = stripped(path)
        owner, text = licenses_of(path)
        files[f"{info}/licenses/{owner}"] = text
    files[f"{info}/METADATA"] = METADATA.format(version=version).encode()
    files[f"{info}/WHEEL"] = WHEEL.encode()
    return files


def record_of(files, info):
    lines = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(content)}")
    return "\n".join([*lines, f"{info}/RECORD,,", ""]).encode()


def main(library, folder):
    version = version_of(library)
    info = f"evtrace-{version}.dist-info"
    files = files_of(library, info, version)
    files[f"{info}/RECORD"] = record_of(files, info)
    path = pathlib.Path(folder) / f"evtrace-{version}-{TAG}.whl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o100644 << 16
            wheel.writestr(entry, content)
    print(path)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
