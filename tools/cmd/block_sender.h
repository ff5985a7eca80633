// evt snapshot --follow: the blocks of a trace that grows, as they are stored, to a pipe or to evt collect.
#pragma once

#include <evt/follow.h>

#include <cstdint>
#include <string>

#include "base/report.h"
#include "collect/block_stream.h"
#include "input/trace_inputs.h"

namespace evt::tools {

// Until the program has ended, or nobody reads. A collector that goes away is waited for, and gets what it lacks then.
class BlockSender {
 public:
  // `session`: only its blocks; 0: all.
  BlockSender(const TraceInput& input, std::uint64_t session, Report& report)
      : input_(input), session_(session), report_(report) {}

  // Return the exit status.
  int send_to_pipe(int descriptor);
  int send_to_socket(const std::string& path);

 private:
  enum class End { kAll, kNobodyReads, kProblem };

  // All blocks from the first one on.
  End send_all();
  bool take(Bytes bytes);
  bool send(const BlockStream::Block& block);
  bool write(const void* bytes, std::size_t size);
  bool begin_session(const BlockStream::Block& block);
  bool has_reader() const;
  // All that was sent arrived.
  bool is_taken() const;

  const TraceInput& input_;
  std::uint64_t session_;
  Report& report_;
  int descriptor_ = -1;
  bool is_answered_ = false;  // by a collector
  BlockStream stream_;
  std::uint64_t begun_ = 0;    // the session that is sent
  std::uint64_t lacks_ = 0;    // the collector has its blocks before this one
  std::uint64_t reached_ = 0;  // the largest of these so far
  bool has_reader_ = true;
  Status status_;
};

}  // namespace evt::tools
