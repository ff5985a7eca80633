"""The reference of the Python module, of its docstrings: the source is read, and not run."""
import ast
import html
import inspect
import re

import highlight


class PythonReference:
    """Of what the module exports by __all__, from the files of its folder."""

    def __init__(self, folder):
        module = ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))
        self._name = folder.name
        self._module = module
        exported = next(ast.literal_eval(node.value) for node in module.body
                        if isinstance(node, ast.Assign) and node.targets[0].id == "__all__")
        found = {}
        for path in sorted(folder.glob("*.py")):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                    found.setdefault(node.name, node)
        missing = [name for name in exported if name not in found]
        if missing:
            raise SystemExit(f"{folder}: __all__ has names that no file of it defines: {', '.join(missing)}")
        # Functions first: a user begins with them.
        self._definitions = sorted((found[name] for name in exported), key=lambda node: isinstance(node, ast.ClassDef))
        self.names = []  # anchor, kind

    def body(self):
        parts = ["<h1>Reference: Python</h1>", highlight.block(f"import {self._name}\n", "python"),
                 "<p class=\"target\">In the package <code>python3-evtrace</code></p>", _described(self._module)]
        for node in self._definitions:
            kind = "class" if isinstance(node, ast.ClassDef) else "function"
            parts.append(f'<h2 id="{node.name}"><small>{kind}</small> {node.name}'
                         f'<a class="anchor" href="#{node.name}" aria-label="link to this name">#</a></h2>')
            self.names.append((node.name, kind))
            if kind == "function":
                parts.append(_member("", _signature(node), _described(node)))
                continue
            parts += [_described(node), *self._members(node)]
        return "\n".join(parts)

    def _members(self, definition):
        fields = [node for node in definition.body if isinstance(node, ast.AnnAssign) and not node.target.id.startswith("_")]
        if fields:
            self.names += [(f"{definition.name}.{node.target.id}", "member") for node in fields]
            lines = "".join(f'<span id="{definition.name}.{node.target.id}">{highlight.inline(ast.unparse(node), "python")}</span>' for node in fields)
            yield f'<div class="member"><pre tabindex="0"><code>{lines}</code></pre></div>'
        for node in definition.body:
            if isinstance(node, ast.FunctionDef) and _is_public(node):
                anchor = f"{definition.name}.{node.name}"
                self.names.append((anchor, "member"))
                yield _member(anchor, _signature(node), _described(node))


def _is_public(function):
    return not function.name.startswith("_") or (function.name.startswith("__") and bool(ast.get_docstring(function)))


def _signature(function):
    decorators = "".join(f"@{ast.unparse(each)}\n" for each in function.decorator_list)
    result = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"{decorators}def {function.name}({ast.unparse(function.args)}){result}"


def _member(anchor, text, comment):
    identity = f' id="{anchor}"' if anchor else ""
    return f'<div class="member"{identity}>{highlight.block(text, "python")}{comment}</div>'


def _described(node):
    """A docstring: paragraphs, in which backticks are code; what is indented is an example."""
    parts = []
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(ast.get_docstring(node) or "")):
        if paragraph.startswith("    ") and parts and parts[-1][0]:
            parts[-1] = (True, parts[-1][1] + "\n\n" + paragraph)
        elif paragraph:
            parts.append((paragraph.startswith("    "), paragraph))
    return "".join(highlight.block(inspect.cleandoc("\n" + text) + "\n", "python") if is_code else
                   "<p>" + re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False)) + "</p>" for is_code, text in parts)
