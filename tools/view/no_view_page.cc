// Without the server of evt view there is no page.
#include "view_page.h"

namespace evt::tools {

std::string_view view_page() { return {}; }
std::vector<std::string> view_page_script_sha256() { return {}; }
const char* view_page_style_sha256() { return ""; }

}  // namespace evt::tools
