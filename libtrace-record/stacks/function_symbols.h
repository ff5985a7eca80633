// The functions of a file by its table of symbols.
#pragma once

#include <elfutils/libdwfl.h>

#include <cstdint>
#include <vector>

namespace evt::record {

// libdwfl looks at each symbol of a file for each address, which takes milliseconds in a large one.
class FunctionSymbols {
 public:
  // The symbol of the function that has this address; null: there is none. The module must be the same each time, and
  // it has the text.
  const char* at(Dwfl_Module* module, std::uint64_t address);

 private:
  struct Function {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    const char* name = nullptr;
    int rank = 0;           // the lowest wins where several begin at one address
    bool has_size = false;  // else it ends where the next one begins, or with its section
  };

  void read(Dwfl_Module* module);

  std::vector<Function> functions_;  // by beginning, each once
  bool is_read_ = false;
};

}  // namespace evt::record
