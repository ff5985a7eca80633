#!/usr/bin/env python3
"""Makes the tree that `./dev build` leaves, from a build folder that has more, and installs it.

    user_tree.py ROOT BUILD_FOLDER TREE

TREE gets the files that BUILD_FOLDER makes for the targets of `./dev build`, and nothing else: what only tests build is
missing there, as it is for a user. What TREE installs goes to TREE/prefix.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

PATH = re.compile(r"(?:[^\s:|$]|\$.)+")


def targets(root):
    """What ./dev build makes."""
    script = "source scripts/base.sh && echo ${for_users[*]}"
    return subprocess.run(["bash", "-c", script], cwd=root, stdout=subprocess.PIPE, text=True, check=True).stdout.split()


def edges(build_file):
    """(outputs, inputs) of each build statement of ninja, implicit and order-only ones among them."""
    text = build_file.read_text().replace("$\n", "")
    for outputs, inputs in re.findall(r"^build ((?:[^:$\n]|\$.)+): \S+ ?(.*)$", text, re.MULTILINE):
        yield [re.sub(r"\$(.)", r"\1", path) for path in PATH.findall(outputs)], \
              [re.sub(r"\$(.)", r"\1", path) for path in PATH.findall(inputs)]


def made_for(build, wanted):
    """All files that these targets need and that are made in the build folder."""
    edge_of = {}
    for outputs, inputs in edges(build / "build.ninja"):
        for output in outputs:
            edge_of[output.removeprefix(f"{build}/")] = (outputs, inputs)
    made, left = set(), list(wanted)
    while left:
        name = left.pop().removeprefix(f"{build}/")
        if name in made or name not in edge_of:
            continue
        outputs, inputs = edge_of[name]
        made.update(output.removeprefix(f"{build}/") for output in outputs)
        made.add(name)
        left += inputs
    return made


def copy(build, tree, names):
    for name in names:
        if not (build / name).is_file():
            continue  # a name for other targets
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        if (build / name).is_symlink():
            os.symlink(os.readlink(build / name), tree / name)
        else:
            os.link(build / name, tree / name)


def install(build, tree):
    """By the scripts that CMake wrote for the build folder."""
    for script in list(build.rglob("cmake_install.cmake")):
        moved = tree / script.relative_to(build)
        moved.parent.mkdir(parents=True, exist_ok=True)
        moved.write_text(script.read_text().replace(f"{build}/", f"{tree}/"))
    for configured in [*build.glob("*.pc"), *build.glob("*.cmake"), *build.glob("CMakeFiles/Export/**/*.cmake")]:
        made = tree / configured.relative_to(build)
        made.parent.mkdir(parents=True, exist_ok=True)
        if not made.exists():
            shutil.copy(configured, made)
    subprocess.run(["cmake", f"-DCMAKE_INSTALL_PREFIX={tree}/prefix", "-P", tree / "cmake_install.cmake"],
                   stdout=subprocess.DEVNULL, check=True)


def main(root, build, tree):
    shutil.rmtree(tree, ignore_errors=True)
    copy(build, tree, made_for(build, targets(root)))
    install(build, tree)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*(pathlib.Path(path).absolute() for path in sys.argv[1:]))
