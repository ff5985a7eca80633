// Receives sessions, each into a file of its own, from one sender or from many.
#pragma once

#include <chrono>
#include <cstdint>
#include <list>
#include <optional>
#include <string>

#include "base/report.h"
#include "collect/block_stream.h"
#include "collect/collect_limits.h"
#include "collect/session_file.h"

namespace evt::tools {

// One thread uses it. When there is no room, on the disk or within the folder's limit, it stops to read: what is not
// received stays with its sender.
class Collector {
 public:
  Collector(std::string folder, const CollectLimits& limits, const Report& report)
      : folder_(std::move(folder)), limits_(limits), report_(report) {}

  // Reads all blocks of a pipe; returns the exit status.
  int receive(int descriptor, const std::string& name);
  // Listens at the path of a socket until a signal ends it; returns the exit status.
  int listen(const std::string& path);

 private:
  using Clock = std::chrono::steady_clock;

  struct Sender {
    int descriptor = -1;
    bool is_answered = false;  // it is told which block comes next
    std::string name;
    BlockStream stream;
    std::optional<SessionFile> file;
    Clock::time_point active_at;
    bool is_waiting = false;  // for room
    bool has_ended = false;
  };

  void take(Sender& sender);
  void take_blocks(Sender& sender);
  Status begin_session(Sender& sender, const BlockStream::Block& block);
  // False if it has to wait.
  bool write(Sender& sender, const BlockStream::Block& block);
  void wait_for_room(Sender& sender, const std::string& reason);
  void end(Sender& sender, const std::string& sentence);
  void accept_from(int listener);
  void end_those_that_stall();
  std::uint64_t folder_bytes() const;
  std::uint64_t memory() const;

  std::string folder_;
  CollectLimits limits_;
  const Report& report_;
  std::list<Sender> senders_;
  std::uint64_t bytes_ = 0;  // in the folder
  bool is_full_ = false;
  int status_ = kExitOk;
};

}  // namespace evt::tools
