// Functions whose code a compiler put in the place of a call, by debug information.
#pragma once

#include <elfutils/libdwfl.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace evt::record {

class InlinedCalls {
 public:
  // Entries of debug information that are looked at, which takes a second, and parts of code that are kept, of all of
  // its units. What comes after has no inlined calls: is_full().
  static constexpr std::size_t kMostEntries = 2'000'000;
  static constexpr std::size_t kMostRanges = 250'000;

  struct Call {
    std::string function;    // that was called, demangled
    std::uint64_t line = 0;  // where the caller calls it, in its source; 0: not known
  };

  // Those that an address of the module is in, the innermost first. Each unit of debug information is read once.
  std::vector<Call> at(Dwfl_Module* module, std::uint64_t address);
  bool is_full() const { return entries_ > kMostEntries || ranges_ > kMostRanges; }

 private:
  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    Dwarf_Off entry = 0;
    std::uint32_t line = 0;
  };
  using Unit = std::vector<Range>;  // outer ones come before those within them

  void read(Dwarf_Die* parent, int depth, Unit* unit);
  void add(Dwarf_Die* call, Unit* unit);

  std::map<Dwarf_Off, Unit> units_;
  std::size_t entries_ = 0;
  std::size_t ranges_ = 0;
};

}  // namespace evt::record
