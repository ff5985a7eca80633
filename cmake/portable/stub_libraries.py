"""Makes libraries to link with that have the functions of an older C library: of each symbol of this machine's libc and
libm the latest version that is not newer than the one asked for. They have no code; a program that is linked with them
runs with any C library from that version on.

    stub_libraries.py VERSION FOLDER COMPILER
"""
import os
import re
import shutil
import subprocess
import sys

# Value, size, type, name, @ or @@, version.
SYMBOL = re.compile(r"^ *\d+: \w+ +(\w+) (FUNC|OBJECT|IFUNC|NOTYPE) +(?:GLOBAL|WEAK) +DEFAULT +(?!UND)\w+ (\w+)(@@?)GLIBC_([\d.]+)$")
LIBRARIES = ("libc.so.6", "libm.so.6")
# These were libraries of their own in older versions: a program must name them to find there what libc has today.
ONCE = ("libpthread.so.0", "libdl.so.2", "librt.so.1")


LOADER = "ld-linux-x86-64.so.2"


def path_of(compiler, name):
    return subprocess.run([compiler, f"-print-file-name={name}"], check=True, capture_output=True, text=True).stdout.strip()


def number(version):
    return tuple(int(part) for part in version.split("."))


def symbols_of(path, limit):
    """name -> (version, type, size), for the latest version within the limit."""
    latest = {}
    listing = subprocess.run(["readelf", "--dyn-syms", "--wide", path], check=True, capture_output=True, text=True).stdout
    for line in listing.splitlines():
        match = SYMBOL.match(line)
        if match is None:
            continue
        size, kind, name, _, version = match.groups()
        if number(version) > limit or (name in latest and number(latest[name][0]) >= number(version)):
            continue
        latest[name] = (version, kind, int(size, 0))
    return latest


def source_of(symbols):
    lines = []
    for i, (name, (version, kind, size)) in enumerate(sorted(symbols.items())):
        lines += [
            ".data" if kind == "OBJECT" else ".text",
            f".globl s{i}",
            f".type s{i}, {'@object' if kind == 'OBJECT' else '@function'}",
            f".size s{i}, {size}",
            f"s{i}: .zero {max(size, 1) if kind == 'OBJECT' else 1}",
            f".symver s{i}, {name}@@GLIBC_{version}, remove",
        ]
    return "\n".join(lines + ['.section .note.GNU-stack,"",@progbits', ""])


def make(folder, compiler, name, symbols):
    stem = os.path.join(folder, name)
    versions = sorted({version for version, _, _ in symbols.values()}, key=number)
    with open(stem + ".s", "w") as source:
        source.write(source_of(symbols))
    with open(stem + ".map", "w") as script:
        script.write("".join(f"GLIBC_{version} {{ }};\n" for version in versions) or "{ local: *; };\n")
    subprocess.run([compiler, "-shared", "-nostdlib", f"-Wl,-soname,{name}", f"-Wl,--version-script={stem}.map", stem + ".s",
                    "-o", stem], check=True)
    # What libc.so adds to it where it is installed: functions that each program has of its own.
    own = f" {path_of(compiler, 'libc_nonshared.a')} AS_NEEDED({path_of(compiler, LOADER)})" if name == "libc.so.6" else ""
    with open(os.path.join(folder, re.sub(r"\.so\..*", ".so", name)), "w") as script:
        script.write(f"GROUP({stem}{own})\n")


def main():
    limit, folder, compiler = number(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name in LIBRARIES:
        make(folder, compiler, name, symbols_of(path_of(compiler, name), limit))
    for name in ONCE:
        make(folder, compiler, name, {})


main()
