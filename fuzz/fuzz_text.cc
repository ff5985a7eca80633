// Any text: what the text form's reader accepts becomes a trace whose text becomes the same trace again.
#include <evt/trace.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "fuzz_target.h"
#include "text_form_reader.h"
#include "text_form_writer.h"

namespace {

// The trace that a text makes; empty when it makes none.
std::string trace_of(std::string_view text) {
  static const int file = memfd_create("trace", 0);
  FUZZ_CHECK(ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0);
  evt::tools::TextFormReader reader(file);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (!reader.add(text.substr(at, end - at))) break;
    at = end + 1;
  }
  if (!reader.finish().ok()) return {};
  std::string bytes(static_cast<std::size_t>(lseek(file, 0, SEEK_END)), '\0');
  FUZZ_CHECK(pread(file, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  return bytes;
}

std::string text_of(std::string_view bytes) {
  auto trace = evt::Trace::from_memory({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()});
  FUZZ_CHECK(trace.ok());
  FUZZ_CHECK(trace->damage().empty());
  evt::tools::TextFormWriter writer(*trace);
  evt::Events events = trace->events({.markers = true, .by_ns = true});
  evt::tools::TextBuffer text;
  while (const evt::Event* event = events.next()) writer.append(text, *event);
  writer.append_end(text);
  return std::string(text.text());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string first = trace_of({reinterpret_cast<const char*>(data), size});
  if (first.empty()) return 0;
  const std::string text = text_of(first);
  const std::string second = trace_of(text);
  FUZZ_CHECK(!second.empty());
  FUZZ_CHECK(text_of(second) == text);
  return 0;
}
