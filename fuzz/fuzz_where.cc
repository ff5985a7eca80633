// Any text as a condition on events: it is one, or it is wrong at a column that it has. What is printed of one is read
// as the same; and with not in front it holds for the other events.
#include <evt/trace.h>

#include <algorithm>
#include <string>

#include "fuzz_target.h"
#include "text_form.h"
#include "tools/where/where_filter.h"
#include "tools/where/where_parser.h"

namespace {

using evt::tools::WhereFilter;
using evt::tools::WhereParsed;

constexpr const char* kEvents =
    "evtrace text 1\n"
    "session start=1767225600.000000000 program=\"fuzz\"\n"
    "type 1024 all (u u8) (i i64) (f f32) (d f64) (b bool) (e enum16 labels=[0=idle 7=seven]) (t text) (x bytes) "
    "(n interned) (at ticks) (took tick_delta) (ms u32 unit=milliseconds) (list i16[]) (texts text[])\n"
    "type 1025 other (u text) (thread u32 role=thread) (size u64 role=amount)\n"
    "stream 1 \"main\" thread=7\nstream 2 \"worker 1\"\n"
    "0.000000001 1 all u=7 i=-5 f=0.1 d=nan b=true e=seven t=\"a b\" x=0xcafe n=\"main\" at=0.000000001 "
    "took=0.200000000 ms=200 list=[-1 7] texts=[\"p\" \"q\"]\n"
    "0.000000002 2 all u=255 i=9223372036854775807 f=inf d=-0.5 b=false e=9 t=\"\" x=0x\n"
    "0.000000003 2 other u=\"7\" thread=9 size=18446744073709551615\n"
    "0.000000004 1 type#5000 +0x01\n"
    "0.000000005 1 !lost count=2 cause=ring_full\n";

const std::string& bytes_of_trace() {
  static const std::string bytes = [] {
    evt::Status status;
    return fuzz::trace_of(kEvents, &status);
  }();
  return bytes;
}

std::size_t characters_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

void ask(const std::string& condition) {
  WhereFilter filter;
  WhereFilter opposite;
  FUZZ_CHECK(filter.add(condition).ok());
  // One that is nested as deep as may be has no room for another.
  if (!opposite.add("not (" + condition + ")").ok()) return;
  auto trace = evt::Trace::from_memory(fuzz::as_bytes(bytes_of_trace()));
  FUZZ_CHECK(trace.ok());
  const auto all = [](const evt::EventType&) { return true; };
  const bool is_right = filter.resolve({&*trace}, all).ok();
  FUZZ_CHECK(opposite.resolve({&*trace}, all).ok() == is_right);
  if (!is_right) return;
  evt::EventOptions options;
  options.markers = true;
  evt::Events events = trace->events(options);
  while (const evt::Event* const event = events.next()) {
    FUZZ_CHECK(filter.holds_for(*event) != opposite.holds_for(*event));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const WhereParsed parsed = evt::tools::parse_where(text);
  if (!parsed.expression) {
    FUZZ_CHECK(!parsed.error.sentence.empty());
    FUZZ_CHECK(parsed.error.column >= 1 && parsed.error.column <= characters_of(text) + 1);
    return 0;
  }
  const std::string printed = where_text(*parsed.expression);
  const WhereParsed again = evt::tools::parse_where(printed);
  FUZZ_CHECK(again.expression.has_value());
  FUZZ_CHECK(again.expression->same_as(*parsed.expression));
  FUZZ_CHECK(where_text(*again.expression) == printed);
  ask(text);
  return 0;
}
