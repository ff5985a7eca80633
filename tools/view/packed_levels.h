// The tiles of a session, level by level from the coarsest on, as a page keeps them in itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trace_answers.h"

namespace evt::tools {

// Refers to the answers.
class PackedLevels {
 public:
  PackedLevels(TraceAnswers& answers, std::size_t session);

  // The levels without which there is no picture of the whole session at some width of the page.
  unsigned needed() const { return needed_; }
  bool is_complete() const { return next_ < 0; }
  // Adds the next finer level, if it takes no more than this as text; false if it does.
  bool add_next(std::size_t most);
  void remove_last();
  // As JSON: {"level":12,"first":INDEX,"parts":[{"sizes":[BYTES,...],"data":"..."},...]},... Parts are tiles of all
  // rows, as /v1/tiles answers them, one behind another, packed together.
  std::string json() const;
  std::size_t size() const;
  // A tile of a time in which there is nothing, packed.
  std::string empty() const;

 private:
  // Of tiles that are packed together, so that the page need not unpack all of a level.
  static constexpr std::size_t kPartBytes = std::size_t{256} << 10;
  // Of a level: a page shows one or two of them at once.
  static constexpr std::int64_t kMaxTiles = 256;
  // Of a level, if each of its tiles were made by reading the events again.
  static constexpr std::uint64_t kMaxEventsRead = std::uint64_t{256} << 20;

  bool is_worth(unsigned level) const;
  std::optional<std::string> level_json(unsigned level, std::size_t most) const;

  TraceAnswers& answers_;
  std::size_t session_;
  TimeRange range_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::string> levels_;
  unsigned needed_ = 0;
  int next_ = -1;  // the level that add_next() adds
};

}  // namespace evt::tools
