// What has its numbers and no code yet: stacks in strings, holders of locks, distributed traces, histograms
// (REGISTRY.md).
#include "archive.h"

namespace evt::testing {
namespace {

RawTrace with(std::string_view declarations) { return ordinary_trace().declare(declarations); }

// A row as a string of the text form.
std::string row_string(int id, std::uint16_t type, const std::string& fields) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string line = "string " + std::to_string(id) + " \"";
  const std::string row = Rows().row(EVT_DELTA_IN_STRING, type, fields).bytes();
  for (const char c : row) {
    const auto byte = static_cast<std::uint8_t>(c);
    line += std::string("\\x") + kDigits[byte >> 4] + kDigits[byte & 15];
  }
  return line + "\"\n";
}

// Two samples whose stacks share a frame, each stored once.
RawTrace stacks() {
  RawTrace trace = with(
      "type 1025 sample role=sample (stack reference role=stack) (weight u32 role=weight)\n"
      "type 1026 stack role=frames (frames reference[] role=stack)\n"
      "type 1027 frame role=frame (function interned role=function) (module interned role=module) (line u32 "
      "role=line)\n"
      "string 1 \"main\"\nstring 2 \"work\"\nstring 3 \"/usr/bin/shop\"\n" +
      row_string(4, 1027, le32(1) + le32(3) + le32(12)) + row_string(5, 1027, le32(2) + le32(3) + le32(40)) +
      row_string(6, 1026, le16(1) + le32(4)) + row_string(7, 1026, le16(2) + le32(5) + le32(4)));
  return trace.events(1, Rows().row(1, 1025, le32(6) + le32(1)).row(5, 1025, le32(7) + le32(3))).trailer();
}

// W3C's ids: a trace of 16 bytes, spans of 8, and whose part a span is.
RawTrace distributed_trace() {
  RawTrace trace = with(
      "type 1025 request role=asyncBegin (name text role=name) (trace bytes(16) role=traceId scope=network) "
      "(span bytes(8) role=spanId scope=network) (parent bytes(8) role=parentSpan scope=network)\n"
      "type 1026 answer role=asyncEnd (span bytes(8) role=spanId scope=network)\n");
  const std::string id = "0123456789abcdef";
  return trace
      .events(1, Rows()
                     .row(1, 1025, le16(4) + "shop" + id + "span-one" + std::string(8, '\0'))
                     .row(2, 1025, le16(2) + "db" + id + "span-two" + "span-one"))
      .events(2, Rows().row(3, 1026, "span-two").row(4, 1026, "span-one"))
      .trailer();
}

// A thread waits for a lock that another one has, and releases.
RawTrace lock_holder() {
  RawTrace trace = with(
      "type 1025 lock role=callBegin (function interned role=function) (object u64 role=object) (holder u64 "
      "role=holder)\n"
      "type 1026 unlock role=lockRelease (object u64 role=object) (thread u64 role=thread)\n"
      "type 1027 locked role=callEnd\nstring 1 \"pthread_mutex_lock\"\n");
  return trace.events(1, Rows().row(1, 1025, le32(1) + le64(0x7000) + le64(42)).row(6, 1027, ""))
      .events(2, Rows().row(5, 1026, le64(0x7000) + le64(42)))
      .trailer();
}

// Three classes: up to 10, up to 100, and more.
RawTrace histogram() {
  RawTrace trace = with(
      "type 1025 latency role=histogram (name interned role=name) (bounds u64[] role=bounds unit=microseconds) "
      "(counts u64[] role=counts)\nstring 1 \"GET /cart\"\n");
  const std::string bounds = le16(2) + le64(10) + le64(100);
  return trace.events(1, Rows().row(9, 1025, le32(1) + bounds + le16(3) + le64(7) + le64(2) + le64(1))).trailer();
}

}  // namespace

void make_future_roles(const Archive& archive) {
  archive.add("future/stacks.evt", stacks());
  archive.add("future/distributed_trace.evt", distributed_trace());
  archive.add("future/lock_holder.evt", lock_holder());
  archive.add("future/histogram.evt", histogram());
}

}  // namespace evt::testing
