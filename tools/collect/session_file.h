// The file of one session in the folder of a collector.
#pragma once

#include <evt/status.h>

#include <cstdint>
#include <string>

#include "collect/block_stream.h"

namespace evt::tools {

class SessionFile {
 public:
  // That of the session which begins with this SESSION block: PROGRAM-PID-SESSION.evt, new, or as far as it was
  // received: a block that is not whole, and those of a ring behind the others, are cut off, as they come again.
  // Errors: kInvalid, another process receives it; kIo.
  static Result<SessionFile> open(const std::string& folder, const BlockStream::Block& block);
  SessionFile(SessionFile&& other) noexcept;
  SessionFile& operator=(SessionFile&&) = delete;
  ~SessionFile();

  std::uint64_t session_id() const { return session_id_; }
  std::uint64_t next_block_no() const { return next_block_no_; }
  std::uint64_t size() const { return size_; }
  const std::string& path() const { return path_; }
  bool has(const BlockHeader& header) const;
  // Behind the others; 0, or the errno: then nothing was appended. Blocks of a ring that are the last ones are cut off
  // first, if this one has a number: what it lacks of them comes again.
  int append(const BlockStream::Block& block);

 private:
  SessionFile(int descriptor, std::string path, std::uint64_t session_id)
      : descriptor_(descriptor), path_(std::move(path)), session_id_(session_id) {}
  bool find_end();

  int descriptor_;
  std::string path_;
  std::uint64_t session_id_;
  std::uint64_t size_ = 0;
  std::uint64_t numbered_ = 0;  // where the last block with a number ends
  std::uint64_t next_block_no_ = 0;
};

}  // namespace evt::tools
