// Records samples of stacks: each distinct frame and stack once, as rows that samples refer to.
#pragma once

#include <evt/emit.h>

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "unwinder.h"

namespace evt::record {

class StackWriter {
 public:
  // Its streams are called so, and by their cpu.
  static constexpr const char* kStreams = "samples of cpu ";

  void open(evt_writer* writer);

  // `ticks`: when, on the session's clock.
  void add(const StackCopy& copy, const std::vector<StackFrame>& frames, StackEnd end, std::uint64_t ticks);
  void add_lost(std::uint64_t samples, std::uint64_t ticks);

 private:
  using Frames = std::vector<std::uint32_t>;

  // It and the functions that are inlined there.
  void add_frame(const StackFrame& frame);
  Frames frames_of(const StackFrame& frame);
  std::uint32_t unknown(const std::string& what, const std::string& module = "");
  std::uint32_t named(const CodeName& name, const std::string& module);
  evt_stream* stream_of(std::uint32_t cpu);

  evt_writer* writer_ = nullptr;
  const evt_type* frame_ = nullptr;
  const evt_type* frames_ = nullptr;
  const evt_type* sample_ = nullptr;
  const evt_type* waiting_ = nullptr;
  std::map<std::tuple<const CodeFile*, std::uint64_t, bool>, Frames> known_;  // by place, and whether doubtful
  std::map<std::pair<std::string, std::string>, std::uint32_t> unknown_;      // code of no file, by name and module
  std::map<std::uint32_t, evt_stream*> streams_;                              // by cpu
  Frames stack_;
};

}  // namespace evt::record
