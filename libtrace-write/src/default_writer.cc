#include "default_writer.h"

#include <evt/trace_site.h>

#include "evt_writer.h"
#include "signal_frame.h"

evt_writer* evt_default_writer_ = nullptr;

void evt::end_default(const evt_writer* writer) {
  auto* expected = const_cast<evt_writer*>(writer);
  __atomic_compare_exchange_n(&evt_default_writer_, &expected, nullptr, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

// The child may have one of its own already.
void evt::leave_default_to_parent() {
  const evt_writer* const writer = evt_default();
  if (writer != nullptr && !writer->ours()) end_default(writer);
}

void evt::become_default(evt_writer* writer) {
  prepare_for_signal_frames();
  evt_writer* none = nullptr;
  __atomic_compare_exchange_n(&evt_default_writer_, &none, writer, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

void evt_set_default(evt_writer* writer) {
  evt::prepare_for_signal_frames();
  __atomic_store_n(&evt_default_writer_, writer, __ATOMIC_RELEASE);
  if (writer != nullptr && writer->is_closing()) evt::end_default(writer);
}
