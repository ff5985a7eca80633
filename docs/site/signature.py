"""How names are declared, as the headers have it."""
import re
import textwrap

_OWN = re.compile(r"\b(?:EVT_INLINE_|EVT_ALWAYS_INLINE_) ")  # macros of the headers' own
_COMMENT = re.compile(r"\s*(?://.*|/\*.*\*/)$")
_OPEN, _CLOSE = "([", ")]"


class Signatures:
    """Of the names in headers below the folder `root`, which are read once."""

    def __init__(self, root):
        self._root = root
        self._lines = {}

    def of(self, name):
        """Its declaration without a body; a macro's with its text if that is one line."""
        lines = self._lines_of(name.file)
        first = name.line - 1
        if name.kind == "define":
            return lines[first].rstrip(" \\")
        element = name.element
        if not re.search(rf"(?<!\w){re.escape(element.findtext('name'))}(?!\w)", lines[first]):  # a macro has declared it
            return _spaced(f"{element.findtext('definition')}{element.findtext('argsstring')}")
        while first > 0 and re.match(r"\s*(?:template <.*>|requires .*)$", lines[first - 1]):
            first -= 1
        return self._declaration(lines, first, name.kind == "function")

    @staticmethod
    def _declaration(lines, first, is_function):
        """From a line on, up to the end of its declaration or the body that follows."""
        text, depth = "", 0
        for line in lines[first:]:
            line = _COMMENT.sub("", line)
            for at, letter in enumerate(line):
                depth += (letter in _OPEN) - (letter in _CLOSE)
                ends = letter in ";{" or (is_function and re.match(r"(?<!:) : ", line[at:]))
                if depth == 0 and ends and not (letter == "{" and line[at:].startswith("{}")):
                    end = " {…}" if letter == "{" and not is_function else ""
                    return _OWN.sub("", textwrap.dedent(text + line[:at]).rstrip() + end)
            text += line + "\n"
        raise SystemExit(f"docs: a declaration without an end: {lines[first]}")

    def _lines_of(self, file):
        if file not in self._lines:
            self._lines[file] = (self._root / file).read_text(encoding="utf-8").splitlines()
        return self._lines[file]


def _spaced(text):
    text = re.sub(r"\bevt::(?:\w+::)*(?=\w+\()", "", text)
    return re.sub(r" ([&*]+)", r"\1 ", text.replace("< ", "<").replace(" >", ">"))
