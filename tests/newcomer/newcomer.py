#!/usr/bin/env python3
"""Follows README.md, the guide and the cookbook to the letter, in an empty Debian: newcomer.py ROOT FOLDER MIRROR SUITE

Clones the repository at ROOT as it is committed, and runs there what README.md has to be run in the sources; installs the packages
that this makes; builds the programs of the documents against them, by pkg-config and, those of README.md, by CMake; then runs all
other commands of the documents, each document from an empty folder. The first that fails, or that prints on standard error what no
document announces, ends it with status 1. FOLDER keeps what is downloaded from MIRROR, and the Debian as it was at the end (FOLDER/root).
Needs root, debootstrap and network; takes as long as two builds.
"""
import pathlib
import re
import subprocess
import sys

from empty_debian import HOME, EmptyDebian
from fenced import blocks_of

README = "README.md"
SOURCES = f"{HOME}/evtrace"
# Where examples are, which packages have as sources; commands are the packages'.
ENVIRONMENT = {"PATH": f"/usr/sbin:/usr/bin:/sbin:/bin:{SOURCES}/build/release/bin", "EXAMPLES": f"{SOURCES}/examples"}
# A block of README.md with one of these is run in the sources.
OF_SOURCES = re.compile(r"\./dev\b|\blibtrace-|\bbuild/")
# What every reader has to do there, in a block or in the text.
STEPS = ("./dev demo", "./dev build", "./dev package", "apt install -y ./build/package/*.deb")
# Lines that a newcomer leaves out, and why. One that no document has is an error.
LEFT_OUT = {r"\./dev test\b": "all tests, of which this is one"}
# What commands of README.md find in their folder.
GIVEN = "seq 100 > names.txt"
# What the documents announce on standard error, or apt prints where all is well.
ANNOUNCED = {"evt run": re.compile(r""), "./dev": re.compile(r"debconf: |dpkg-preconfigure: |W: |\s*$"), "apt ": re.compile(r"debconf: |N: |WARNING: apt |\s*$"),
             "git clone": re.compile(r"Cloning into |Updating files: ")}
PLACE = "@@@ "  # in front of where a block is from, on standard error


