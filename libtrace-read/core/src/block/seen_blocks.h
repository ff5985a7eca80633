// Blocks that were met, by session and number.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>

namespace evt {

// Numbers are kept as ranges without gaps: a file in order has one range per session. The number of ranges is bounded:
// beyond that a new gap counts as met, so that blocks in it are refused.
class SeenBlocks {
 public:
  static constexpr std::size_t kMaxRanges = std::size_t{1} << 16;  // for all sessions, besides the last of each

  enum class State : std::uint8_t {
    kNew,
    kSeen,
    kRefused,  // there are too many gaps to know
  };

  bool empty() const { return sessions_.empty(); }
  bool has_session(std::uint64_t session) const { return sessions_.contains(session); }
  // After the largest number that was met; 0 for a session that was not.
  std::uint64_t end(std::uint64_t session) const;

  State look(std::uint64_t session, std::uint64_t number) const;
  bool is_new(std::uint64_t session, std::uint64_t number) const { return look(session, number) == State::kNew; }
  // REQUIRES: it is new.
  void add(std::uint64_t session, std::uint64_t number);

 private:
  using Ranges = std::map<std::uint64_t, std::uint64_t>;  // end by begin
  struct Session {
    // The last range, which is the only one of nearly all sessions.
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::unique_ptr<Ranges> earlier;
  };

  bool is_full() const { return ranges_ >= kMaxRanges; }
  void add_earlier(Session& session, std::uint64_t number);

  std::unordered_map<std::uint64_t, Session> sessions_;
  std::unordered_set<std::uint64_t> with_refused_;  // sessions with a gap that could not be kept
  std::size_t ranges_ = 0;                          // in `earlier` of all sessions
};

}  // namespace evt
