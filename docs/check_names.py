#!/usr/bin/env python3
"""Checks that the reference has every public name: check_names.py REFERENCE HEADER_FOLDER...

A public name is what a header declares at the start of a line: a class, a type, a function, a constant or a macro. Names
that end in an underscore are the headers' own, as are the namespaces that Doxygen is to leave out. REFERENCE is the site's folder
with a page for each header, which describes each name. Exit status: 0, or 1 when a name is missing or no names are found.
"""
import pathlib
import re
import sys

TYPE = re.compile(r"^(?:typedef )?(?:class|struct|union|enum(?: class)?) (?:alignas\(\d+\) )?(\w+)[^;]*$")
ALIAS = re.compile(r"^(?:using (\w+) = |typedef [^({;]* (\w+);)")
CONSTANT = re.compile(r"^inline constexpr [\w:<>* ]*?(\w+)(?:\[\d*\])? =")
FUNCTION = re.compile(r"^(?!using|static_assert|typedef|extern)\w[\w:<>*&\[\], ]*?[ *&](\w+)\(")
OWN_NAMESPACE = re.compile(r"^(?:namespace|}  // namespace) (?:evt::)?(?:encoding|decoding|tracing)\b")
SIGNATURE = re.compile(r'class="sig-name descname"><span class="n"><span class="pre">(\w+)<')
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


def main(reference, *folders):
    count, missing = 0, []
    for folder in map(pathlib.Path, folders):
        for header in sorted(folder.rglob("*.h")):
            page = pathlib.Path(reference, f"{header.relative_to(folder)}.html")
            documented = set(SIGNATURE.findall(page.read_text(encoding="utf-8"))) if page.exists() else set()
            for name in names_of(header):
                count += 1
                if name not in documented:
                    missing.append(f"{header}: {name}")
    print("\n".join(missing) or f"{count} public names are documented")
    return 1 if missing or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
