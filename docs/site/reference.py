"""The reference of the headers in C and C++, of Doxygen's XML: a page for each header, and one that lists all."""
import dataclasses
import html
import itertools
import re
import xml.etree.ElementTree as xml

import highlight
from comments import Comments
from links import relative
from signature import Signatures

LIBRARIES = [
    ("libtrace-write/include/", "Recording", "evtrace::write"),
    ("format-spec/include/", "What both sides share", "evtrace::write and evtrace::read"),
    ("libtrace-read/core/include/", "Reading", "evtrace::read"),
    ("libtrace-read/edit/include/", "Merging, cutting, recoding", "evtrace::read"),
    ("libtrace-read/analyze/include/", "Analyses", "evtrace::read"),
    ("libtrace-read/export/include/", "Other forms and tables", "evtrace::read"),
    ("libtrace-read/report/include/", "Analyses as tables", "evtrace::read"),
    ("libtrace-read/c/include/", "Reading in C, for other languages", "evtrace-reader"),
]
CLASSES = ("class", "struct", "union")
MEMBERS = ("function", "variable", "typedef", "enum", "define", "friend")


@dataclasses.dataclass
class Name:
    """One name of a header, and where it is described."""
    element: xml.Element
    line: int
    anchor: str = ""
    members: list = dataclasses.field(default_factory=list)

    @property
    def is_class(self):
        return self.element.tag == "compounddef"


class Header:
    def __init__(self, path):
        folder, self.title, self.target = next((each for each in LIBRARIES if path.startswith(each[0])), ("", "", ""))
        if not folder:
            raise SystemExit(f"{path}: is in no folder that docs/site/reference.py lists")
        self.path = path
        self.include = path.removeprefix(folder)
        self.output = f"reference/{self.include}.html"
        self.names = []  # in the order of the lines
        self.element = None


