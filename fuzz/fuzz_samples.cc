// A file of samples (folded stacks, a profile of pprof, the text of `perf script`) of any content: what is read is in
// order, damage is inside the file and in its order, and the trace that is made of it has the same events.
#include "allocation.h"
#include "reading.h"

namespace {

// The fuzzer's bytes follow one of these: a sample of each format, or nothing.
std::string front_of(std::uint8_t choice) {
  switch (choice % 4) {
    case 1:
      return "a;b 1\n";
    case 2:
      return "a 1 5.000001: 7 cpu-clock: \n\t 1 f+0x1 (/a)\n";
    case 3:
      return std::string(
          "\x0a\x04\x08\x01\x10\x02\x32\0\x32\x03"
          "cpu\x32\x0bnanoseconds",
          26);
    default:
      return "";
  }
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
  if (size == 0) return 0;
  const std::string file = front_of(data[0]) + std::string(reinterpret_cast<const char*>(data) + 1, size - 1);
  const AllocationLimit limit(24 << 20);
  evt::ReadOptions options;
  options.memory_budget = 1 << 20;
  auto trace = evt::Trace::from_memory(fuzz::as_bytes(file), options);
  if (!trace) {
    FUZZ_CHECK(!trace.status().message().empty());
    return 0;
  }
  // Traces of other formats are other targets'.
  const std::string writer = trace->sessions().empty() ? "" : trace->sessions().front().writer;
  if (writer != "folded stacks" && writer != "pprof" && writer != "perf script") return 0;
  FUZZ_CHECK(trace->size() == file.size());
  check_damage(*trace, file.size());
  const fuzz::Sum sum = fuzz::read_one_by_one(*trace, false);
  fuzz::use_every_getter(*trace);
  FUZZ_CHECK(trace->sessions().front().missing == 0);

  evt::Status status;
  const std::string converted = fuzz::recoded(file, evt::Form::kColumns, &status);
  FUZZ_CHECK(status.ok() == trace->status().ok());
  auto again = evt::Trace::from_memory(fuzz::as_bytes(converted), options);
  FUZZ_CHECK(again.ok());
  FUZZ_CHECK(fuzz::read_one_by_one(*again, false) == sum);
  FUZZ_CHECK(again->damage().empty());
  FUZZ_CHECK(again->sessions().front().lost == trace->sessions().front().lost);
  return 0;
}
