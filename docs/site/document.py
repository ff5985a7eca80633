"""A document in Markdown as HTML: by cmark-gfm, as GitHub has it; with headings that have its ids, and links of the site."""
import html
import re
import subprocess

import highlight


def slug_of(text, used):
    """The id that GitHub gives a heading; `used` counts those of its document."""
    slug = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
    count = used.get(slug, 0)
    used[slug] = count + 1
    return f"{slug}-{count}" if count else slug


def text_of(markup):
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


class Document:
    """`body` is its HTML, `sections` are the level, id, title and text of each heading."""

    def __init__(self, text, link_of):
        """`link_of` makes a link of the site of one in the document."""
        self._link_of = link_of
        markup = subprocess.run(["cmark-gfm", "--unsafe", "-e", "table", "-e", "strikethrough", "-e", "autolink"], input=text,
                                stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
        markup = re.sub(r'<pre><code(?: class="language-([\w+-]+)")?>(.*?)</code></pre>', self._code, markup, flags=re.DOTALL)
        markup = re.sub(r'(<[^<>]* (?:href|src|srcset)=")([^"]*)"', self._link, markup)
        # GitHub has tables without a heading row as well: one whose cells are empty.
        markup = re.sub(r"<thead>\s*<tr>(?:\s*<th[^>]*></th>)*\s*</tr>\s*</thead>\s*", "", markup)
        markup = re.sub(r"<table>.*?</table>", lambda table: f'<div class="wide" tabindex="0">{table[0]}</div>', markup, flags=re.DOTALL)
        self.sections = []
        self._used = {}
        self.body = re.sub(r"<h([1-6])>(.*?)</h\1>", self._heading, markup, flags=re.DOTALL)
        texts = re.split(r"<h[1-6] id=", self.body)[1:]
        for section, part in zip(self.sections, texts):
            section["text"] = " ".join(text_of(part.partition("</h")[2].partition(">")[2]).split())

    @staticmethod
    def _code(found):
        return highlight.block(html.unescape(found[2]), found[1])

    def _link(self, found):
        return f'{found[1]}{html.escape(self._link_of(html.unescape(found[2])))}"'

    def _heading(self, found):
        level, title = int(found[1]), text_of(found[2])
        slug = slug_of(title, self._used)
        self.sections.append({"level": level, "id": slug, "title": title})
        return f'<h{level} id="{slug}">{found[2]}<a class="anchor" href="#{slug}" aria-label="link to this heading">#</a></h{level}>'
