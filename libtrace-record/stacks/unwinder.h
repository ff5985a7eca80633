// From a copy of a thread's registers and of the top of its stack to the functions that it was in.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "code_file.h"
#include "jit_names.h"
#include "process_maps.h"
#include "sample_records.h"

namespace evt::record {

struct StackFrame {
  CodeFile* file = nullptr;   // null: code of no file
  std::string region;         // what that is, as the kernel calls it: "[stack]"; empty: not known
  std::string made;           // its name, if a runtime made it; its file is null
  std::uint64_t address = 0;  // in the file; without one, in the process
  bool is_doubtful = false;   // found by the frame pointer, where nothing says that the code has one

  // Code that evt run loads into programs.
  bool is_of_recorder() const;
  bool is_unknown() const { return file == nullptr && made.empty() && region.empty(); }
};

enum class StackEnd : std::uint8_t {
  kOutermost,  // the outermost function is there
  kTruncated,  // the copy of the stack ends
  kLost,       // no rule leads on
};

class Unwinder {
 public:
  static constexpr std::size_t kMaxFrames = 512;

  explicit Unwinder(const ProcessMaps& maps) : maps_(maps) {}

  const JitNames& jit_names() const { return jit_names_; }
  // How many files lack inlined functions, as they have more debug information than is read.
  std::size_t files_without_inlined() const;

  // The frames of a sample, the innermost first; those of a call are at its own instruction, not at the one that it
  // returns to. Replaces what `frames` had.
  StackEnd unwind(const StackCopy& copy, std::vector<StackFrame>* frames);

 private:
  struct Place {
    StackFrame frame;
    bool has_frame_pointer = false;  // no table describes the code, but a runtime made it, and did begin its frame
  };
  Place place_of(const StackCopy& copy, std::uint64_t pc);
  CodeFile* file_of(const CodeMapping& mapping);
  CodeFile* vdso(std::size_t size);

  const ProcessMaps& maps_;
  JitNames jit_names_;
  std::unique_ptr<CodeFile> vdso_;
  std::size_t vdso_size_ = 0;
  std::map<ino_t, std::vector<std::unique_ptr<CodeFile>>> files_;
};

}  // namespace evt::record
