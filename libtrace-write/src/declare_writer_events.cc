#include "declare_writer_events.h"

#include <evt/encode.h>
#include <evt/events.h>
#include <string.h>

#include "backend.h"

namespace evt {
namespace {

// In the order of WriterEvents::Reason.
constexpr const char* kTexts[WriterEvents::kReasons] = {"waiting for room", "writing a block", "flusher"};

// Null when it is off, or the program has another type of this name.
template <Traced T>
const evt_type* declare(Recording& recording) {
  if (!recording.types().is_on(schema<T>.name)) return nullptr;
  return encoding::with_description<T>([&](const evt_event_type& type) {
    evt_error ignored;
    return recording.types().declare(type, TypeTable::By::kName, recording.metadata().types(), &ignored);
  });
}

}  // namespace

bool declare_writer_events(Recording& recording) {
  if (!recording.writer_events().allowed() || !recording.usable()) return true;
  const evt_type* const overhead = declare<events::Overhead>(recording);
  const evt_type* const stopped = declare<events::ProcessStopped>(recording);
  std::uint32_t reasons[WriterEvents::kReasons] = {};
  for (int i = 0; i < WriterEvents::kReasons && overhead != nullptr; ++i) {
    reasons[i] = recording.strings().intern(kTexts[i], strlen(kTexts[i]), 0, recording.metadata().strings());
  }
  if (!recording.backend().publish_metadata()) return false;
  recording.writer_events().declared(overhead, stopped, reasons);
  return true;
}

}  // namespace evt
