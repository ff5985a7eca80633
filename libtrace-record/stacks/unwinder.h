// From a copy of a thread's registers and of the top of its stack to the functions that it was in.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "code_file.h"
#include "process_maps.h"
#include "sample_records.h"

namespace evt::record {

struct StackFrame {
  CodeFile* file = nullptr;   // null: code of no file
  std::string region;         // what that is, as the kernel calls it: "[vdso]"; empty: not known
  std::uint64_t address = 0;  // in the file; without one, in the process
  bool is_doubtful = false;   // found by the frame pointer, where no table describes the code

  bool is_unknown() const { return file == nullptr && region.empty(); }
};

enum class StackEnd : std::uint8_t {
  kWhole,      // the outermost function is there
  kTruncated,  // the copy of the stack ends
  kLost,       // no rule leads on
};

class Unwinder {
 public:
  static constexpr std::size_t kMaxFrames = 512;

  explicit Unwinder(const ProcessMaps& maps) : maps_(maps) {}

  // The frames of a sample, the innermost first; those of a call are at its own instruction, not at the one that it
  // returns to. Replaces what `frames` had.
  StackEnd unwind(const StackCopy& copy, std::vector<StackFrame>* frames);

 private:
  StackFrame frame_at(const StackCopy& copy, std::uint64_t pc);
  CodeFile* file_of(const CodeMapping& mapping);

  const ProcessMaps& maps_;
  std::map<ino_t, std::vector<std::unique_ptr<CodeFile>>> files_;
};

}  // namespace evt::record
