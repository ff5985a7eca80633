// What evt convert reads: a trace, whose descriptor is opened, or text, which is read from the front.
#pragma once

#include <evt/decompression.h>
#include <evt/status.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "base/report.h"

namespace evt::tools {

class ConvertInput {
 public:
  // "-" is standard input. Of a folder, the trace that it becomes.
  static Result<ConvertInput> open(const std::string& path, Report& report);
  // REQUIRES: nothing was read yet.
  ConvertInput(ConvertInput&& other) noexcept;
  ConvertInput& operator=(ConvertInput&&) = delete;
  ~ConvertInput();

  // Reads until there are so many bytes in the buffer, or all. What is compressed is decompressed.
  Status look(std::size_t size);
  // Reads on; false at the end, or on an error, which is then in `status`.
  bool more(Status* status);
  std::string& buffer() { return buffer_; }

  // For who opens the descriptor instead: what was read of it.
  Bytes already_read() const { return std::as_bytes(std::span(decompression_ ? compressed_ : buffer_)); }
  // Nobody will.
  void forget_already_read() { is_kept_ = false; }
  int descriptor() const { return fd_; }
  const std::string& name() const { return name_; }

 private:
  ConvertInput(int fd, std::string name) : fd_(fd), name_(std::move(name)) {}
  std::size_t read(std::span<std::byte> to);
  std::size_t read_compressed(std::span<std::byte> to);

  int fd_;
  std::string name_;
  std::string buffer_;
  Status error_;  // of the descriptor
  std::optional<Decompression> decompression_;
  std::string compressed_;
  std::size_t used_ = 0;  // of these
  bool is_kept_ = true;
};

}  // namespace evt::tools
