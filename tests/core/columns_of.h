// Rows of ticks as columns, uncompressed.
#pragma once

#include <stdexcept>
#include <string>

#include "format-spec/src/columns/encoder.h"
#include "support/rows.h"

namespace evt::testing {

inline std::string columns_of(const Rows& rows) {
  static constexpr columns::Item kTick[] = {{columns::kFixed, 8}};
  columns::Encoder encoder;
  encoder.set_items(1024, kTick, 1);
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(rows.bytes().data());
  if (!encoder.encode(bytes, rows.bytes().size(), rows.count())) throw std::runtime_error("no columns");
  return std::string(reinterpret_cast<const char*>(encoder.directory().data()), encoder.directory().size()) +
         std::string(reinterpret_cast<const char*>(encoder.data()), encoder.data_size());
}

}  // namespace evt::testing