class Reference:
    def __init__(self, root, folder):
        self._signatures = Signatures(root)
        self._page = ""
        self._comments = Comments(self._link_of)
        self._headers = {}
        self._places = {}  # id of Doxygen's -> header, anchor
        self._read(folder)
        order = [each[0] for each in LIBRARIES]
        self.headers = sorted(self._headers.values(), key=lambda header: (
            next(i for i, prefix in enumerate(order) if header.path.startswith(prefix)), header.include))

    def names_of(self, header):
        """Each anchor of a header's page with what its name is; an enumeration without a name has an empty one."""
        for name in header.names:
            yield name.anchor, name.element.get("kind")
            for member in name.members:
                yield member.anchor, member.element.get("kind")
            for each in (name, *name.members):
                for value in _values(each.element):
                    yield _anchor_of_value(each, value), "value"

    def page_of(self, header):
        self._page = header.output
        self._header = header
        body = [f"<h1>{header.include}</h1>", highlight.block(f"#include <{header.include}>\n", "cpp"),
                f'<p class="target">Link <code>{header.target}</code></p>', self._comments.of(header.element)]
        body += self._sections(header.names, 2)
        return "\n".join(body)

    def index(self, page):
        """The body of the page that lists all headers, with all their names."""
        self._page = page
        body = ["<h1>Reference: C++ and C</h1>"]
        for folder, title, target in LIBRARIES:
            body.append(f'<h2 id="{folder.split("/include")[0].replace("/", "-")}">{title}</h2><p class="target">Link <code>{target}</code></p>'
                        '<div class="wide headers" tabindex="0"><table>')
            for header in self.headers:
                if header.path.startswith(folder):
                    place = relative(header.output, page)
                    names = " ".join(f'<a href="{place}#{name.anchor}">{name.anchor}</a>' for name in header.names if name.anchor)
                    body.append(f'<tr><td><a href="{place}"><code>{header.include}</code></a></td>'
                                f'<td>{html.escape(self._comments.summary_of(header.element))}<div class="names">{names}</div></td></tr>')
            body.append("</table></div>")
        return "\n".join(body)

    def _read(self, folder):
        members = {}
        classes = []
        for path in sorted(folder.glob("*.xml")):
            for compound in xml.parse(path).getroot().iter("compounddef"):
                kind = compound.get("kind")
                if kind == "file":
                    self._headers[compound.find("location").get("file")] = header = Header(compound.find("location").get("file"))
                    header.element = compound
                if kind in ("file", "namespace"):
                    members |= {member.get("id"): member for member in compound.iter("memberdef")}
                elif kind in (*CLASSES, "concept"):
                    classes.append(compound)
        for compound in classes:
            self._add(compound, compound.findtext("compoundname").removeprefix("evt::"))
        for member in members.values():
            self._add(member, re.sub(r"^evt::", "", member.findtext("qualifiedname") or member.findtext("name")))
        for header in self._headers.values():
            classes = {name.anchor for name in header.names if name.element.get("kind") in (*CLASSES, "enum")}
            # In C a structure and the typedef of the same name are one.
            header.names = sorted((name for name in header.names if name.element.get("kind") != "typedef" or name.anchor not in classes),
                                  key=lambda name: name.line)
            used = {}
            for name in header.names:
                self._place(header, name, used)
                for member in name.members:
                    self._place(header, member, used)

    def _add(self, element, anchor):
        location = element.find("location")
        header = self._headers.get(location.get("declfile") or location.get("file"))
        if header is None or element.get("prot") in ("private", "protected") or element.get("kind") not in (*CLASSES, *MEMBERS, "concept"):
            return
        if element.get("kind") == "enum" and not any(_values(element)):
            return
        name = Name(element, int(location.get("declline") or location.get("line")), anchor if "@" not in anchor else "")
        if name.is_class:
            for member in element.iter("memberdef"):
                if member.get("prot") == "public" and member.get("kind") in MEMBERS and not _befriends(member):
                    own = member.findtext("name")
                    place = member.find("location")
                    name.members.append(Name(member, int(place.get("declline") or place.get("line")), f"{anchor}::{own}" if "@" not in own else ""))
            name.members.sort(key=lambda member: member.line)
        header.names.append(name)

    def _place(self, header, name, used):
        if name.anchor:
            name.anchor = re.sub(r"[^\w:<>=!+*\-~]", "", name.anchor)
            count = used[name.anchor] = used.get(name.anchor, 0) + 1
            name.anchor += f"-{count}" if count > 1 else ""
        self._places[name.element.get("id")] = (header, name.anchor)
        for value in _values(name.element):
            self._places[value.get("id")] = (header, _anchor_of_value(name, value))

    def _link_of(self, identity):
        header, anchor = self._places.get(identity, (None, ""))
        if header is None:
            return ""
        return html.escape(relative(header.output, self._page) + (f"#{anchor}" if anchor else ""))

    def _sections(self, names, level):
        """Classes and enumerations with headings of their own; variables in tables; other names in blocks of neighbours."""
        for kind, group in itertools.groupby(names, _kind_of_section):
            if kind == "class":
                yield from (self._class(name, level) for name in group)
            elif kind == "enum":
                yield from (self._enumeration(name, level) for name in group)
            elif kind == "variable":
                yield self._variables(group)
            else:
                yield from self._groups(group)

    def _heading(self, name, level):
        kind = name.element.get("kind")
        title = html.escape(name.anchor) or ", ".join(value.findtext("name") for value in _values(name.element))
        identity = f' id="{html.escape(name.anchor)}"' if name.anchor else ""
        link = f'<a class="anchor" href="#{html.escape(name.anchor)}" aria-label="link to this name">#</a>' if name.anchor else ""
        return f'<h{level}{identity}><small>{kind}</small> {title}{link}</h{level}>'

    def _class(self, name, level):
        body = [self._heading(name, level), self._comments.of(name.element)]
        bases = [base.text for base in name.element.findall("basecompoundref") if base.get("prot") == "public"]
        if bases:
            body.append(f"<p>Is a {html.escape(', '.join(bases))}.</p>")
        if name.element.get("kind") == "concept":
            body.append(highlight.block(" ".join((name.element.findtext("initializer") or "").split()) + "\n", "cpp"))
        return "\n".join(body + list(self._sections(name.members, level + 1)))

    def _enumeration(self, name, level):
        """Its values: those with comments in a table, else in a block of code."""
        head = [self._heading(name, level), self._comments.of(name.element)]
        values = [(html.escape(_anchor_of_value(name, value)), f"{value.findtext('name')} {value.findtext('initializer') or ''}".strip(),
                   self._comments.of(value)) for value in _values(name.element)]
        if any(comment for _, _, comment in values):
            return "\n".join(head + [_table((anchor, highlight.inline(text), comment) for anchor, text, comment in values)])
        return "\n".join(head + [_block((anchor, highlight.inline(text)) for anchor, text, _ in values)])

    def _variables(self, names):
        return _table((html.escape(name.anchor), highlight.inline(self._signatures.of(name.element)), self._comments.of(name.element)) for name in names)

    def _groups(self, names):
        """Each name with its declaration; one without a comment, in the line behind another's declaration, is in its block."""
        block, comment, last = [], "", -2
        for name in names:
            own = self._comments.of(name.element)
            text = self._signatures.of(name.element)
            if block and (own or name.line != last + 1):
                yield _block(block, comment)
                block = []
            comment = own if not block else comment
            block.append((html.escape(name.anchor), highlight.inline(text)))
            last = name.line + text.count("\n")
        if block:
            yield _block(block, comment)


def _block(lines, comment=""):
    """A block of code of which each line has its anchor."""
    code = "".join(f'<span id="{anchor}">{text}</span>' for anchor, text in lines)
    return f'<div class="member"><pre tabindex="0"><code>{code}</code></pre>{comment}</div>'


def _table(rows):
    """Of anchors, code and comments."""
    body = "".join(f'<tr id="{anchor}"><td><code>{code.strip()}</code></td><td>{comment}</td></tr>' for anchor, code, comment in rows)
    return f'<div class="wide variables" tabindex="0"><table>{body}</table></div>'


def _kind_of_section(name):
    kind = name.element.get("kind")
    return "class" if name.is_class else kind if kind in ("enum", "variable") else "other"


def _values(enumeration):
    """Those that are not the header's own; of another element none."""
    if enumeration.tag == "memberdef":
        yield from (value for value in enumeration.iter("enumvalue") if not value.findtext("name").endswith("_"))


def _anchor_of_value(name, value):
    return f"{name.anchor}::{value.findtext('name')}" if name.element.get("strong") == "yes" else value.findtext("name")


def _befriends(member):
    return member.get("kind") == "friend" and not member.findtext("argsstring")
