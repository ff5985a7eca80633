#!/usr/bin/env python3
"""Checks that the API reference has every public name: check_names.py TAGFILE HEADER_FOLDER...

A public name is what a header declares at the start of a line: a class, a type, a function, a constant or a macro. Names
that end in an underscore are the headers' own, as are the namespaces that Doxygen is to leave out. TAGFILE is what Doxygen lists of what it documents. Exit status: 0, or 1
when a name is missing or no names are found.
"""
import pathlib
import re
import sys
import xml.etree.ElementTree

TYPE = re.compile(r"^(?:typedef )?(?:class|struct|union|enum(?: class)?) (?:alignas\(\d+\) )?(\w+)[^;]*$")
ALIAS = re.compile(r"^(?:using (\w+) = |typedef [^({]* (\w+);)")
CONSTANT = re.compile(r"^inline constexpr [\w:<>* ]*?(\w+)(?:\[\d*\])? =")
FUNCTION = re.compile(r"^(?!using|static_assert|typedef|extern)\w[\w:<>*&\[\], ]*?[ *&](\w+)\(")
OWN_NAMESPACE = re.compile(r"^(?:namespace|}  // namespace) (?:encoding|decoding|evt::tracing)\b")
MACRO = re.compile(r"^#define (\w+)\(")


def names_of(header):
    own = False  # in a namespace of the headers' own
    for line in header.read_text().splitlines():
        if OWN_NAMESPACE.match(line):
            own = line.startswith("namespace")
        if own:
            continue
        for pattern in (TYPE, ALIAS, CONSTANT, FUNCTION, MACRO):
            if found := pattern.match(line):
                name = next(group for group in found.groups() if group)
                if not name.endswith("_"):
                    yield name
                break


def main(tagfile, *folders):
    documented = {name.text.split("::")[-1].split("<")[0] for name in xml.etree.ElementTree.parse(tagfile).iter("name")}
    count, missing = 0, []
    for header in sorted(path for folder in folders for path in pathlib.Path(folder).rglob("*.h")):
        for name in names_of(header):
            count += 1
            if name not in documented:
                missing.append(f"{header}: {name}")
    print("\n".join(missing) or f"{count} public names are documented")
    return 1 if missing or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
