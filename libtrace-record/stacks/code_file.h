// A file of machine code: how to leave its frames, and what its functions are called. By elfutils' libdw.
#pragma once

#include <elfutils/libdwfl.h>
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "frame_rule.h"
#include "function_symbols.h"
#include "inlined_calls.h"

namespace evt::record {

// A function that an address is in.
struct CodeName {
  std::string function;     // demangled; without a symbol libfoo.so+0x1230, where the function begins
  std::uint64_t line = 0;   // in its source; 0: not known
  bool is_inlined = false;  // its code is part of the next one's
};

// Used by one thread. Reads files of this machine alone, whatever DEBUGINFOD_URLS has.
class CodeFile {
 public:
  // A file that cannot be read, or that is no longer the one with this inode, has no rules and no names.
  CodeFile(const std::string& path, ino_t inode);
  // One that is in memory only.
  CodeFile(const std::string& name, std::string_view image);

  const std::string& path() const { return path_; }
  bool has_code() const { return module_ != nullptr; }
  // The address that the file gives to what is at this offset in it.
  std::uint64_t address_of(std::uint64_t offset) const;
  // The rule for an address; its `cfa` is kNone if there is none. Valid until the next call.
  const FrameRule& rule_of(std::uint64_t address);
  // The innermost first: inlined ones, and the function that has them.
  std::vector<CodeName> names_of(std::uint64_t address);
  // Some inlined functions are not among them: there is too much debug information.
  bool lacks_inlined() const { return inlined_.is_full(); }

 private:
  // A part of the file, and where it says that it is in memory.
  struct Segment {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::uint64_t address = 0;
  };
  struct End {
    void operator()(Dwfl* session) const { dwfl_end(session); }
  };

  FrameRule read_rule(std::uint64_t address);
  void report(int descriptor);
  std::string symbol_of(std::uint64_t address);
  std::uint64_t line_of(std::uint64_t address) const;
  void for_each_segment(std::uint32_t type, const std::function<void(Elf*, const Segment&)>& each) const;
  void read_functions();
  std::uint64_t function_begin(std::uint64_t address);

  std::string path_;
  std::unique_ptr<Dwfl, End> session_;
  Dwfl_Module* module_ = nullptr;  // null: there is none
  std::vector<Segment> loaded_;
  std::map<std::uint64_t, FrameRule> rules_;  // by their beginning
  std::vector<std::uint64_t> functions_;      // where they begin, in order
  bool has_functions_ = false;                // they were looked for
  FunctionSymbols symbols_;
  InlinedCalls inlined_;
};

}  // namespace evt::record
