#!/usr/bin/env python3
"""Whether each type that programs share has one definition.

    definitions.py ROOT

Two classes of one name in one namespace are one class to the linker: an object of one may be destroyed as the other. No
compiler and no linker says so. So a class, struct, union or enumeration outside of unnamed namespaces is defined in one
file of the product, and of a test program. Prints those that are not; exit status 1 when there is one.
"""
import collections
import os
import re
import sys

PRODUCT = ("format-spec", "libtrace-write", "libtrace-read", "libtrace-record", "libtrace-view", "tools")
TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/|R"(?P<raw>\w*)\(.*?\)(?P=raw)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'"""
                   r"""|^[ \t]*\#(?:\\\n|[^\n])*|[{};]|\bnamespace\b[^{;]*"""
                   r"""|\b(?:class|struct|union|enum)\b(?:alignas\([^)]*\)|[^;{}()=])*""", re.S | re.M)
NOT_NAMES = re.compile(r"\b(?:class|struct|union|enum|final)\b|\balignas\([^)]*\)|\[\[.*?\]\]")


def defined_in(text):
    """The types that a file defines at the level of named namespaces."""
    scopes, coming = [], None
    for token in (match.group(0) for match in TOKEN.finditer(text)):
        if token == "{":
            is_shared = all(is_namespace and name for is_namespace, name in scopes)
            if coming and not coming[0] and is_shared and coming[1]:
                yield "::".join([name for _, name in scopes] + [coming[1]])
            scopes.append(coming or (False, ""))
            coming = None
        elif token == "}":
            if scopes:
                scopes.pop()
            coming = None
        elif token == ";":
            coming = None
        elif token.startswith("namespace"):
            coming = (True, token.removeprefix("namespace").strip())
        elif token.startswith(("class", "struct", "union", "enum")):
            words = re.split(r"(?<!:):(?!:)", NOT_NAMES.sub(" ", token))[0].split()
            # Members that are defined outside of their class, and specialisations, belong to another; two words are a
            # variable.
            is_own = len(words) == 1 and "::" not in words[0] and "<" not in words[0]
            coming = (False, words[0] if is_own else "")


def files_of(root):
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in ("build", ".git")]
        for name in files:
            if name.endswith((".h", ".cc")):
                yield os.path.relpath(os.path.join(folder, name), root)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: definitions.py ROOT")
    root = sys.argv[1]
    found = collections.defaultdict(lambda: collections.defaultdict(set))
    for path in sorted(files_of(root)):
        parts = path.split(os.sep)
        program = "product" if parts[0] in PRODUCT else os.sep.join(parts[:2]) if parts[0] == "tests" else None
        if program is None:
            continue
        with open(os.path.join(root, path), encoding="utf-8") as file:
            for name in defined_in(file.read()):
                found[program][name].add(path)
    if not found["product"]:
        sys.exit("definitions.py: no type is defined: not the sources?")
    failed = False
    for program, types in found.items():
        for name, paths in sorted(types.items()):
            paths = paths | found["product"].get(name, set()) | found["tests/support"].get(name, set())
            if len(paths) > 1:
                failed = True
                print(f"{name} is defined in {', '.join(sorted(paths))}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
