// The folder in which the effective user's checkpoints of all traces are kept.
#pragma once

#include <evt/status.h>
#include <evt/trace.h>

#include <string>

namespace evt {

class CheckpointCache {
 public:
  explicit CheckpointCache(std::string folder) : folder_(std::move(folder)) {}

  // Makes the folder if it is not there. An error when it cannot be had, or is not the effective user's alone.
  Status open() const;

  // Where the checkpoints of a trace belong. `trace_file`: its path, if it has one.
  std::string path_of(const Trace& trace, const std::string& trace_file) const;

  // A file was made or read: it is the latest used.
  static void note_use(const std::string& path);
  // Removes the files that were used longest ago, until the others take `max_bytes` at most. `kept` stays.
  void shrink(std::uint64_t max_bytes, const std::string& kept) const;

 private:
  std::string folder_;
};

}  // namespace evt
