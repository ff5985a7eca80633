"""The public headers and their names, of Doxygen's XML."""
import dataclasses
import re
import xml.etree.ElementTree as xml

# Where headers are, what they are for, and what a program is linked with.
LIBRARIES = [
    ("libtrace-write/include/", "Recording", "evtrace::write"),
    ("format-spec/include/", "What both sides share", "evtrace::write"),
    ("libtrace-read/core/include/", "Reading", "evtrace::read"),
    ("libtrace-read/edit/include/", "Merging, cutting, recoding", "evtrace::read"),
    ("libtrace-read/analyze/include/", "Analyses", "evtrace::read"),
    ("libtrace-read/export/include/", "Other forms and tables", "evtrace::read"),
    ("libtrace-read/report/include/", "Analyses as tables", "evtrace::read"),
    ("libtrace-read/c/include/", "Reading in C, for other languages", "-levtrace-reader"),
]
CLASSES = ("class", "struct", "union", "concept")
MEMBERS = ("function", "variable", "typedef", "enum", "define", "friend")


@dataclasses.dataclass
class Name:
    """What a header declares: an element compounddef of Doxygen's, with members, or memberdef."""
    element: xml.Element
    title: str  # without the namespace evt; empty: an enumeration without a name
    anchor: str = ""  # the title, with a number behind it if others of the page have the same
    members: list = dataclasses.field(default_factory=list)

    @property
    def kind(self):
        return self.element.get("kind")

    @property
    def is_class(self):
        return self.kind in CLASSES

    @property
    def file(self):
        location = self.element.find("location")
        return location.get("declfile") or location.get("file")

    @property
    def line(self):
        location = self.element.find("location")
        return int(location.get("declline") or location.get("line"))

    def values(self):
        """Of an enumeration: each value that is not the header's own, with its anchor; of what is none nothing."""
        for value in self.element.findall("enumvalue"):
            own = value.findtext("name")
            if not own.endswith("_"):
                yield value, f"{self.anchor}::{own}" if self.element.get("strong") == "yes" else own


class Header:
    def __init__(self, element):
        self.element = element
        self.path = element.find("location").get("file")
        self.number = next((i for i, library in enumerate(LIBRARIES) if self.path.startswith(library[0])), None)
        if self.number is None:
            raise SystemExit(f"{self.path}: is in no folder that docs/site/headers.py lists")
        folder, _, self.target = LIBRARIES[self.number]
        self.include = self.path.removeprefix(folder)
        self.output = f"reference/{self.include}.html"
        self.names = []  # in the order of their lines

    def all_names(self):
        for name in self.names:
            yield name
            yield from name.members


def headers_of(folder):
    """Of the folder with Doxygen's XML, in the order of LIBRARIES."""
    headers, classes, members = {}, [], {}
    for path in sorted(folder.glob("*.xml")):
        for compound in xml.parse(path).getroot().iter("compounddef"):
            kind = compound.get("kind")
            if kind == "file":
                header = Header(compound)
                headers[header.path] = header
            if kind in ("file", "namespace"):
                # Doxygen has some in both.
                members |= {member.get("id"): member for member in compound.iter("memberdef")}
            elif kind in CLASSES:
                classes.append(compound)
    names = [Name(each, _without_namespace(each.findtext("compoundname")), members=_members_of(each)) for each in classes]
    names += [Name(each, _without_namespace(each.findtext("qualifiedname") or each.findtext("name"))) for each in members.values()]
    for name in names:
        if name.file in headers and _is_public(name):
            headers[name.file].names.append(name)
    for header in headers.values():
        # In C a structure and the typedef of the same name are one.
        types = {name.title for name in header.names if name.is_class or name.kind == "enum"}
        header.names = sorted((name for name in header.names if name.kind != "typedef" or name.title not in types), key=lambda name: name.line)
        _give_anchors(header)
    return sorted(headers.values(), key=lambda header: (header.number, header.include))


def _members_of(compound):
    title = _without_namespace(compound.findtext("compoundname"))
    names = (Name(member, _without_number(f"{title}::{member.findtext('name')}")) for member in compound.iter("memberdef"))
    return sorted(filter(_is_public, names), key=lambda name: name.line)


def _is_public(name):
    if name.element.get("prot") in ("private", "protected") or name.kind not in (*CLASSES, *MEMBERS):
        return False
    if name.kind == "enum":
        return any(name.values())
    return name.kind != "friend" or bool(name.element.findtext("argsstring"))  # a class is befriended, a function is declared


def _without_namespace(name):
    return _without_number(name.removeprefix("evt::"))


def _without_number(name):
    """Doxygen numbers enumerations that have no name: @7."""
    return "" if "@" in name else name


def _give_anchors(header):
    used = {}
    for name in header.all_names():
        if name.title:
            name.anchor = re.sub(r"[^\w:<>=!+*\-~]", "", name.title)
            used[name.anchor] = used.get(name.anchor, 0) + 1
            if used[name.anchor] > 1:
                name.anchor += f"-{used[name.anchor]}"
