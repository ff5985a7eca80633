"""The site of the documents and the reference, by Sphinx: ./dev docs.

Its source folder has links to all that is in the repository. This file adds what has no document: a page for each public header,
of its comments as Doxygen read them, one that lists these, and one for the Python module.
"""
import ctypes
import logging
import pathlib
import re
import sys
import unittest.mock

from pygments.lexers.special import TextLexer

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SOURCE = ROOT / "build/docs/source"
# The navigation. A document that it lacks is an error.
DOCUMENTS = {
    "Start": ["docs/GUIDE", "docs/COOKBOOK", "docs/AUTOMATION"],
    "Guide": ["docs/guide/look", "docs/guide/find", "docs/guide/measure", "docs/guide/compare", "docs/guide/view", "docs/guide/parts",
              "docs/guide/convert", "docs/guide/damage", "docs/guide/run", "docs/guide/code", "docs/guide/record", "docs/guide/python", "docs/guide/tools",
              "docs/guide/words"],
    "Use": ["docs/FLEET", "docs/JSON", "docs/SCALE", "docs/SQL", "docs/TABLES"],
    "Format": ["The format <format-spec/FORMAT>", "The text form <format-spec/TEXT>", "Registry of numbers <format-spec/REGISTRY>",
               "Conformance <format-spec/conformance/README>", "Rationale <format-spec/RATIONALE>"],
    "Inside": ["docs/LIFE-OF-AN-EVENT", "Binary interface <docs/ABI>", "Faults <docs/FAULTS>", "SECURITY", "bench/README",
               "Archive of traces <testdata/README>", "testdata/eventlog/README", "CONTRIBUTING", "CHANGELOG"],
    "Reference": ["reference/headers", "reference/python"],
}
# Where public headers are, what they are for, and what a program is linked with.
LIBRARIES = [
    ("libtrace-write", "Recording", "evtrace::write"),
    ("format-spec", "What both sides share", "evtrace::write"),
    ("libtrace-read/core", "Reading", "evtrace::read"),
    ("libtrace-read/edit", "Merging, cutting, recoding", "evtrace::read"),
    ("libtrace-read/analyze", "Analyses", "evtrace::read"),
    ("libtrace-read/text", "Values as text", "evtrace::read"),
    ("libtrace-read/export", "Other forms and tables", "evtrace::read"),
    ("libtrace-read/report", "Analyses as tables", "evtrace::read"),
    ("libtrace-read/c", "Reading in C, for other languages", "-levtrace-reader"),
]
PUBLIC = ("briefdescription detaileddescription innernamespace innerclass define enum typedef func var user-defined public-type public-func "
          "public-static-func public-attrib public-static-attrib")

project = html_title = "evtrace"
extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc"]
root_doc = "README"
include_patterns = ["*.md", "docs/**.md", "format-spec/**.md", "bench/*.md", "testdata/**.md", "reference/**"]
html_theme = "furo"
html_copy_source = html_show_copyright = False
html_static_path = [str(HERE / "site.css"), "/usr/share/javascript/normalize.css/normalize.css"]
html_css_files = ["site.css"]
html_search_scorer = str(HERE / "scorer.js")
myst_heading_anchors = 6
breathe_projects = {project: str(ROOT / "build/docs/xml")}
breathe_default_project = project
default_role = "literal"
autodoc_default_options = {"members": True, "undoc-members": True, "imported-members": True, "member-order": "bysource"}
add_module_names = False

# The module is read without its library, which may not be built.
sys.path.insert(0, str(ROOT / "python"))
ctypes.CDLL = unittest.mock.MagicMock()


def write_page(name, title, body):
    page = SOURCE / "reference" / f"{name}.rst"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(f"{title}\n{'=' * len(title)}\n\n{body}\n", encoding="utf-8")


def write_reference():
    lists = []
    for folder, title, target in LIBRARIES:
        include = ROOT / folder / "include"
        headers = sorted(include.rglob("*.h"))
        names = [header.relative_to(include).as_posix() for header in headers]
        for name, header in zip(names, headers):
            write_page(name, name, f"Link with `{target}`.\n\n.. doxygenfile:: {header.relative_to(ROOT)}\n   :sections: {PUBLIC}")
        lists.append(f"{title}\n{'-' * len(title)}\n\nLink with `{target}`.\n\n.. toctree::\n\n" + "".join(f"   {name}\n" for name in names))
    write_page("headers", "C++ and C", "\n".join(lists))
    write_page("python", "Python", ".. automodule:: evtrace")


def is_in_doubt(record):
    """Not of what Sphinx takes for a repetition: a namespace that several headers open, a structure of C and its typedef."""
    message = record.getMessage()
    return "Duplicate C++ declaration" not in message and "Using fallback parser" not in message


def front_page(app, name, source):
    """Adds the navigation; chooses the picture as Furo does."""
    if name != root_doc:
        return
    text = re.sub(r'<picture>\s*<source [^>]*srcset="(.*?)">\s*<img src="(.*?)" alt="(.*?)">\s*</picture>',
                  r'```{image} \2\n:class: only-light\n:alt: "\3"\n```\n```{image} \1\n:class: only-dark\n:alt: "\3"\n```', source[0])
    for caption, documents in DOCUMENTS.items():
        text += "\n```{toctree}\n:hidden:\n:caption: " + caption + "\n" + "\n".join(documents) + "\n```\n"
    source[0] = text


def without_aliases(app, what, name, thing, options, lines):
    """What Python itself says of the fields of a named tuple."""
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()


def folder_link(app, env, node, content):
    """A folder has no page: its link is text."""
    target = pathlib.Path(env.doc2path(node["refdoc"])).parent / node["reftarget"]
    return content if target.is_dir() else None


def setup(app):
    for name in ("domains.cpp", "util.cfamily"):
        logging.getLogger(f"sphinx.sphinx.{name}").addFilter(is_in_doubt)
    app.add_lexer("evt-hex", TextLexer)
    app.connect("source-read", front_page)
    app.connect("autodoc-process-docstring", without_aliases)
    app.connect("missing-reference", folder_link)
    write_reference()
