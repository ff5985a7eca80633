#!/usr/bin/env python3
"""No file names the host of a package registry: packages come by name, through apt and npm, from where the machine has them.

usage: hosts.py ROOT

Prints each line with such a host; the exit status is 1 if there is any.
"""
import pathlib
import re
import subprocess
import sys

REGISTRY = re.compile(r"https?://(?:[\w-]+\.)*(?:registry|deb|ftp|archive|snapshot|security|pypi|pythonhosted|npmjs|yarnpkg|crates)\.[\w.-]+"
                      r"|\b(?:registry\.(?:npmjs|yarnpkg)|(?:deb|ftp|security|snapshot)\.debian)\.\w+")


def main(root):
    names = subprocess.run(["git", "ls-files", "-z", ":!testdata"], cwd=root, stdout=subprocess.PIPE, text=True, check=True).stdout.split("\0")
    found = 0
    for path in filter(pathlib.Path.is_file, (pathlib.Path(root, name) for name in names)):
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            if match := REGISTRY.search(line):
                print(f"{path}:{number}: names the registry host {match.group()}")
                found += 1
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
