"""Where links of documents lead on the site."""
import os
import posixpath
import shutil

PICTURES = (".png", ".svg", ".jpg")
TEXTS = (".h", ".c", ".cc", ".py", ".def", ".capnp", ".asm", ".txt")


class Links:
    """Of a site. Pictures that are linked are copied. Files and folders that are linked, and the texts in such a folder, get a page
    if they have none: `files` lists these."""

    def __init__(self, root, output, pages):
        self._root = root
        self._output = output
        self._pages = {page.source: page.output for page in pages if page.source}
        self.files = {}  # path in the repository -> path in the site

    def resolved(self, target, source, page):
        """What `target`, a link in the document `source`, is on the page at the path `page`."""
        if not target or target.startswith(("#", "http:", "https:", "mailto:")):
            return target
        path, sharp, anchor = target.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        at = self._root / path
        if path.startswith("..") or not at.exists():
            raise SystemExit(f"{source}: the link {target} leads to nothing in the repository")
        place = self.place_of(path)
        if not place and path.endswith(PICTURES):
            place = "pictures/" + path.replace("/", "-")
            (self._output / "pictures").mkdir(exist_ok=True)
            shutil.copyfile(at, self._output / place)
        elif not place:
            place = self.files[path] = f"source/{path}{'/index' if at.is_dir() else ''}.html"
            for each in at.glob("*"):
                inside = f"{path}/{each.name}"
                if each.is_file() and each.suffix in TEXTS and not self.place_of(inside):
                    self.files[inside] = f"source/{inside}.html"
        return relative(place, page) + sharp + anchor

    def place_of(self, path):
        """The path in the site of the page of a path in the repository; none if it has no page, or not yet."""
        return self._pages.get(path) or self.files.get(path)


def relative(place, page):
    """A path of the site, as a link on the page at another."""
    return os.path.relpath(place, os.path.dirname(page) or ".")
