// What one thread spends its time on: calls, the cpu, sleep; and what of it the whole process was stopped.
#pragma once

#include <evt/analysis/usage.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace evt {

// Time goes to the innermost call that is open, or else to the thread's use. What is recorded late (calls at their end,
// and that the process was stopped) is looked for in the thread's latest stretches of time, of which there are at most
// 64: of what lies further back `forgotten_ns` is counted.
class ThreadUsage {
 public:
  static constexpr std::size_t kUses = Usage::kUses;

  struct Call {
    std::uint32_t sum = 0;  // index of its CallSum
    std::uint32_t function = 0;
    std::uint32_t target = 0;
    std::int64_t begin_ns = 0;
    std::uint64_t amount = 0;
    std::uint64_t limit = 0;        // per second; 0: none
    std::uint64_t expected_ns = 0;  // that it takes by the limit; known when it ends
    std::uint64_t tracing_ns = 0;   // that tracing took, which does not count; the same
    std::uint64_t number = 0;       // of the thread's calls
    std::uint64_t ns = 0;           // counted
    std::uint64_t stopped_ns = 0;   // of them the process was stopped
    std::uint64_t before_ns = 0;    // the same of what was before counting began
    std::uint64_t stopped_before_ns = 0;
  };
  using Times = Usage::Times;
  using Sums = std::vector<CallSum>;

  // `looks_back`: something may be recorded late. What was before `counted_from` does not count.
  void set(bool looks_back, std::int64_t counted_from) {
    looks_back_ = looks_back;
    counted_from_ = counted_from;
  }

  Use use() const { return use_; }
  bool has_open() const { return !open_.empty(); }
  std::vector<Call>& open() { return open_; }

  // From now on, which is not before the moment passed last.
  void become(Use use, std::int64_t ns);
  void begin(Call call, std::int64_t ns);
  // The innermost call ends. The caller has set its `amount` and `expected_ns`.
  void end(std::int64_t ns, Sums* sums);
  // A call ends now that began then, without begin().
  void complete(Call call, std::int64_t ns, Sums* sums);
  // The whole process was stopped from then on until now.
  void stop(std::int64_t from_ns, std::int64_t ns, Sums* sums);
  // Counts from then on alone.
  void restart(std::int64_t ns);
  // Until then. The sums get what calls that are open have had.
  Times times(std::int64_t ns, Sums* sums) const;

  // Where sums are now, by where they were.
  void move_sums(const std::vector<std::uint32_t>& to);

  std::uint64_t forgotten_ns() const { return forgotten_ns_; }

 private:
  // A stretch of time, without gaps to the next.
  struct Piece {
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::uint64_t call = 0;  // its number; 0: none
    Use use = Use::kAbsent;
    bool stopped = false;
  };
  static constexpr std::size_t kPieces = 64;
  static constexpr std::size_t kEnded = 32;

  void settle(std::int64_t ns);
  void add_piece(const Piece& piece);
  void count(const Piece& piece, std::uint64_t ns, bool comes);
  std::size_t split_at(std::int64_t ns);
  void mark_stopped(Piece* piece, Sums* sums);
  Call* call_of(std::uint64_t number);
  static void apply(const Call& call, CallSum* sum, bool comes);
  void add_ended(const Call& call, Sums* sums);

  Use use_ = Use::kAbsent;
  std::int64_t since_ns_ = 0;  // it is as it is, and counted until then
  std::int64_t counted_from_ = INT64_MIN;
  Times times_;
  std::vector<Call> open_;
  std::uint64_t last_call_ = 0;  // its number
  std::vector<Piece> pieces_;
  bool looks_back_ = true;
  bool dropped_ = false;     // pieces before those
  std::vector<Call> ended_;  // the latest; a circle by their numbers
  std::uint64_t forgotten_ns_ = 0;
};

}  // namespace evt
