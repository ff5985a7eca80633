// Where a tool's data goes: standard output, or a file that appears under its name when it is complete.
#pragma once

#include <evt/status.h>
#include <evt/text/text_buffer.h>

#include <string>
#include <string_view>
#include <utility>

#include "output_mode.h"

namespace evt::tools {

// All of them to a descriptor; 0, or the errno of what could not be written.
int write_all(int descriptor, const void* bytes, std::size_t size);

// That the file could not be written: names its folder if that is what is missing.
Status cannot_write(const std::string& what, int error);

// Text on its way to a descriptor, gathered here. A reader that has gone away ends the program quietly, by SIGPIPE.
class TextOutput {
 public:
  TextOutput() = default;  // standard output
  // A descriptor of the caller's; `name` is how messages call it.
  TextOutput(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}
  TextOutput(const TextOutput&) = delete;
  TextOutput& operator=(const TextOutput&) = delete;

  // Append here, then call drain() now and then.
  TextBuffer& text() { return text_; }
  // What is appended is lines of JSON, to be written with each whole number beyond 2^53, of either sign, as a text;
  // drain() only behind a whole line.
  void set_json_safe(bool is_json_safe) { is_json_safe_ = is_json_safe; }
  // Writes what has gathered, if it is much. False after a failed write.
  bool drain() { return text_.size() < kEnough || flush(); }
  bool flush();
  const Status& status() const { return status_; }

 private:
  static constexpr std::size_t kEnough = 64 << 10;
  int descriptor_ = 1;
  std::string name_ = "standard output";
  bool is_json_safe_ = false;
  TextBuffer text_;
  TextBuffer safe_text_;
  Status status_;
};

// A file that is written beside its place and takes it when complete; gone if it never is. A symbolic link stays, and
// the file that it leads to is replaced. What is not a regular file (a device, a FIFO) is written to as it is. "-" is
// standard output, if that is no terminal.
class FileOutput {
 public:
  // A file that is replaced keeps its mode; a new one has this.
  static Result<FileOutput> open(const std::string& path, const OutputMode& mode);
  FileOutput(FileOutput&& other) noexcept;
  FileOutput& operator=(FileOutput&&) = delete;
  ~FileOutput();

  int descriptor() const { return descriptor_; }
  const std::string& name() const { return name_; }
  // All the bytes; 0, or the errno that status() then explains.
  int write(const void* bytes, std::size_t size);
  const Status& status() const { return status_; }
  // Gives it its name. What has no bytes is no trace and gets none, unless it is to be something else.
  Status complete(bool may_be_empty = false);

 private:
  FileOutput(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}

  int descriptor_ = -1;
  std::string name_;       // as the user calls it
  std::string path_;       // what is replaced
  std::string temporary_;  // empty: written in place
  unsigned mode_ = 0;      // of the complete file
  Status status_;
};

// All of a FileOutput.
Status write_file(const std::string& path, const OutputMode& mode, std::string_view bytes);

}  // namespace evt::tools
