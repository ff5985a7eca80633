"""Which documents the site has, in which order: the one place that lists them."""
import dataclasses
import pathlib
import re

# Groups of the navigation. A pattern takes what no pattern before it took, and no other group names; a document of docs that
# nothing names is so among those of use.
GROUPS = [
    ("Start", ["README.md", "docs/GUIDE.md", "docs/COOKBOOK.md"]),
    ("Guide", [f"docs/guide/{chapter}.md" for chapter in ("look", "find", "measure", "compare", "view", "parts", "convert", "damage",
                                                          "run", "record", "python", "tools")]),
    ("Use", ["docs/*.md"]),
    ("Format", ["format-spec/FORMAT.md", "format-spec/TEXT.md", "format-spec/REGISTRY.md", "format-spec/RATIONALE.md"]),
    ("Inside", ["docs/LIFE-OF-AN-EVENT.md", "docs/ABI.md", "docs/FAULTS.md", "SECURITY.md", "bench/README.md", "testdata/README.md",
                "testdata/eventlog/README.md", "CONTRIBUTING.md", "CHANGELOG.md"]),
]
# What the navigation calls a document whose heading is long, or does not state what it is of.
SHORT = {"README.md": "Overview", "docs/guide/parts.md": "Parts and merges", "format-spec/FORMAT.md": "The format", "format-spec/TEXT.md": "The text form",
         "format-spec/REGISTRY.md": "Registry of numbers", "format-spec/RATIONALE.md": "Rationale", "docs/ABI.md": "Binary interface",
         "docs/FAULTS.md": "Faults", "docs/TABLES.md": "Tables", "testdata/README.md": "Archive of traces"}
FRONT_PAGE = "README.md"


@dataclasses.dataclass
class Page:
    group: str
    title: str   # in the navigation
    output: str  # path in the site
    source: str = ""  # path in the repository, of a document


def documents(root):
    """The pages that are made of documents, in the order of the navigation."""
    named = {pattern for _, patterns in GROUPS for pattern in patterns}
    for group, patterns in GROUPS:
        for pattern in patterns:
            for path in sorted(root.glob(pattern)):
                source = path.relative_to(root).as_posix()
                if source == pattern or source not in named:
                    yield Page(group, SHORT.get(source) or heading_of(path), output_of(source), source)


def heading_of(path):
    """Its heading, without what follows a colon."""
    found = re.search(r"^# (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    if not found:
        raise SystemExit(f"{path}: has no heading, a line that begins with '# '")
    return found[1].replace("`", "").partition(":")[0]


def output_of(source):
    if source == FRONT_PAGE:
        return "index.html"
    path = pathlib.PurePosixPath(source)
    name = str(path.parent).replace("/", "-") if path.stem == "README" else path.stem
    return name.lower() + ".html"
