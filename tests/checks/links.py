#!/usr/bin/env python3
"""Links lead somewhere: links.py ROOT

Looks at the documents (.md) below ROOT, which is the repository: each relative link is of a file or a folder that is there, and what
follows a # is the id that GitHub gives a heading of it. Prints each link that does not lead there; the exit status is 1 if there is
any, or no link at all.
"""
import pathlib
import re
import sys
import urllib.parse

FENCE = re.compile(r"^(```+|~~~+).*?^\1\s*$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]*(?:\([^()]*\))?[^()\s]*)\)|(?:src|srcset|href)=\"([^\"]+)\"")
HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE)
ELSEWHERE = ("http:", "https:", "mailto:")
NOT_OURS = {"build", ".git"}


def without_code(text):
    """With as many lines as before."""
    text = FENCE.sub(lambda found: "\n" * found[0].count("\n"), text)
    return re.sub(r"`[^`]*`", lambda found: "``" + "\n" * found[0].count("\n"), text)


class Documents:
    def __init__(self, root):
        self.root = root
        self._anchors = {}

    def links(self):
        """Path, line and target of each."""
        for path in sorted(self.root.rglob("*.md")):
            if path.relative_to(self.root).parts[0] not in NOT_OURS:
                text = without_code(path.read_text(encoding="utf-8"))
                for found in LINK.finditer(text):
                    yield path, text.count("\n", 0, found.start()) + 1, found[1] or found[2] or ""

    def problem(self, path, target):
        """Why a link of the document at this path leads nowhere; empty if it does not."""
        if target.startswith(ELSEWHERE):
            return ""
        name, _, anchor = urllib.parse.unquote(target).partition("#")
        file = path.parent / name if name else path
        if not file.exists() or not file.resolve().is_relative_to(self.root.resolve()):
            return "there is no such file"
        if anchor and anchor not in self._anchors_of(file):
            return f"{file.relative_to(path.parent) if name else 'it'} has no heading of the id {anchor}"
        return ""

    def _anchors_of(self, file):
        if file.suffix != ".md":
            return set()
        if file not in self._anchors:
            anchors = set()
            for title in HEADING.findall(FENCE.sub("", file.read_text(encoding="utf-8"))):
                words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", title).lower()
                slug = "".join(letter for letter in words if letter.isalnum() or letter in "_- ").replace(" ", "-")
                number, unique = 0, slug
                while unique in anchors:
                    number += 1
                    unique = f"{slug}-{number}"
                anchors.add(unique)
            self._anchors[file] = anchors
        return self._anchors[file]


def main(root):
    documents = Documents(root)
    count, problems = 0, []
    for path, line, target in documents.links():
        count += 1
        if problem := documents.problem(path, target):
            problems.append(f"{path.relative_to(root)}:{line}: {target}: {problem}")
    print("\n".join(problems) or f"{count} links lead somewhere")
    return 1 if problems or count == 0 else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(pathlib.Path(sys.argv[1])))
