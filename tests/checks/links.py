#!/usr/bin/env python3
"""Links lead somewhere: links.py ROOT [SITE]

Looks at the documents (.md) below ROOT, which is the repository: each relative link is of a file or a folder that is there, and what
follows a # is the id that GitHub gives a heading of it. With SITE, the folder of the site of ./dev docs, also at its pages: each link,
picture and entry of its search leads to a file in it, and to an id of that; each page is linked from another. Prints each link that
does not; the exit status is 1 if there is any, or no link at all.
"""
import html.parser
import json
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


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.targets, self.repeated = set(), [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                if value in self.ids:
                    self.repeated.append(value)
                self.ids.add(value)
            elif name in ("href", "src", "srcset"):
                self.targets.append(value)


class Site:
    def __init__(self, folder):
        self.folder = folder.resolve()
        self.pages = {path: Page(path) for path in sorted(self.folder.rglob("*.html"))}
        self.linked = {self.folder / "index.html"}

    def links(self):
        """Page and target of each; of the search, as from the folder."""
        for path, page in self.pages.items():
            for target in page.targets:
                yield path, target
        index = self.folder / "search.js"
        if not index.exists():
            raise SystemExit(f"{index}: is not there, so this is not the site of ./dev docs")
        for _, _, target, _ in json.loads(index.read_text(encoding="utf-8").partition("=")[2].strip().rstrip(";")):
            yield self.folder / "search.js", target

    def problem(self, path, target):
        if target.startswith(ELSEWHERE):
            return ""
        name, _, anchor = target.partition("#")
        file = (path.parent / urllib.parse.unquote(name)).resolve() if name else path
        if not file.is_file() or not file.is_relative_to(self.folder):
            return "there is no such file in the site"
        if file != path:
            self.linked.add(file)
        if anchor and (file not in self.pages or urllib.parse.unquote(anchor) not in self.pages[file].ids):
            return f"that page has no id {anchor}"
        return ""


def main(root, site_folder):
    documents = Documents(root)
    count, problems = 0, []
    for path, line, target in documents.links():
        count += 1
        if problem := documents.problem(path, target):
            problems.append(f"{path.relative_to(root)}:{line}: {target}: {problem}")
    if site_folder:
        site = Site(site_folder)
        for path, target in site.links():
            count += 1
            if problem := site.problem(path, target):
                problems.append(f"{path.relative_to(site.folder)}: {target}: {problem}")
        for path, page in site.pages.items():
            problems += [f"{path.relative_to(site.folder)}: the id {each} is there twice" for each in page.repeated]
            if path not in site.linked:
                problems.append(f"{path.relative_to(site.folder)}: no page links to it")
    print("\n".join(problems) or f"{count} links lead somewhere")
    return 1 if problems or count == 0 else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else None))
