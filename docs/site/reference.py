"""The reference of the headers in C and C++: a page for each, and one that lists all."""
import html
import itertools

import highlight
from comments import Comments
from headers import LIBRARIES
from links import relative
from signature import Signatures


class Reference:
    def __init__(self, root, headers):
        self._headers = headers
        self._signatures = Signatures(root)
        self._comments = Comments(self._link_of)
        self._page = ""  # that links are on
        self._places = {}  # id of Doxygen's -> header, anchor
        for header in headers:
            for name in header.all_names():
                self._places[name.element.get("id")] = (header, name.anchor)
                self._places |= {value.get("id"): (header, anchor) for value, anchor in name.values()}

    def page_of(self, header):
        self._page = header.output
        return "\n".join([f"<h1>{header.include}</h1>", highlight.block(f"#include <{header.include}>\n", "cpp"),
                          f'<p class="target">Link with <code>{header.target}</code></p>', self._comments.of(header.element),
                          *self._sections(header.names, 2)])

    def index(self, page):
        """The body of the page that lists all headers, with their names."""
        self._page = page
        body = ["<h1>Reference: C++ and C</h1>"]
        for number, (folder, title, target) in enumerate(LIBRARIES):
            identity = folder.split("/include")[0].replace("/", "-")
            rows = "".join(self._row(header) for header in self._headers if header.number == number)
            body.append(f'<h2 id="{identity}">{title}</h2><p class="target">Link with <code>{target}</code></p>'
                        f'<div class="wide headers" tabindex="0"><table>{rows}</table></div>')
        return "\n".join(body)

    def _row(self, header):
        place = relative(header.output, self._page)
        names = " ".join(f'<a href="{place}#{html.escape(name.anchor)}">{html.escape(name.title)}</a>' for name in listed(header))
        return (f'<tr><td><a href="{place}"><code>{header.include}</code></a></td>'
                f'<td>{html.escape(self._comments.summary_of(header.element))}<div class="names">{names}</div></td></tr>')

    def _link_of(self, identity):
        header, anchor = self._places.get(identity, (None, ""))
        return html.escape(f"{relative(header.output, self._page)}#{anchor}") if header and anchor else ""

    def _sections(self, names, level):
        """Classes and enumerations with headings of their own; variables in tables; other names in blocks of neighbours."""
        for kind, group in itertools.groupby(names, lambda name: "class" if name.is_class else name.kind):
            if kind == "class":
                yield from (self._class(name, level) for name in group)
            elif kind == "enum":
                yield from (self._enumeration(name, level) for name in group)
            elif kind == "variable":
                yield _table((name.anchor, self._signatures.of(name), self._comments.of(name.element)) for name in group)
            else:
                yield from self._blocks(group)

    def _class(self, name, level):
        body = [_heading(name, name.title, level), self._comments.of(name.element)]
        bases = [base.text for base in name.element.findall("basecompoundref") if base.get("prot") == "public"]
        if bases:
            body.append(f"<p>Is a {html.escape(', '.join(bases))}.</p>")
        if name.kind == "concept":
            body.append(highlight.block(" ".join(name.element.findtext("initializer").split()) + "\n", "cpp"))
        return "\n".join(body + list(self._sections(name.members, level + 1)))

    def _enumeration(self, name, level):
        """Its values: in a table if they have comments, else in a block of code."""
        values = [(anchor, f"{value.findtext('name')} {value.findtext('initializer') or ''}".strip(), self._comments.of(value))
                  for value, anchor in name.values()]
        title = name.title or ", ".join(value.findtext("name") for value, _ in name.values())
        shown = _table(values) if any(comment for _, _, comment in values) else _block([value[:2] for value in values])
        return "\n".join([_heading(name, title, level), self._comments.of(name.element), shown])

    def _blocks(self, names):
        """Each name with its declaration; one without a comment, in the line behind another's declaration, is in its block."""
        lines, comment, last = [], "", -2
        for name in names:
            own, text = self._comments.of(name.element), self._signatures.of(name)
            if lines and (own or name.line != last + 1):
                yield _block(lines, comment)
                lines = []
            comment = comment if lines else own
            lines.append((name.anchor, text))
            last = name.line + text.count("\n")
        if lines:
            yield _block(lines, comment)


def listed(header):
    """The names that a list of the header has: of those that are overloaded the first."""
    return [name for name in header.names if name.anchor and name.anchor == name.title]


def _heading(name, title, level):
    anchor = html.escape(name.anchor)
    identity = f' id="{anchor}"' if anchor else ""
    link = f'<a class="anchor" href="#{anchor}" aria-label="link to this name">#</a>' if anchor else ""
    return f"<h{level}{identity}><small>{name.kind}</small> {html.escape(title)}{link}</h{level}>"


def _block(lines, comment=""):
    """A block of code whose lines are anchors and code."""
    code = "".join(f'<span id="{html.escape(anchor)}">{highlight.inline(text)}</span>' for anchor, text in lines)
    return f'<div class="member"><pre tabindex="0"><code>{code}</code></pre>{comment}</div>'


def _table(rows):
    """Of anchors, code and comments."""
    body = "".join(f'<tr id="{html.escape(anchor)}"><td><code>{highlight.inline(text).strip()}</code></td><td>{comment}</td></tr>'
                   for anchor, text, comment in rows)
    return f'<div class="wide variables" tabindex="0"><table>{body}</table></div>'
