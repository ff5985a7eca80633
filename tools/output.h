// Where a tool's data goes: standard output, or a file that appears under its name when it is complete.
#pragma once

#include <evt/status.h>

#include <string>
#include <string_view>

namespace evt::tools {

// Standard output, buffered here. A reader that has gone away ends the program quietly, by SIGPIPE.
class StandardOutput {
 public:
  StandardOutput() = default;
  StandardOutput(const StandardOutput&) = delete;
  StandardOutput& operator=(const StandardOutput&) = delete;

  // Append here, then call drain() now and then.
  std::string& text() { return text_; }
  // Writes what has gathered, if it is much. False after a failed write.
  bool drain() { return text_.size() < kEnough || flush(); }
  bool flush();
  const Status& status() const { return status_; }

 private:
  static constexpr std::size_t kEnough = 64 << 10;
  std::string text_;
  Status status_;
};

// A file that is written beside its place and takes it when complete; gone if it never is. What is not a regular file
// (a device, a FIFO) is written to as it is. "-" is standard output, if that is no terminal.
class FileOutput {
 public:
  static Result<FileOutput> open(const std::string& path);
  FileOutput(FileOutput&& other) noexcept;
  FileOutput& operator=(FileOutput&&) = delete;
  ~FileOutput();

  int descriptor() const { return descriptor_; }
  // Gives it its name.
  Status complete();

 private:
  FileOutput(int descriptor, std::string path, std::string temporary)
      : descriptor_(descriptor), path_(std::move(path)), temporary_(std::move(temporary)) {}

  int descriptor_ = -1;
  std::string path_;
  std::string temporary_;  // empty: written in place
};

}  // namespace evt::tools
