#!/usr/bin/env python3
"""Plain technical English: words that comments, messages and documents do without.

usage: words.py ROOT [FOLDER...]

Looks at comments and string literals of C and C++ sources, of tests at comments alone, and at documents but for the code
in them. Text in backticks is code. Prints each line with such a word; the exit status is 1 if there is any.
"""
import os
import re
import sys

# What the field has words for, and stories.
BANNED = re.compile(r"\b(told|tells|says|said|nobody|stands|stood|so many|whoever|comes? to|came to|gives? back|given back|"
                    r"gave back|its whole life|in numbers|torn|untold|compacted)\b", re.IGNORECASE)
FOLDERS = ["format-spec", "libtrace-write", "libtrace-read", "libtrace-record", "libtrace-view", "tools", "docs", "examples", "bench", "README.md",
           "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md"]
COMMENTS_ALONE = ["tests", "fuzz"]  # their strings are names, and what others write
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)


def prose_of_source(text, strings):
    """Comments, and strings if they are wanted, with as many lines in front as in the file."""
    for found in TOKEN.finditer(text):
        if found.group().startswith("/") or (strings and not found.group().startswith("'")):
            yield text.count("\n", 0, found.start()) + 1, re.sub(r"`[^`\n]*`", "``", found.group())


def prose_of_document(text):
    text = re.sub(r"```.*?```", lambda found: "\n" * found.group().count("\n"), text, flags=re.DOTALL)
    yield 1, re.sub(r"`[^`]*`", lambda found: "``" + "\n" * found.group().count("\n"), text)


def files_in(root, folders):
    for folder in folders:
        path = os.path.join(root, folder)
        if os.path.isfile(path):
            yield path
        for inside, _, names in os.walk(path):
            yield from (os.path.join(inside, name) for name in sorted(names))


def main(root, folders):
    wrong = 0
    for path in files_in(root, folders or FOLDERS + COMMENTS_ALONE):
        if not path.endswith((".h", ".cc", ".c", ".md")):
            continue
        text = open(path, encoding="utf-8").read()
        strings = os.path.relpath(path, root).split(os.sep)[0] not in COMMENTS_ALONE
        for first, prose in prose_of_document(text) if path.endswith(".md") else prose_of_source(text, strings):
            for number, line in enumerate(prose.splitlines(), first):
                for found in BANNED.finditer(line):
                    wrong += 1
                    print(f"{os.path.relpath(path, root)}:{number}: {found.group()}: {line.strip()[:150]}")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
