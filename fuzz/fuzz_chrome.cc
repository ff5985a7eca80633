// A file of Chrome's Trace Event Format of any content: what is read is in order; if it is JSON, each value of its
// array is an event, a description, or a loss; and the trace that is made of it has the same events.
#include <algorithm>

#include "allocation.h"
#include "libtrace-read/import/src/chrome/json_check.h"
#include "reading.h"

namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

// Behind the value that begins there.
std::size_t end_of(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  bool in_text = false;
  const bool is_word = text[at] != '{' && text[at] != '[' && text[at] != '"';
  for (std::size_t i = at; i < text.size(); ++i) {
    if (is_word) {
      if (i > at && (is_space(text[i]) || text[i] == ',' || text[i] == ']' || text[i] == '}')) return i;
      continue;
    }
    if (in_text) {
      if (text[i] == '\\')
        ++i;
      else if (text[i] == '"')
        in_text = false;
    } else if (text[i] == '"') {
      in_text = true;
    } else if (text[i] == '{' || text[i] == '[') {
      ++depth;
    } else if (text[i] == '}' || text[i] == ']') {
      --depth;
    }
    if (!in_text && depth == 0) return i + 1;
  }
  return text.size();
}

// How many values the array has, the last perhaps without its end, by brackets and quotes alone.
std::uint64_t values_of(std::string_view array) {
  std::uint64_t count = 0;
  std::size_t at = 1;
  for (;;) {
    while (at < array.size() && (is_space(array[at]) || array[at] == ',')) ++at;
    if (at >= array.size() || array[at] == ']') return count;
    ++count;
    at = end_of(array, at);
  }
}

bool is_json(std::string_view text) {
  evt::chrome::JsonCheck check;
  check.begin();
  std::size_t used = 0;
  if (check.take(text, &used) != evt::chrome::JsonCheck::Result::kWhole) return false;
  return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(used), text.end(), is_space);
}

// A text that is no JSON can have so many events and losses: each has a bracket of its own, or follows a bracket or
// comma.
std::uint64_t most_values_of(std::string_view text) {
  return 1 + static_cast<std::uint64_t>(
                 std::count_if(text.begin(), text.end(), [](char c) { return c == '{' || c == '[' || c == ','; }));
}

void check_damage(const evt::Trace& trace, std::size_t size) {
  std::uint64_t end = 0;
  for (const evt::Damage& damage : trace.damage()) {
    FUZZ_CHECK(damage.offset >= end && damage.offset <= size && damage.length <= size - damage.offset);
    FUZZ_CHECK(!damage.reason.empty());
    end = damage.offset + damage.length;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // The first byte selects what is in front: an array, or the fuzzer's own.
  if (size == 0) return 0;
  const bool is_array = data[0] % 4 != 0;
  const std::string json =
      (is_array ? "[{\"ph\":\"M\"}," : "") + std::string(reinterpret_cast<const char*>(data) + 1, size - 1);
  const AllocationLimit limit(24 << 20);
  evt::ReadOptions options;
  options.memory_budget = 1 << 20;
  auto trace = evt::Trace::from_memory(fuzz::as_bytes(json), options);
  if (!trace) {
    FUZZ_CHECK(!trace.status().message().empty());
    FUZZ_CHECK(!is_array);
    return 0;
  }
  // Traces of other formats are other targets'.
  if (!json.starts_with('[') && !json.starts_with('{')) return 0;
  FUZZ_CHECK(trace->size() == json.size());
  check_damage(*trace, json.size());
  const fuzz::Sum sum = fuzz::read_one_by_one(*trace, false);
  fuzz::use_every_getter(*trace);
  const evt::Session& session = trace->sessions().front();
  FUZZ_CHECK(session.missing == 0);
  // Descriptions (phase M) have no event, and a counter one for each of its values.
  std::uint64_t counters = 0;
  std::uint64_t others = 0;
  evt::Events events = trace->events({});
  while (const evt::Event* event = events.next()) {
    if (event->is_lost()) continue;
    ++(event->type().role() == evt::Role::kCounter ? counters : others);
  }
  const std::uint64_t values = values_of(json);
  FUZZ_CHECK(!is_array || others + session.lost <= (is_json(json) ? values : most_values_of(json)));
  if (is_array && is_json(json) && json.find("\"M\"", 12) == std::string::npos &&
      json.find('\\') == std::string::npos) {
    FUZZ_CHECK(others + counters + session.lost >= values - 1);
  }

  evt::Status status;
  const std::string converted = fuzz::recoded(json, evt::Form::kColumns, &status);
  FUZZ_CHECK(status.ok() == trace->status().ok());
  auto again = evt::Trace::from_memory(fuzz::as_bytes(converted), options);
  FUZZ_CHECK(again.ok());
  FUZZ_CHECK(fuzz::read_one_by_one(*again, false) == sum);
  FUZZ_CHECK(again->damage().empty());
  FUZZ_CHECK(again->sessions().front().lost == session.lost);
  return 0;
}
