// A whole file of any bytes: events come out sorted, with every getter total, and what is reported adds up.
#include <evt/trace.h>

#include <map>

#include "event_text.h"
#include "fuzz_target.h"
#include "text_form_writer.h"

namespace {

struct Known {
  std::uint32_t thread = 0;
  std::string_view why;
  std::span<const std::uint16_t> numbers;
};

}  // namespace

template <>
inline constexpr auto evt::schema<Known> = evt::event("sched.stop", "", evt::field("thread", &Known::thread),
                                                      evt::field("why", &Known::why),
                                                      evt::field("numbers", &Known::numbers));

namespace {

void use_every_getter(const evt::Event& event) {
  event.utc_ns();
  event.value("thread");
  event.value(std::size_t{3});
  event.as<Known>();
  evt::FieldWalker walker = event.values();
  while (const auto value = walker.next()) {
    value->as_unsigned();
    value->as_signed();
    value->as_double();
    value->as_text();
    std::size_t elements = 0;
    value->for_each([&](const evt::Value& element) { elements += element.bytes().size() < SIZE_MAX ? 1 : 0; });
    FUZZ_CHECK(elements == value->count());
  }
  FUZZ_CHECK(walker.rest().size() <= event.payload().size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  evt::ReadOptions options;
  options.memory_budget = 1 << 20;
  auto trace = evt::Trace::from_memory({reinterpret_cast<const std::byte*>(data), size}, options);
  if (!trace) {
    FUZZ_CHECK(!trace.status().message().empty());
    return 0;
  }
  std::uint64_t events_read = 0;
  for (const bool by_ns : {false, true}) {
    evt::Events events = trace->events({.markers = true, .by_ns = by_ns});
    std::uint64_t count = 0;
    const evt::Session* session = nullptr;
    // The order's key: the latest time of each stream so far. A jump begins anew.
    std::map<std::uint32_t, std::int64_t> latest;
    std::int64_t last_key = INT64_MIN;
    bool jumped = false;
    while (const evt::Event* event = events.next()) {
      ++count;
      if (&event->session() != session) {
        session = &event->session();
        latest.clear();
        last_key = INT64_MIN;
        jumped = false;
      }
      jumped |= event->is_jump();
      auto& key = latest.try_emplace(event->stream().id, INT64_MIN).first->second;
      key = std::max(key, event->ns());
      if (!jumped) FUZZ_CHECK(key >= last_key);
      last_key = std::max(last_key, key);
      use_every_getter(*event);
    }
    if (by_ns) FUZZ_CHECK(count == events_read);
    events_read = count;
  }
  for (const evt::Damage& damage : trace->damage()) {
    FUZZ_CHECK(damage.offset <= size && damage.length <= size - damage.offset);
    FUZZ_CHECK(!damage.reason.empty());
  }
  if (!trace->damage().empty()) FUZZ_CHECK(!trace->status().ok());
  return 0;
}
