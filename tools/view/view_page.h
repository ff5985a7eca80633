// The page of evt view, made of page/ when evt is built (embed_page.py).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace evt::tools {

std::string_view view_page();
// In base64.
std::vector<std::string> view_page_script_sha256();
const char* view_page_style_sha256();

}  // namespace evt::tools
