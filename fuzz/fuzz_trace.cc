// A whole file of any bytes: events come out sorted, with every getter total, and what is reported adds up; one by one,
// in batches, with the index and without, and stored in another form, they are the same.
#include <evt/recode.h>
#include <evt/trace.h>
#include <sys/mman.h>
#include <unistd.h>

#include "blocks.h"
#include "getters.h"
#include "order.h"
#include "text_form.h"

namespace {

evt::Result<evt::Trace> open(std::string_view bytes, bool use_index) {
  evt::ReadOptions options;
  options.memory_budget = 1 << 20;
  options.use_index = use_index;
  options.rings = false;
  return evt::Trace::from_memory(fuzz::as_bytes(bytes), options);
}

// How many events there are, and a checksum of what they are.
struct Sum {
  std::uint64_t events = 0;
  std::uint32_t crc = 0;

  void add(std::int64_t ns, std::uint32_t type, std::uint32_t stream, evt::Bytes payload) {
    ++events;
    crc = evt::crc32c(crc, &ns, sizeof ns);
    crc = evt::crc32c(crc, &type, sizeof type);
    crc = evt::crc32c(crc, &stream, sizeof stream);
    crc = evt::crc32c(crc, payload.data(), payload.size());
  }
  bool operator==(const Sum&) const = default;
};

Sum read_one_by_one(evt::Trace& trace, bool by_ns) {
  Sum sum;
  fuzz::OrderCheck order;
  evt::Events events = trace.events({.markers = true, .by_ns = by_ns});
  while (const evt::Event* event = events.next()) {
    order.add(*event);
    fuzz::use_every_getter(*event);
    sum.add(event->ns(), event->type().number(), event->stream().id, event->payload());
  }
  return sum;
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

// The trace with its events in this form; REQUIRES: it is whole.
std::string recoded(std::string_view bytes, evt::Form form) {
  static const int file = memfd_create("trace", MFD_CLOEXEC);
  FUZZ_CHECK(ftruncate(file, 0) == 0);
  FUZZ_CHECK(pwrite(file, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  std::string out;
  const auto take = [&](evt::Bytes part) {
    out.append(reinterpret_cast<const char*>(part.data()), part.size());
    return 0;
  };
  FUZZ_CHECK(evt::recode("/proc/self/fd/" + std::to_string(file), form, take).ok());
  return out;
}

Sum sum_of(std::string_view bytes) {
  auto trace = open(bytes, true);
  FUZZ_CHECK(trace.ok());
  const Sum sum = read_one_by_one(*trace, false);
  FUZZ_CHECK(trace->status().ok());
  return sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
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
  // What an index says that is not so is damage; and by an index rows are found that no hopping leads to.
  const Sum by_index = read_one_by_one(*indexed, false);
  fuzz::use_every_getter(*indexed);
  FUZZ_CHECK(by_index == sum || !indexed->damage().empty());
  if (!indexed->status().ok()) return 0;
  const std::string columns = recoded(bytes, evt::Form::kColumns);
  FUZZ_CHECK(sum_of(columns) == sum);
  FUZZ_CHECK(sum_of(recoded(columns, evt::Form::kRows)) == sum);
  return 0;
}
