#!/usr/bin/env python3
"""Makes the site of the documents and the reference: build.py ROOT XML OUTPUT

ROOT is the repository, XML what Doxygen made of its headers, OUTPUT a folder that is made anew. Needs cmark-gfm and Pygments.
Prints the path of the front page.
"""
import html
import json
import pathlib
import shutil
import sys

import highlight
import pages
from document import Document
from frame import Frame, sections
from headers import headers_of
from links import Links, relative
from python_reference import PythonReference
from reference import Reference, listed

HERE = pathlib.Path(__file__).parent
REFERENCE = "Reference"


class Site:
    def __init__(self, root, xml, output):
        self._root = root
        self._output = output
        self._documents = list(pages.documents(root))
        self._headers = headers_of(xml)
        self._cpp = pages.Page(REFERENCE, "C++ and C", "reference/index.html")
        self._python = pages.Page(REFERENCE, "Python", "reference/python.html")
        navigation = [*self._documents, self._cpp, self._python]
        self._frame = Frame(navigation)
        self._links = Links(root, output, navigation + [_page_of(header) for header in self._headers])
        self._index = []  # of the search: title, where it is, link, text

    def make(self):
        shutil.rmtree(self._output, ignore_errors=True)
        self._output.mkdir(parents=True)
        for page in self._documents:
            self._document(page)
        self._reference()
        self._python_reference()
        for source, place in sorted(self._links.files.items()):
            self._file(source, place)
        for name in ("site.css", "site.js"):
            shutil.copyfile(HERE / name, self._output / name)
        index = json.dumps(self._index, ensure_ascii=False, separators=(",", ":"))
        (self._output / "search.js").write_text(f"window.searchIndex = {index};\n", encoding="utf-8")

    def _document(self, page):
        text = (self._root / page.source).read_text(encoding="utf-8")
        document = Document(text, lambda target: self._links.resolved(target, page.source, page.output))
        inside = sections((section["id"], section["title"], section["level"]) for section in document.sections if section["level"] in (2, 3))
        self._write(page, document.body, inside)
        self._index += [[section["title"], page.title, f'{page.output}#{section["id"]}', section["text"]] for section in document.sections]

    def _reference(self):
        reference = Reference(self._root, self._headers)
        self._write(self._cpp, reference.index(self._cpp.output))
        for header in self._headers:
            inside = sections((name.anchor, name.title, 2) for name in listed(header))
            self._write(_page_of(header), reference.page_of(header), inside, self._cpp)
            self._index.append([header.include, "header", header.output, ""])
            for name in header.all_names():
                if name.title:
                    self._index.append([name.title, f"{name.kind}, {header.include}", f"{header.output}#{name.anchor}", ""])
                self._index += [[anchor, f"value, {header.include}", f"{header.output}#{anchor}", ""] for _, anchor in name.values()]

    def _python_reference(self):
        reference = PythonReference(self._root / "python/evtrace")
        body = reference.body()
        self._write(self._python, body, sections((name, name, 2) for name, kind in reference.names if kind != "member"))
        self._index += [[name, f"{kind}, Python", f"{self._python.output}#{name}", ""] for name, kind in reference.names]

    def _file(self, source, place):
        at = self._root / source
        if at.is_dir():
            names = (path for path in sorted(at.iterdir()) if not path.name.startswith((".", "__")))
            body = f"<ul>{''.join(self._entry(source, path, place) for path in names)}</ul>"
        else:
            body = highlight.file(at.read_text(encoding="utf-8"), at.name)
        self._write(pages.Page("", source, place, source), f"<h1><code>{html.escape(source)}</code></h1>{body}")

    def _entry(self, folder, path, place):
        """Of a folder's page: a file or folder in it, as a link if it has a page."""
        name = html.escape(path.name) + ("/" if path.is_dir() else "")
        target = self._links.place_of(f"{folder}/{path.name}")
        return f'<li><code><a href="{relative(target, place)}">{name}</a></code></li>' if target else f"<li><code>{name}</code></li>"

    def _write(self, page, body, inside="", within=None):
        title = "evtrace" if page.source == pages.FRONT_PAGE else f"{page.title} · evtrace"
        path = self._output / page.output
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self._frame.around(page, title, body, inside, within), encoding="utf-8")


def _page_of(header):
    return pages.Page(REFERENCE, header.include, header.output, header.path)


def main(root, xml, output):
    Site(root, xml, output).make()
    print(output / "index.html")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*map(pathlib.Path, sys.argv[1:]))
