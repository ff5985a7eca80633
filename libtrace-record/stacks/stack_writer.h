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
  void open(evt_writer* writer);

  // `ticks`: when, on the session's clock.
  void add(const StackCopy& copy, const std::vector<StackFrame>& frames, StackEnd end, std::uint64_t ticks);
  void add_lost(std::uint64_t samples, std::uint64_t ticks);

 private:
  std::uint32_t frame(const StackFrame& frame);
  std::uint32_t unknown(const std::string& what);
  std::uint32_t named(const std::string& function, const std::string& module, std::uint64_t line);
  evt_stream* stream_of(std::uint32_t cpu);

  evt_writer* writer_ = nullptr;
  const evt_type* frame_ = nullptr;
  const evt_type* frames_ = nullptr;
  const evt_type* sample_ = nullptr;
  const evt_type* waiting_ = nullptr;
  std::map<std::tuple<const CodeFile*, std::uint64_t, bool>, std::uint32_t> known_;  // by place, and whether doubtful
  std::map<std::string, std::uint32_t> unknown_;                                     // code of no file, by what it is
  std::map<std::uint32_t, evt_stream*> streams_;                                     // by cpu
  std::vector<std::uint32_t> stack_;
};

}  // namespace evt::record
