// The bytes of a trace that grows: a file and those after it, or a pipe.
#pragma once

#include <evt/status.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "libtrace-read/core/src/block/shared_buffer.h"
#include "libtrace-read/core/src/source/byte_source.h"

namespace evt {

class FollowedInput {
 public:
  virtual ~FollowedInput() = default;
  // `keeps`: what a pipe brings is kept for present().
  static Result<std::unique_ptr<FollowedInput>> open(const std::string& path, bool keeps);
  static Result<std::unique_ptr<FollowedInput>> open(int descriptor, const std::string& name, bool keeps);

  // `kept`, and what is there behind the bytes that were passed. The input must outlive it, and not be waited for.
  virtual std::unique_ptr<ByteSource> behind(SharedBuffer kept) = 0;
  // These bytes need not be read again.
  virtual void pass(std::uint64_t bytes) = 0;
  // Goes on with the file that has the next segment, if it is there: that with the lowest first block from here on.
  virtual bool go_on_with(std::uint64_t /*session_id*/, std::uint64_t /*block_no*/) { return false; }
  // Sleeps; a shorter time if something has come.
  virtual void wait(std::chrono::nanoseconds most) = 0;
  // Nothing can follow.
  virtual bool has_ended() const = 0;
  // All so far, in their order; none: it is not a file.
  virtual std::vector<std::string> files() const { return {}; }
  // All of the file that is read now, or that a pipe brought so far; null: a file that does not grow, or a pipe that is
  // not kept.
  virtual std::unique_ptr<ByteSource> present() const { return nullptr; }
  // Why a pipe cannot be kept.
  virtual Status kept() const { return {}; }
};

}  // namespace evt
