"""Descriptions of Doxygen's XML as HTML."""
import html
import textwrap

import highlight

_TAGS = {"para": "p", "computeroutput": "code", "emphasis": "em", "bold": "strong", "itemizedlist": "ul", "orderedlist": "ol",
         "listitem": "li", "superscript": "sup", "table": "table", "row": "tr", "entry": "td"}
_LETTERS = {"sp": " ", "ndash": "–", "mdash": "—", "linebreak": "<br>", "nonbreakablespace": " ", "anchor": "", "lsquo": "‘", "rsquo": "’",
            "plusmn": "±"}
_BLOCKS = {"itemizedlist", "orderedlist", "programlisting", "verbatim", "preformatted", "simplesect", "table"}


class Comments:
    """`link_of` makes a link of an id of Doxygen's, or nothing where the site has no such name."""

    def __init__(self, link_of):
        self._link_of = link_of

    def of(self, definition):
        """The description of an element memberdef, enumvalue or compounddef; empty without one."""
        parts = [definition.find("briefdescription"), definition.find("detaileddescription")]
        return "".join(self._inside(part) for part in parts if part is not None).strip()

    def summary_of(self, definition):
        """The first sentence, as text."""
        for part in ("briefdescription", "detaileddescription"):
            paragraph = definition.find(f"{part}/para")
            if paragraph is not None:
                text = paragraph.text or ""
                for child in paragraph:
                    if child.tag in _BLOCKS:
                        break
                    text += text_of(child) + (child.tail or "")
                return text.split(". ")[0].rstrip(" .:\n") + "."
        return ""

    def _inside(self, element):
        pieces = [html.escape(element.text or "", quote=False)]
        for child in element:
            pieces += [self._one(child), html.escape(child.tail or "", quote=False)]
        return "".join(pieces)

    def _one(self, element):
        tag = element.tag
        if tag in _LETTERS:
            return _LETTERS[tag]
        if tag == "ref":
            link = self._link_of(element.get("refid"))
            return f'<a href="{link}">{self._inside(element)}</a>' if link else self._inside(element)
        if tag == "ulink":
            return f'<a href="{html.escape(element.get("url"))}">{self._inside(element)}</a>'
        if tag in ("programlisting", "verbatim", "preformatted"):
            code = "".join(text_of(line) + "\n" for line in element) if tag == "programlisting" else text_of(element)
            return highlight.block(textwrap.dedent(code).strip("\n") + "\n", "cpp")
        if tag == "simplesect":
            return f"<p>{element.get('kind').capitalize()}:</p>{self._inside(element)}"
        if tag == "para" and any(child.tag in _BLOCKS for child in element):
            return self._mixed(element)
        if tag not in _TAGS:
            raise SystemExit(f"docs: a comment has what docs/site/comments.py does not know: <{tag}> {text_of(element)[:80]}")
        return f"<{_TAGS[tag]}>{self._inside(element)}</{_TAGS[tag]}>"

    def _mixed(self, paragraph):
        """A paragraph with blocks in it, which HTML does not have: the text between them becomes paragraphs."""
        pieces, text = [], html.escape(paragraph.text or "", quote=False)
        for child in paragraph:
            if child.tag in _BLOCKS:
                pieces += [f"<p>{text}</p>" if text.strip() else "", self._one(child)]
                text = ""
            else:
                text += self._one(child)
            text += html.escape(child.tail or "", quote=False)
        return "".join(pieces) + (f"<p>{text}</p>" if text.strip() else "")


def text_of(element):
    text = element.text or ""
    for child in element:
        text += (" " if child.tag in ("sp", "nonbreakablespace") else text_of(child)) + (child.tail or "")
    return text
