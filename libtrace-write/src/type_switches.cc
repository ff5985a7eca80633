#include "type_switches.h"

#include <evt/encode.h>
#include <string.h>

#include <string_view>

#include "backend.h"

namespace evt {

struct TypesSwitched {
  std::string_view types;
  bool on = false;
  std::uint32_t user = 0;
  std::uint32_t process = 0;
};
template <>
inline constexpr auto schema<TypesSwitched> = event("trace.switched",
                                                    "another process switched types of this program on or off",
                                                    Role::kMark, field("types", &TypesSwitched::types),
                                                    field("on", &TypesSwitched::on),
                                                    field("user", &TypesSwitched::user),
                                                    field("process", &TypesSwitched::process));

namespace {

bool is_whole(const ring::Switch& asked, std::uint64_t number) {
  const std::size_t length = strnlen(asked.glob, sizeof asked.glob);
  return asked.number == number && asked.on <= 1 && length > 0 && length < sizeof asked.glob;
}

}  // namespace

void TypeSwitches::apply(FlusherStream& stream) {
  ring::ControlPage* const page = ring_.control();
  if (page == nullptr) return;
  const std::uint64_t asked = __atomic_load_n(&page->generation, __ATOMIC_ACQUIRE);
  if (asked == done_) return;
  if (asked - done_ > ring::kSwitches) done_ = asked - ring::kSwitches;
  while (done_ != asked) {
    ring::Switch next;
    memcpy(&next, &page->switches[done_ % ring::kSwitches], sizeof next);
    if (is_whole(next, done_ + 1) && applied_ < kMost && !apply(next, stream)) return;
    ++done_;
  }
  __atomic_store_n(&page->applied, done_, __ATOMIC_RELEASE);
}

// Returns false if there is no room for its description now. REQUIRES: lock held.
bool TypeSwitches::declare_event() {
  if (event_ != nullptr || !recording_.writer_events().allowed() || !recording_.usable()) return true;
  if (!recording_.types().is_on(schema<TypesSwitched>.name)) return true;
  event_ = encoding::with_description<TypesSwitched>([&](const evt_event_type& type) {
    evt_error ignored;
    return recording_.types().declare(type, TypeTable::By::kName, recording_.metadata().types(), &ignored);
  });
  return recording_.backend().publish_metadata();
}

// Returns false, to be retried, while the session's lock is held.
bool TypeSwitches::apply(const ring::Switch& asked, FlusherStream& stream) {
  {
    const Lock lock = Lock::try_to(recording_);
    if (!lock.held() || !declare_event()) return false;
  }
  // The type of that event may be among those that are switched.
  const bool is_recorded = stream.record_switch(event_, asked);
  {
    const Lock lock = Lock::try_to(recording_);
    if (!lock.held()) return false;
    recording_.types().switch_types(asked.glob, asked.on != 0);
    if (!declare_event()) return false;
  }
  if (!is_recorded) stream.record_switch(event_, asked);
  ++applied_;
  return true;
}

}  // namespace evt
