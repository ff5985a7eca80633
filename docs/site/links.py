"""Where links of documents lead on the site."""
import os
import posixpath
import shutil

PICTURES = (".png", ".svg", ".jpg")


class Links:
    """Of a site. Pictures that are linked are copied; files that are linked and have no page get one, which `files` lists."""

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
        if path in self._pages:
            place = self._pages[path]
        elif path.endswith(PICTURES):
            place = "pictures/" + path.replace("/", "-")
            (self._output / "pictures").mkdir(exist_ok=True)
            shutil.copyfile(at, self._output / place)
        else:
            place = self.files[path] = f"source/{path}{'/index' if at.is_dir() else ''}.html"
        return relative(place, page) + sharp + anchor


def relative(place, page):
    """A path of the site, as a link on the page at another."""
    return os.path.relpath(place, os.path.dirname(page) or ".")
