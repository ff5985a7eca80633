// Traces of several programs as one.
#pragma once

#include <evt/merge.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "support/text_trace.h"

namespace evt::testing {

// What evt merge makes of the traces that the texts describe; without names they are called "part 1" and so on.
inline std::string merged_of(const std::vector<std::string>& texts, const std::vector<std::string>& names = {}) {
  std::string bytes;
  MergeOptions options;
  std::vector<std::string> inputs;
  for (const std::string& text : texts) {
    inputs.push_back(trace_from_text(text));
    options.inputs.push_back({names.empty() ? fmt::format("part {}", inputs.size()) : names[inputs.size() - 1], 0});
  }
  options.open = [&](std::size_t input) -> Result<std::shared_ptr<Trace>> {
    return std::make_shared<Trace>(open_trace(inputs[input]));
  };
  const auto merged = merge(options, [&](Bytes piece) {
    bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    return 0;
  });
  EXPECT_TRUE(merged) << merged.status().message();
  return bytes;
}

}  // namespace evt::testing
