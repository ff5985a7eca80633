// Without the server of evt view there is no page, nor a file of it.
#include "page_file.h"
#include "view_page.h"

namespace evt::tools {

std::string_view view_page() { return {}; }
std::vector<std::string> view_page_script_sha256() { return {}; }
const char* view_page_style_sha256() { return ""; }

Status write_page_file(ViewedTraces&, const std::string&, const OutputMode&, std::uint64_t) {
  return {Code::kInvalid, "this evt was built without the page of evt view (CMake: EVTRACE_VIEW=OFF)"};
}

}  // namespace evt::tools
