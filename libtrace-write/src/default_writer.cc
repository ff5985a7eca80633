#include "default_writer.h"

#include <evt/trace_site.h>

#include "signal_frame.h"

evt_writer* evt_default_writer_ = nullptr;

void evt::end_default(const evt_writer* writer) {
  auto* expected = const_cast<evt_writer*>(writer);
  __atomic_compare_exchange_n(&evt_default_writer_, &expected, nullptr, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

void evt::become_default(evt_writer* writer) {
  prepare_for_signal_frames();
  evt_writer* none = nullptr;
  __atomic_compare_exchange_n(&evt_default_writer_, &none, writer, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

void evt::make_default(evt_writer* writer) {
  prepare_for_signal_frames();
  __atomic_store_n(&evt_default_writer_, writer, __ATOMIC_RELEASE);
}
