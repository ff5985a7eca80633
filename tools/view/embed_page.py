#!/usr/bin/env python3
"""The page of evt view as a source file of evt.

usage: embed_page.py OUTPUT.cc

Defines what view_page.h declares: the bytes of the page that page/bundle.py makes, and the sums of its scripts and style
for the policy that the server sends.
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "page"))
import bundle  # noqa: E402


def source_of(html):
    scripts, style = (re.findall(r"'sha256-([^']+)'", re.search(rf"{what}-src ([^;]*)", html).group(1)) for what in ("script", "style"))
    sums = ", ".join(f'"{one}"' for one in scripts)
    page = html.encode()
    lines = [",".join(str(byte) for byte in page[at:at + 32]) for at in range(0, len(page), 32)]
    return f"""#include "view/view_page.h"

namespace evt::tools {{
namespace {{

const unsigned char kPage[] = {{
{",".join(line + chr(10) for line in lines)}}};

}}  // namespace

std::string_view view_page() {{ return {{reinterpret_cast<const char*>(kPage), sizeof kPage}}; }}
std::vector<std::string> view_page_script_sha256() {{ return {{{sums}}}; }}
const char* view_page_style_sha256() {{ return "{style[0]}"; }}

}}  // namespace evt::tools
"""


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(source_of(bundle.bundled()))
