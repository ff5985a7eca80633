#!/usr/bin/env python3
"""Makes the site of the documents and the reference: build.py ROOT XML OUTPUT

ROOT is the repository, XML what Doxygen made of its headers, OUTPUT a folder that is made anew. Needs cmark-gfm and Pygments.
Prints the path of the front page.
"""
import html
import json
import pathlib
import shutil
import string
import sys

import highlight
import pages
from document import Document
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
        self._template = string.Template((HERE / "page.html").read_text(encoding="utf-8"))
        self._documents = list(pages.documents(root))
        self._headers = headers_of(xml)
        self._reference = Reference(root, self._headers)
        self._cpp = pages.Page(REFERENCE, "C++ and C", "reference/index.html")
        self._python = pages.Page(REFERENCE, "Python", "reference/python.html")
        self._pages = [*self._documents, self._cpp, self._python]
        self._links = Links(root, output, self._pages + [_page_of(header) for header in self._headers])
        self._index = []  # of the search: title, where it is, link, text

    def make(self):
        shutil.rmtree(self._output, ignore_errors=True)
        self._output.mkdir(parents=True)
        for page in self._documents:
            self._document(page)
        self._write(self._cpp, self._reference.index(self._cpp.output), "")
        for header in self._headers:
            self._header(header)
        python = PythonReference(self._root / "python/evtrace")
        body = python.body()
        self._write(self._python, body, _list((name, name, 2) for name, kind in python.names if kind != "member"))
        for name, kind in python.names:
            self._index.append([name, f"{kind}, Python", f"{self._python.output}#{name}", ""])
        for source, place in sorted(self._links.files.items()):
            self._source(source, place)
        for name in ("site.css", "site.js"):
            shutil.copyfile(HERE / name, self._output / name)
        (self._output / "search.js").write_text("window.searchIndex = " + json.dumps(self._index, ensure_ascii=False, separators=(",", ":")) + ";\n",
                                                encoding="utf-8")

    def _document(self, page):
        text = (self._root / page.source).read_text(encoding="utf-8")
        document = Document(text, lambda target: self._links.resolved(target, page.source, page.output))
        self._write(page, document.body, _list((section["id"], section["title"], section["level"])
                                               for section in document.sections if section["level"] in (2, 3)))
        for section in document.sections:
            self._index.append([section["title"], page.title, f'{page.output}#{section["id"]}', section["text"]])

    def _header(self, header):
        self._write(_page_of(header), self._reference.page_of(header), _list((name.anchor, name.title, 2) for name in listed(header)), self._cpp)
        self._index.append([header.include, "header", header.output, ""])
        for name in header.all_names():
            if name.title:
                self._index.append([name.title, f"{name.kind}, {header.include}", f"{header.output}#{name.anchor}", ""])
            for _, anchor in name.values():
                self._index.append([anchor, f"value, {header.include}", f"{header.output}#{anchor}", ""])

    def _source(self, source, place):
        at = self._root / source
        if at.is_dir():
            rows = [self._file_row(source, path, place) for path in sorted(at.iterdir()) if not path.name.startswith((".", "__"))]
            body = f"<ul>{''.join(rows)}</ul>"
        else:
            body = highlight.file(at.read_text(encoding="utf-8"), at.name)
        self._write(pages.Page("", source, place, source), f"<h1><code>{html.escape(source)}</code></h1>{body}", "")

    def _file_row(self, folder, path, place):
        name = html.escape(path.name) + ("/" if path.is_dir() else "")
        target = self._links.place_of(f"{folder}/{path.name}")
        return f"<li><code>{f'<a href={chr(34)}{relative(target, place)}{chr(34)}>{name}</a>' if target else name}</code></li>"

    def _write(self, page, body, inside, within=None):
        """`inside` is the navigation within the page, `within` the page of the navigation that this one belongs to."""
        current = within or page
        path = self._output / page.output
        path.parent.mkdir(parents=True, exist_ok=True)
        title = "evtrace" if page.source == pages.FRONT_PAGE else f"{page.title} · evtrace"
        path.write_text(self._template.substitute(
            title=html.escape(title), top=relative(".", page.output), navigation=self._navigation(page, current, inside), body=body,
            neighbours=self._neighbours(page)), encoding="utf-8")

    def _navigation(self, page, current, inside):
        parts, group = [], ""
        for each in self._pages:
            if each.group != group:
                parts.append(f"{'</ul>' if group else ''}<h2>{each.group}</h2><ul>")
                group = each.group
            here = ' aria-current="page"' if each == page else ' class="within"' if each == current else ""
            parts.append(f'<li><a href="{relative(each.output, page.output)}"{here}>{html.escape(each.title)}</a>'
                         f'{inside if each == current else ""}</li>')
        return "".join(parts) + "</ul>"

    def _neighbours(self, page):
        if page not in self._pages:
            return ""
        at = self._pages.index(page)
        parts = []
        for step, name in ((-1, "prev"), (1, "next")):
            if 0 <= at + step < len(self._pages):
                other = self._pages[at + step]
                arrow = ("← " if step < 0 else "") + html.escape(other.title) + (" →" if step > 0 else "")
                parts.append(f'<a rel="{name}" href="{relative(other.output, page.output)}">{arrow}</a>')
        return "".join(parts)


def _page_of(header):
    return pages.Page(REFERENCE, header.include, header.output, header.path)


def _list(sections):
    """The navigation within a page, of the id, title and level of each section; empty without any."""
    items = "".join(f'<li class="level{level}"><a href="#{html.escape(identity)}">{html.escape(title)}</a></li>' for identity, title, level in sections)
    return f"<ul>{items}</ul>" if items else ""


def main(root, xml, output):
    Site(root, xml, output).make()
    print(output / "index.html")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*map(pathlib.Path, sys.argv[1:]))
