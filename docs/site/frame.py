"""What is around the body of each page: navigation, search, links to the neighbours."""
import html
import pathlib
import string

from links import relative


class Frame:
    """Of a site whose navigation has these pages."""

    def __init__(self, pages):
        self._pages = pages
        self._template = string.Template(pathlib.Path(__file__).with_name("page.html").read_text(encoding="utf-8"))

    def around(self, page, title, body, inside="", within=None):
        """The page as HTML. `inside` is the navigation within it, `within` the page of the navigation that it belongs to."""
        return self._template.substitute(title=html.escape(title), top=relative(".", page.output),
                                         navigation=self._navigation(page, within or page, inside), body=body,
                                         neighbours=self._neighbours(page))

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
        if at > 0:
            before = self._pages[at - 1]
            parts.append(f'<a rel="prev" href="{relative(before.output, page.output)}">← {html.escape(before.title)}</a>')
        if at + 1 < len(self._pages):
            behind = self._pages[at + 1]
            parts.append(f'<a rel="next" href="{relative(behind.output, page.output)}">{html.escape(behind.title)} →</a>')
        return "".join(parts)


def sections(items):
    """The navigation within a page, of the id, title and level of each section; empty without any."""
    rows = "".join(f'<li class="level{level}"><a href="#{html.escape(identity)}">{html.escape(title)}</a></li>' for identity, title, level in items)
    return f"<ul>{rows}</ul>" if rows else ""