class Newcomer:
    def __init__(self, root, folder, mirror, suite):
        self._left_out = set()
        self._blocks = 0
        self._debian = EmptyDebian(folder, mirror, suite)
        self._root = self._debian.root / "srv/evtrace"  # what is cloned, and has the documents that are followed
        subprocess.run(["git", "clone", "--quiet", root, self._root], check=True)

    def follow(self):
        readme = list(blocks_of(self._root, README, ["sh"]))
        self._install(readme)
        self._build_programs()
        self._debian.prepare(f"cd app && ./app && {GIVEN}")
        self._follow(f"{HOME}/app", [(str(block), block.text) for block in readme if not _is_of_sources(block)])
        for document in ("docs/GUIDE.md", *sorted(path.relative_to(self._root).as_posix() for path in self._root.glob("docs/guide/*.md")),
                         "docs/COOKBOOK.md", "docs/AUTOMATION.md"):
            folder = f"{HOME}/{pathlib.Path(document).stem}"
            self._debian.prepare(f"mkdir {folder}")
            self._follow(folder, [(str(block), block.text) for block in blocks_of(self._root, document, ["sh"])])
        self._python()
        self._remove_packages()
        unused = set(LEFT_OUT) - self._left_out
        if unused:
            raise SystemExit(f"newcomer: no document has what is left out: {', '.join(sorted(unused))}")
        print(f"{self._blocks} blocks are as the documents have them")

    def _install(self, readme):
        """From git clone, of which any address is that of ROOT, to the installed packages."""
        of_sources = [block for block in readme if _is_of_sources(block)]
        clone = next((block for block in of_sources if "git clone" in block.text), None)
        command = clone.text if clone else "git clone https://localhost/evtrace"
        address = re.search(r"git clone (?:--?\S+ )*(\S+)", command)[1]
        self._debian.prepare(f"git config --global url.file:///srv/evtrace.insteadOf '{address}'")
        self._follow(HOME, [(str(clone or "(not in README.md)"), command)])
        steps = [(str(block), block.text) for block in of_sources if block is not clone]
        text = "".join(block.text for block in of_sources)
        steps += [("(not a command of README.md)", step) for step in STEPS if step not in text]
        for step in steps:
            self._follow(SOURCES, [step])

    def _build_programs(self):
        """Each program of the documents that needs no header of its own. The first records app.evt."""
        cmake = "".join(block.text for block in blocks_of(self._root, README, ["cmake"]))
        count = 0
        for document in (README, "docs/guide/record.md", "docs/guide/tools.md"):
            for block in blocks_of(self._root, document, ["c", "cpp"]):
                libraries = self._libraries_of(block)
                if not re.search(r"^int main\(", block.text, re.MULTILINE) or not libraries or '#include "' in block.text:
                    continue
                folder = f"{HOME}/app{count or ''}"
                count += 1
                source, compiler = ("app.c", "gcc") if block.language == "c" else ("app.cc", "g++ -std=c++20")
                self._write(folder, source, block.text)
                packages = " ".join(f"evtrace-{library}" for library in libraries)
                self._follow(folder, [(str(block), f"{compiler} -Wall -o app {source} $(pkg-config --cflags --libs {packages})")])
                if document == README:
                    self._write(folder, "CMakeLists.txt", "cmake_minimum_required(VERSION 3.22)\nproject(app CXX)\nadd_executable(app app.cc)\n" +
                                cmake.replace("evtrace::write", " ".join(f"evtrace::{library}" for library in libraries)))
                    self._follow(folder, [(str(block), "cmake -S . -B build && cmake --build build && cp build/app app")])
        if count == 0:
            raise SystemExit("newcomer: no document has a program")

    def _libraries_of(self, block):
        """What a program links, by the folders of the headers that it includes."""
        libraries = set()
        for header in re.findall(r"^#include <(evt/[\w/]+\.h)>", block.text, re.MULTILINE):
            if header == "evt/compact.h":
                libraries.add("compact")
            elif (self._root / "libtrace-write/include" / header).exists():
                libraries.add("write")
            elif any(self._root.glob(f"libtrace-read/*/include/{header}")):
                libraries.add("read")
        return sorted(libraries)

    def _python(self):
        """The chapter's programs, of the trace that it names, with what it names."""
        self._debian.prepare("mkdir -p python && apt-get install -y python3-pandas python3-matplotlib && cd python && "
                             f"{SOURCES}/build/release/bin/mandelbrot m.evt")
        for block in blocks_of(self._root, "docs/guide/python.md", ["python"]):
            self._write(f"{HOME}/python", "block.py", block.text)
            self._follow(f"{HOME}/python", [(str(block), "/usr/bin/python3 block.py")])

    def _remove_packages(self):
        """All that is left of them is in the newcomer's own folder."""
        self._debian.prepare("dpkg-query -W -f '${Package}\\n' '*evtrace*' | xargs apt-get purge -y")
        found = self._debian.run("find / -xdev -iname '*evtrace*' -not -path '/srv/*'")
        if found.returncode != 0 or found.stdout:
            raise SystemExit(f"newcomer: what removed packages left behind: expected nothing\n{found.stdout}{found.stderr}")

    def _write(self, folder, name, text):
        path = self._debian.root / folder.lstrip("/")
        path.mkdir(exist_ok=True)
        (path / name).write_text(text, encoding="utf-8")

    def _follow(self, folder, blocks):
        """Runs blocks, each with its place, as one script."""
        script, announced = "", {}
        for place, text in blocks:
            text = self._without_left_out(place, text)
            if text.strip():
                print(f"== {place}\n{text.rstrip()}", flush=True)
                self._blocks += 1
                script += f"echo '{PLACE}{place}' >&2\n{text.rstrip()}\n"
                announced[place] = [pattern for command, pattern in ANNOUNCED.items() if command in text]
        outcome = self._debian.run(script, folder, **ENVIRONMENT)
        place, surprises = "", []
        for line in outcome.stderr.splitlines():
            if line.startswith(PLACE):
                place = line.removeprefix(PLACE)
            elif not any(pattern.match(line) for pattern in announced.get(place, [])):
                surprises.append(f"{place}: {line}")
        if outcome.returncode != 0 or surprises:
            raise SystemExit(f"newcomer: {place}: exit status {outcome.returncode}; expected 0, and nothing on standard error that is not "
                             f"announced\n{outcome.stdout[-3000:]}\n" + "\n".join(surprises))

    def _without_left_out(self, place, text):
        for pattern, reason in LEFT_OUT.items():
            kept = re.sub(rf"^.*{pattern}.*$\n?", "", text, flags=re.MULTILINE)
            if kept != text:
                self._left_out.add(pattern)
                print(f"-- {place}: left out: {reason}", flush=True)
                text = kept
        return text


def _is_of_sources(block):
    return bool(OF_SOURCES.search(block.text)) or "git clone" in block.text


def main(root, folder, mirror, suite):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    Newcomer(pathlib.Path(root), folder, mirror, suite).follow()


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
