// A file of any bytes, merged with itself, cut, and merged again: what comes out is always whole, always the same, and
// has no event more or less than what went in.
#include <evt/cut.h>
#include <evt/merge.h>

#include "allocation.h"
#include "blocks.h"
#include "fuzz_target.h"
#include "text_form.h"

namespace {

evt::Result<evt::Trace> open(std::string_view bytes, bool checked = false) {
  evt::ReadOptions options;
  options.memory_budget = 1 << 20;
  options.rings = false;
  options.check_index = checked;
  return evt::Trace::from_memory(fuzz::as_bytes(bytes), options);
}

evt::TakeBytes into(std::string* out) {
  return [out](evt::Bytes bytes) {
    out->append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return 0;
  };
}

std::string merged(const std::vector<std::string_view>& inputs) {
  evt::MergeOptions options;
  for (std::size_t i = 0; i < inputs.size(); ++i) options.inputs.push_back({"x", 0});
  options.open = [&](std::size_t i) -> evt::Result<std::shared_ptr<evt::Trace>> {
    auto trace = open(inputs[i]);
    if (!trace) return trace.status();
    return std::make_shared<evt::Trace>(*std::move(trace));
  };
  std::string out;
  // What is wrong with an input only shows when it is copied; the plan is made before.
  return evt::merge(options, into(&out)) ? out : "";
}

// How many events there are by type of loss or none; of a trace that is whole.
std::uint64_t events_of(evt::Trace& trace) {
  std::uint64_t count = 0;
  evt::Events events = trace.events();
  while (events.next() != nullptr) ++count;
  return count;
}

std::uint64_t check(const std::string& bytes) {
  auto trace = open(bytes, true);
  FUZZ_CHECK(trace);
  const std::uint64_t events = events_of(*trace);
  FUZZ_CHECK(trace->damage().empty());
  FUZZ_CHECK(trace->missing().empty());
  FUZZ_CHECK(trace->status().ok());
  return events;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const AllocationLimit limit(64 << 20);
  auto trace = open(bytes);
  if (!trace) return 0;
  const std::uint64_t events = events_of(*trace);
  const std::string one = merged({bytes, bytes});
  if (one.empty()) return 0;
  FUZZ_CHECK(one == merged({bytes, bytes}));
  const std::uint64_t in_one = check(one);
  // Of two sessions of one uuid the second is left out.
  if (trace->sessions().size() == 1) FUZZ_CHECK(in_one == events);
  FUZZ_CHECK(check(merged({one})) == in_one);

  evt::CutOptions cutting;
  auto whole = open(one);
  std::string all;
  FUZZ_CHECK(evt::cut(*whole, cutting, into(&all)).ok());
  FUZZ_CHECK(check(all) == in_one);
  // Two halves are the whole.
  const std::int64_t middle = size > 0 ? std::int64_t{data[size / 2]} * 1000 : 0;
  std::uint64_t in_halves = 0;
  for (const evt::TimeRange half : {evt::TimeRange{INT64_MIN, middle - 1}, evt::TimeRange{middle, INT64_MAX}}) {
    cutting.range = [&](const evt::Session&) { return half; };
    cutting.state = false;
    std::string part;
    FUZZ_CHECK(evt::cut(*whole, cutting, into(&part)).ok());
    in_halves += check(part);
    cutting.state = true;
    part.clear();
    FUZZ_CHECK(evt::cut(*whole, cutting, into(&part)).ok());
    check(part);
  }
  FUZZ_CHECK(in_halves == in_one);
  return 0;
}
