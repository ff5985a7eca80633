// A trace read whole, checked as it is, and brought down to a number that is the same for the same events.
#pragma once

#include <evt/recode.h>
#include <evt/trace.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "blocks.h"
#include "getters.h"
#include "order.h"
#include "text_form.h"

namespace fuzz {

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

inline Sum read_one_by_one(evt::Trace& trace, bool by_ns) {
  Sum sum;
  OrderCheck order;
  evt::Events events = trace.events({.markers = true, .by_ns = by_ns});
  while (const evt::Event* event = events.next()) {
    order.add(*event);
    use_every_getter(*event);
    sum.add(event->ns(), event->type().number(), event->stream().id, event->payload());
  }
  return sum;
}

// The trace with its events in this form, and the status of it.
inline std::string recoded(std::string_view bytes, evt::Form form, evt::Status* status) {
  static const int file = memfd_create("trace", MFD_CLOEXEC);
  FUZZ_CHECK(ftruncate(file, 0) == 0);
  FUZZ_CHECK(pwrite(file, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  std::string out;
  const auto take = [&](evt::Bytes part) {
    out.append(reinterpret_cast<const char*>(part.data()), part.size());
    return 0;
  };
  const auto trace = evt::recode("/proc/self/fd/" + std::to_string(file), form, take);
  *status = trace ? trace->status() : trace.status();
  return out;
}

// The same; REQUIRES: it is whole, every block of it.
inline std::string recoded(std::string_view bytes, evt::Form form) {
  evt::Status status;
  std::string out = recoded(bytes, form, &status);
  FUZZ_CHECK(status.ok());
  return out;
}

}  // namespace fuzz
