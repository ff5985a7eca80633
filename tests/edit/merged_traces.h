// Merging traces in memory.
#pragma once

#include <evt/merge.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "support/text_trace.h"

namespace evt::testing {

inline TakeBytes into(std::string* out) {
  return [out](Bytes bytes) {
    out->append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return 0;
  };
}

inline std::string merged(const std::vector<std::string>& inputs) {
  MergeOptions options;
  for (std::size_t i = 0; i < inputs.size(); ++i) options.inputs.push_back({std::to_string(i), 0});
  options.open = [&](std::size_t i) -> Result<std::shared_ptr<Trace>> {
    return std::make_shared<Trace>(open_trace(inputs[i]));
  };
  std::string out;
  const auto done = merge(options, into(&out));
  EXPECT_TRUE(done) << done.status().message();
  return out;
}

}  // namespace evt::testing
