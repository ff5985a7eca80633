// Any text: what the text form's reader accepts becomes a trace whose text becomes the same trace again.
#include "allocation.h"
#include "fuzz_target.h"
#include "text_form.h"

namespace {

std::string text_of(std::string_view bytes) {
  auto trace = evt::Trace::from_memory(fuzz::as_bytes(bytes));
  FUZZ_CHECK(trace.ok());
  FUZZ_CHECK(trace->damage().empty());
  return fuzz::text_of(*trace);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const AllocationLimit limit(64 << 20);
  evt::Status status;
  const std::string first = fuzz::trace_of({reinterpret_cast<const char*>(data), size}, &status);
  if (first.empty()) return 0;
  const std::string text = text_of(first);
  const std::string second = fuzz::trace_of(text, &status);
  FUZZ_CHECK(!second.empty());
  FUZZ_CHECK(text_of(second) == text);
  return 0;
}
