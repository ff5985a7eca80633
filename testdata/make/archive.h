// The archive while it is being made: what is there stays, what is not is added.
#pragma once

#include <filesystem>
#include <string>

#include "core/raw_trace.h"

namespace evt::testing {

class Archive {
 public:
  explicit Archive(std::string folder) : folder_(std::move(folder)) {}

  std::string path_of(const std::string& name) const { return folder_ + "/" + name; }
  bool lacks(const std::string& name) const { return !std::filesystem::exists(path_of(name)); }
  // Makes a file of these bytes, unless there is one of that name.
  void add(const std::string& name, const std::string& bytes) const;
  void add(const std::string& name, const RawTrace& trace) const { add(name, trace.bytes()); }

 private:
  std::string folder_;
};

// One function for each source file.
void make_v1_from_texts(const Archive& archive);
void make_v1(const Archive& archive);
void make_v1_killed(const Archive& archive);
void make_killed_with_ring(const Archive& archive);
void make_v1_blocks(const Archive& archive);
void make_future_blocks(const Archive& archive);
void make_future_records(const Archive& archive);
void make_future_meanings(const Archive& archive);
void make_future_index(const Archive& archive);
void make_future_roles(const Archive& archive);
void make_future_readings(const Archive& archive);
void make_damaged_blocks(const Archive& archive);
void make_damaged_order(const Archive& archive);
void make_damaged_claims(const Archive& archive);
void make_damaged_index(const Archive& archive);
void make_damaged_readings(const Archive& archive);

}  // namespace evt::testing
