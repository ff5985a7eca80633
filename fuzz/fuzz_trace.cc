// A whole file of any bytes: events come out sorted, with every getter total, and what is reported adds up; one by one,
// in batches, with the index and without, and stored in another form, they are the same.
#include "allocation.h"
#include "reading.h"

namespace {

using fuzz::read_one_by_one;
using fuzz::recoded;
using fuzz::Sum;

evt::Result<evt::Trace> open(std::string_view bytes, bool use_index, bool check_all = false) {
  evt::ReadOptions options;
  options.memory_budget = 1 << 20;
  options.use_index = use_index;
  options.check_index = check_all;
  options.rings = false;
  return evt::Trace::from_memory(fuzz::as_bytes(bytes), options);
}

Sum read_in_batches(evt::Trace& trace) {
  Sum sum;
  evt::Events events = trace.events({.markers = true});
  while (const evt::EventBatch* batch = events.next_batch()) {
    FUZZ_CHECK(batch->size() > 0);
    for (std::size_t i = 0; i < batch->size(); ++i) {
      sum.add(batch->ns[i], batch->types[i]->number(), batch->streams[i]->id, batch->payloads[i]);
    }
  }
  return sum;
}

Sum sum_of(std::string_view bytes) {
  auto trace = open(bytes, true);
  FUZZ_CHECK(trace.ok());
  const Sum sum = read_one_by_one(*trace, false);
  FUZZ_CHECK(trace->status().ok());
  return sum;
}

// A copy of a damaged trace has as many events, and none of its rows came back.
void check_damaged(std::string_view copy, const evt::Trace& original, const Sum& sum) {
  auto trace = open(copy, false);
  FUZZ_CHECK(trace.ok() || sum.events == 0);
  if (!trace) return;
  FUZZ_CHECK(read_one_by_one(*trace, false).events == sum.events);
  std::uint64_t missing = 0;
  for (const evt::Session& session : original.sessions()) missing |= session.missing;
  FUZZ_CHECK(missing == 0 || !trace->status().ok());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const AllocationLimit limit(64 << 20);
  auto trace = open(bytes, false);
  auto indexed = open(bytes, true);
  FUZZ_CHECK(trace.ok() == indexed.ok());
  if (!trace) {
    FUZZ_CHECK(!trace.status().message().empty());
    return 0;
  }
  const Sum sum = read_one_by_one(*trace, false);
  FUZZ_CHECK(read_one_by_one(*trace, true).events == sum.events);
  FUZZ_CHECK(read_in_batches(*trace) == sum);
  fuzz::use_every_getter(*trace);
  // What an index describes that is not so is damage; and by an index rows are found that no hopping leads to.
  const Sum by_index = read_one_by_one(*indexed, false);
  fuzz::use_every_getter(*indexed);
  FUZZ_CHECK(by_index == sum || !indexed->damage().empty());
  auto checked = open(bytes, false, true);
  read_one_by_one(*checked, false);
  evt::Status status;
  const std::string columns = recoded(bytes, evt::Form::kColumns, &status);
  // Who copies a trace reads what others have no need of, and finds no less wrong with it.
  FUZZ_CHECK(checked->status().ok() || !status.ok());
  if (!status.ok() || !indexed->status().ok()) {
    check_damaged(columns, *checked, sum);
    return 0;
  }
  FUZZ_CHECK(sum_of(columns) == sum);
  FUZZ_CHECK(sum_of(recoded(columns, evt::Form::kRows)) == sum);
  return 0;
}
