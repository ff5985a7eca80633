"""The fenced blocks of a document."""
import dataclasses
import re


@dataclasses.dataclass
class Block:
    document: str
    line: int  # of its first line of code, from 1 on
    language: str
    text: str

    def __str__(self):
        return f"{self.document}:{self.line}"


def blocks_of(root, document, languages):
    """The document's blocks in these languages, in their order."""
    text = (root / document).read_text(encoding="utf-8")
    for found in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        if found[1] in languages:
            yield Block(document, text.count("\n", 0, found.start(2)) + 1, found[1], found[2])
