"""Code as HTML."""
import html

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.util import ClassNotFound

_INLINE = HtmlFormatter(nowrap=True)
_NUMBERED = HtmlFormatter(nowrap=True, linespans="L", anchorlinenos=False)


def block(code, language):
    """A block of code in a language of Markdown's fences; without one it is plain."""
    try:
        inside = highlight(code, get_lexer_by_name(language, stripnl=False), _INLINE) if language else html.escape(code)
    except ClassNotFound:
        inside = html.escape(code)
    kind = f' class="{language}"' if language in ("sh", "text") else ""
    return f'<pre{kind} tabindex="0"><code>{inside}</code></pre>'


def inline(code, language="cpp"):
    """A line or several of a block."""
    return highlight(code, get_lexer_by_name(language), _INLINE)


def file(code, name):
    """A whole file, each line with the id that a link like file#L-12 leads to."""
    try:
        lexer = get_lexer_for_filename(name, stripnl=False)
    except ClassNotFound:
        lexer = get_lexer_by_name("text", stripnl=False)
    return f'<pre class="file" tabindex="0"><code>{highlight(code, lexer, _NUMBERED)}</code></pre>'
