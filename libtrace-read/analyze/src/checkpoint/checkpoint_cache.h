// The folder in which the effective user's checkpoints of all traces are kept.
#pragma once

#include <evt/cache_folder.h>
#include <evt/trace.h>

#include <string>
#include <utility>

namespace evt {

class CheckpointCache {
 public:
  explicit CheckpointCache(std::string folder) : folder_(std::move(folder), "checkpoints", kSuffix) {}

  const CacheFolder& folder() const { return folder_; }
  // Where the checkpoints of a trace belong. `trace_file`: its path, if it has one.
  std::string path_of(const Trace& trace, const std::string& trace_file) const;

 private:
  static constexpr const char* kSuffix = ".checkpoints";

  CacheFolder folder_;
};

}  // namespace evt
