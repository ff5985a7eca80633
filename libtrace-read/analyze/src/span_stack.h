// What began and has not ended, one thing inside another, and what each had inside it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace evt {

// Spans of one stream, which begin and end in order, and complete ones, which are recorded when they end: what ended
// before and began inside one was a part of it. Memory is bounded: of spans that are open, 65536 at most are known; and
// of those that have ended and may be inside one that is yet to be recorded, the latest two hundred exactly, before
// that several as one stretch, of a hundredth of what came after it.
class SpanStack {
 public:
  struct Open {
    std::uint32_t row = 0;   // for the caller, as all else is
    std::uint32_t name = 0;  // by which an end may find it
    bool is_named = false;   // without, any end is its own
    std::uint32_t thread = 0;
    std::int64_t began = 0;
    std::int64_t start = 0;         // counted from
    std::uint64_t spent_ps = 0;     // by tracing on its stream, when it began
    std::uint64_t children_ns = 0;  // of those directly in it
  };
  struct Ended {
    std::uint64_t ns = 0;       // without what is subtracted
    std::uint64_t self_ns = 0;  // without what was inside it
    std::uint64_t subtracted_ns = 0;
    std::uint64_t off_ns = 0;   // self_ns is right to so much
    bool is_uncertain = false;  // an event that was lost may have been its end
    bool overlaps = false;      // another, which is neither inside it nor around it
  };
  struct Complete {
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::uint64_t step_ns = 0;   // it may have begun so much earlier
    std::uint64_t spent_ps = 0;  // by tracing, inside it
  };

  // `has_complete`: without, nothing is kept of what has ended.
  explicit SpanStack(bool has_complete = true) : has_complete_(has_complete) {}

  // How many of the outermost had to be forgotten for it.
  std::size_t begin(const Open& open);
  // The innermost that an end with this name can be of; nothing if there is none among the innermost 4096.
  std::optional<std::size_t> find(std::uint32_t name) const;
  // Leaves the innermost open for ever. REQUIRES: there is one.
  void leave();
  // Ends the innermost. REQUIRES: there is one.
  Ended end(std::int64_t ns, std::uint64_t spent_ps);
  Ended complete(const Complete& span);
  // Events were lost: what is open may have ended among them, and more may have begun.
  void lose(std::int64_t ns);
  // Time steps back: the same, and what has ended did so at times that mean nothing now.
  void jump(std::int64_t ns);
  // Counts from this moment on alone.
  void restart(std::int64_t ns, std::uint64_t spent_ps);

  // For the caller to change rows and threads alone.
  std::vector<Open>& open() { return open_; }
  const std::vector<Open>& open() const { return open_; }
  bool is_uncertain(std::size_t open) const { return open < uncertain_; }

 private:
  static constexpr std::size_t kMaxOpen = 65536;
  static constexpr std::size_t kMaxDone = 4096;
  static constexpr std::size_t kMaxSearched = 4096;

  // What ended in the innermost but `depth` of the open ones, and has nothing around it yet that ended.
  struct Done {
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::uint64_t ns = 0;     // of it, without what lies between several
    std::uint32_t depth = 0;  // how many were open around it
    std::uint32_t count = 1;  // spans that it represents
  };

  void forget(std::size_t outermost);
  void add_done(std::int64_t from, std::int64_t to, std::uint64_t ns);
  void thin();
  std::uint64_t take_inside(const Complete& span, Ended* ended);

  bool has_complete_;
  std::vector<Open> open_;
  std::vector<Done> done_;  // the innermost last, and then the latest
  std::size_t thin_at_ = kMaxDone;
  std::size_t uncertain_ = 0;         // how many of the outermost
  std::int64_t lost_ns_ = INT64_MIN;  // the latest loss
};

}  // namespace evt
