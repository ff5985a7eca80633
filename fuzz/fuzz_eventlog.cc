// A GHC eventlog of any bytes: what is read of it is sorted, counted and described as it is; each damage is a loss; and
// the trace it is converted to has the same events and losses.
#include <evt/little_endian.h>

#include "allocation.h"
#include "reading.h"

namespace {

std::string big(std::uint64_t value, int size) {
  std::string bytes;
  for (int i = size - 1; i >= 0; --i) bytes += static_cast<char>(value >> (8 * i));
  return bytes;
}

std::string type(std::uint16_t id, std::uint16_t size, std::string_view description) {
  return std::string("etb\0", 4) + big(id, 2) + big(size, 2) + big(description.size(), 4) + std::string(description) +
         big(0, 4) + std::string("ete\0", 4);
}

// Types of each kind: without fields, with numbers, of variable size, unknown.
std::string header() {
  constexpr std::uint16_t kVariable = 0xFFFF;
  return "hdrbhetb" + type(0, 4, "Create thread") + type(1, 4, "Run thread") + type(2, 10, "Stop thread") +
         type(9, 0, "Starting GC") + type(10, 0, "Finished GC") + type(18, 14, "Block marker") +
         type(19, kVariable, "User message") + type(29, kVariable, "RTS name and version") +
         type(30, kVariable, "Program arguments") + type(42, kVariable, "Intern string") +
         type(43, 16, "Wall clock time") + type(161, kVariable, "Cost-centre definition") +
         type(163, kVariable, "Heap profile cost-centre sample") + type(7, 3, "Something else") +
         type(600, kVariable, "Something large") + "hetehdredatb";
}

// Damage lies in the log, in its order.
void check_damage(const evt::Trace& trace, std::size_t size) {
  std::uint64_t end = 0;
  for (const evt::Damage& damage : trace.damage()) {
    FUZZ_CHECK(damage.offset >= end && damage.length <= size - damage.offset);
    FUZZ_CHECK(!damage.reason.empty());
    end = damage.offset + damage.length;
  }
}

// The numbers of events that the index has are those that come.
void check_counts(const evt::Session& session, const fuzz::Sum& sum) {
  if (session.counts.empty()) return;
  std::uint64_t counted = 0;
  for (const evt::TypeCount& type : session.counts) {
    if (type.number < EVT_TYPE_FIRST_RESERVED || type.number >= EVT_ROW_WIDE) counted += type.rows;
  }
  FUZZ_CHECK(counted == sum.events);
}

// Damaged or not, what is converted is a trace without damage, and cut only if the log was.
void check_converted(const evt::Trace& trace, std::string_view log, const evt::ReadOptions& options,
                     const fuzz::Sum& sum) {
  evt::Status status;
  const std::string converted = fuzz::recoded(log, evt::Form::kColumns, &status);
  FUZZ_CHECK(status.ok() == trace.status().ok());
  auto again = evt::Trace::from_memory(fuzz::as_bytes(converted), options);
  FUZZ_CHECK(again.ok());
  FUZZ_CHECK(fuzz::read_one_by_one(*again, false) == sum);
  const evt::Session& session = trace.sessions().front();
  FUZZ_CHECK(again->damage().empty());
  FUZZ_CHECK(again->sessions().front().closed == session.closed);
  FUZZ_CHECK(again->sessions().front().lost == session.lost);
  FUZZ_CHECK(again->sessions().front().missing == 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // The first byte selects whether the log has a header of its own.
  if (size == 0) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string log = (data[0] % 8 == 0 ? "hdrb" : header()) + std::string(rest);
  const AllocationLimit limit(24 << 20);
  evt::ReadOptions options;
  options.memory_budget = 1 << 20;
  auto trace = evt::Trace::from_memory(fuzz::as_bytes(log), options);
  if (!trace) {
    FUZZ_CHECK(!trace.status().message().empty());
    return 0;
  }
  FUZZ_CHECK(trace->size() == log.size());
  FUZZ_CHECK(trace->sessions().size() == 1);
  check_damage(*trace, log.size());
  const fuzz::Sum sum = fuzz::read_one_by_one(*trace, false);
  fuzz::use_every_getter(*trace);
  FUZZ_CHECK(trace->sessions().front().missing == 0);
  check_counts(trace->sessions().front(), sum);
  FUZZ_CHECK(trace->sessions().front().lost >= trace->damage().size());
  check_converted(*trace, log, options, sum);
  return 0;
}
