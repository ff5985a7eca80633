// Recording in one line a place: EVTRACE=one_line.evt ./one_line
#include <cstdio>
// [snippet: one-line]
#include <evt/trace_macros.h>
#include <evt/writer.h>

std::size_t load(std::string_view page) {
  EVT_SPAN("load_page");  // from here to the end of the scope
  const std::size_t bytes = page.size() * 1024;
  EVT_TRACE("app.cache_miss", "page", page, "bytes", bytes);
  return bytes;
}

int main() {
  auto writer = evt::Writer::open_from_env();  // what EVTRACE asks for; both record in it until it is closed
  if (!writer) return std::fprintf(stderr, "%s\n", writer.status().message().c_str()), 1;
  load("index");
  load("about_us");
}
// [end]
