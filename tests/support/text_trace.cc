#include "support/text_trace.h"

#include <gtest/gtest.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <stdexcept>

#include "libtrace-read/export/src/text/text_form_writer.h"
#include "tools/text_form/text_form_reader.h"

namespace evt::testing {
namespace {

constexpr std::string_view kFront =
    "evtrace text 1\n"
    "session uuid=0x000102030405460788090a0b0c0d0e0f start=1767225600.000000000 program=\"test\"\n";

}  // namespace

std::string trace_from_text(std::string_view text) {
  const int file = memfd_create("trace", 0);
  tools::TextFormReader reader(file);
  std::string whole(text.starts_with("evtrace text") ? "" : kFront);
  whole += text;
  std::size_t at = 0;
  while (at < whole.size()) {
    const std::size_t end = std::min(whole.find('\n', at), whole.size());
    if (!reader.add(std::string_view(whole).substr(at, end - at))) break;
    at = end + 1;
  }
  const Status status = reader.finish();
  EXPECT_TRUE(status.ok()) << status.message();
  std::string bytes(static_cast<std::size_t>(lseek(file, 0, SEEK_END)), '\0');
  if (pread(file, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) bytes.clear();
  close(file);
  return bytes;
}

std::string text_of(Trace& trace) {
  TextFormWriter writer(trace);
  EventOptions options;
  options.markers = options.ends = true;
  options.by_ns = true;
  Events events = trace.events(options);
  TextBuffer text;
  while (const Event* event = events.next()) writer.append(text, *event);
  writer.append_end(text);
  return std::string(text.text());
}

std::string text_of_trace(std::string_view bytes) {
  Trace trace = open_trace(bytes);
  std::string text = text_of(trace);
  if (text.starts_with(kFront)) text.erase(0, kFront.size());
  return text;
}

Trace open_trace(std::string_view bytes, const ReadOptions& options) {
  auto trace = Trace::from_memory(as_bytes(bytes), options);
  if (!trace) throw std::runtime_error("no trace: " + trace.status().message());
  return *std::move(trace);
}

}  // namespace evt::testing
