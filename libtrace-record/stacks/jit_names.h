// Names of code that processes make while they run, from the maps that their runtimes write: /tmp/perf-PID.map.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace evt::record {

// Reads maps as they grow, and only those that belong to the owner of the process or to this user.
class JitNames {
 public:
  // Bytes of all names together. What comes after is not read: is_full().
  static constexpr std::size_t kMostBytes = 32 << 20;

  struct Code {
    std::uint64_t end = 0;
    std::uint64_t begin = 0;
    std::string name;
  };

  // What a process had at an address at this time of CLOCK_MONOTONIC; null: its map does not say. Valid until the next
  // call.
  const Code* find(std::uint32_t process, std::uint64_t ns, std::uint64_t address);
  bool is_full() const { return is_full_; }

 private:
  struct Map {
    std::uint64_t looked_ns = 0;
    uid_t owner = 0;  // the owner of the process when it was last seen
    bool has_owner = false;
    std::uint64_t read = 0;                // bytes of the file
    std::string last;                      // line that was read
    std::map<std::uint64_t, Code> pieces;  // by beginning; none overlap
  };

  void look(std::uint32_t process, Map* map);
  bool is_continued(int descriptor, const Map& map) const;
  void read(int descriptor, std::uint64_t size, Map* map);
  void read_line(std::string_view line, Map* map);
  void add(Code code, Map* map);
  void forget_pieces(Map* map);

  std::map<std::uint32_t, Map> maps_;  // by process
  std::size_t bytes_ = 0;
  bool is_full_ = false;
};

}  // namespace evt::record
