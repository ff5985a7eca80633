// The header of a GHC eventlog: its event types, and their sizes.
#pragma once

#include <evt/status.h>

#include <memory>
#include <vector>

#include "libtrace-read/core/src/source/byte_source.h"
#include "log_type.h"

namespace evt::eventlog {

constexpr char kMagic[] = "hdrb";  // its first bytes

class Dictionary {
 public:
  // Null for a number that the log does not declare.
  const LogType* find(std::uint16_t id) const { return id < by_id_.size() ? by_id_[id] : nullptr; }
  const std::vector<std::unique_ptr<LogType>>& types() const { return types_; }
  // In logs of 2009, before there were blocks, each payload begins with the number of its capability.
  bool caps_in_payloads() const { return caps_in_payloads_; }
  std::uint64_t data_offset() const { return data_offset_; }
  std::uint32_t checksum() const { return checksum_; }  // covers the bytes it was read from

 private:
  friend class HeaderParser;

  std::vector<std::unique_ptr<LogType>> types_;
  std::vector<const LogType*> by_id_;
  bool caps_in_payloads_ = false;
  std::uint64_t data_offset_ = 0;
  std::uint32_t checksum_ = 0;
};

// Returns kNotATrace, with a sentence, if this is not a readable log.
Result<Dictionary> read_header(ByteSource& log);

}  // namespace evt::eventlog
