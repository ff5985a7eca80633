// Compares what the values of two fields of one name count; texts and labels do not matter.
#pragma once

#include <evt/value.h>

namespace evt {

inline bool same_meaning(const Field& a, const Field& b) {
  return a.is_flags == b.is_flags && a.scale == b.scale && a.scope == b.scope && a.absent == b.absent &&
         a.unit_text == b.unit_text;
}

}  // namespace evt
