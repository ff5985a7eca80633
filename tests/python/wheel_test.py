#!/usr/bin/env python3
"""The wheel of the Python package: installed by pip without a network, imported from an empty folder.

    wheel_test.py EVT WHEEL    the command, and the wheel
"""
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import venv
import zipfile

EVT, WHEEL = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])

TRACE = b"""evtrace text 1
session uuid=0x000102030405460788090a0b0c0d0e0f start=1767225600.000000000 program="app" pid=77
type 1024 tick (n u8)
stream 1 "main"
0.000000010 1 tick n=4
"""

PROGRAM = """
import evtrace
with evtrace.open("x.evt") as trace:
    print([row["n"] for row in trace.events("tick")], [row["events"] for row in trace.stats.events()])
print(evtrace.__version__)
print(*sorted({line.split()[-1] for line in open("/proc/self/maps") if "evtrace/lib" in line}), sep="\\n")
"""


class WheelTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_clean(self, *command, **options):
        """Without what names other libraries or modules."""
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("EVTRACE_", "PYTHON", "LD_LIBRARY_PATH"))}
        return subprocess.run(command, env=environment, check=True, capture_output=True, **options).stdout.decode()

    def test_is_imported_from_an_empty_folder(self):
        venv.create(self.folder / "venv", with_pip=True)
        python = self.folder / "venv" / "bin" / "python"
        self.run_clean(python, "-m", "pip", "install", "--no-index", "--disable-pip-version-check", WHEEL)
        empty = self.folder / "empty"
        empty.mkdir()
        self.run_clean(EVT, "convert", "-", "-o", empty / "x.evt", input=TRACE)
        version = WHEEL.name.split("-")[1]
        events, shown, *libraries = self.run_clean(python, "-B", "-c", PROGRAM, cwd=empty).splitlines()
        self.assertEqual((events, shown), ("[4] [1]", version))
        # It brings what other systems may not have.
        names = [pathlib.Path(library).name for library in libraries]
        self.assertIn("libevtrace-reader.so.1", names)
        for name in ("libcapnp", "libkj", "libfmt", "libzstd"):
            self.assertTrue(any(each.startswith(name) for each in names), f"{name} is not among {names}")
        # Python has loaded one before where its module lzma is.
        with zipfile.ZipFile(WHEEL) as wheel:
            self.assertIn("evtrace/liblzma.so.5", wheel.namelist())
        self.assertTrue(all(library.startswith(str(self.folder.resolve())) for library in libraries), libraries)

    def test_has_a_record_of_all_its_files(self):
        with zipfile.ZipFile(WHEEL) as wheel:
            [record] = [name for name in wheel.namelist() if name.endswith("/RECORD")]
            lines = dict(line.split(",", 1) for line in wheel.read(record).decode().splitlines())
            self.assertEqual(set(lines), set(wheel.namelist()))
            for name, line in lines.items():
                content = wheel.read(name)
                digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                self.assertEqual(line, "," if name == record else f"sha256={digest},{len(content)}", name)
            # Libraries are searched for beside it, and not in the folder that a program is in.
            library = self.folder / "library"
            library.write_bytes(wheel.read("evtrace/libevtrace-reader.so.1"))
            dynamic = subprocess.run(["readelf", "-d", library], check=True, capture_output=True).stdout.decode()
            self.assertEqual(re.findall(r"path: \[(.*)\]", dynamic), ["$ORIGIN"])
            self.assertLess(wheel.fp.seek(0, os.SEEK_END), 10_000_000)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
