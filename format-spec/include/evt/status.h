// Success or one clear sentence. The only exception that crosses a public interface is std::bad_alloc, of the reader.
#pragma once

#include <evt/code.h>
#include <evt/cpp20.h>

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace evt {

enum class Code : std::uint8_t {
  kOk = EVT_OK,
  kInvalid = EVT_CODE_INVALID,
  kIo = EVT_CODE_IO,
  kMemory = EVT_CODE_MEMORY,
  kNotATrace = EVT_CODE_NOT_A_TRACE,
  kNewerFormat = EVT_CODE_NEWER_FORMAT,
  kTruncated = EVT_CODE_TRUNCATED,
  kDamaged = EVT_CODE_DAMAGED,
  kSchema = EVT_CODE_SCHEMA,
  kClosed = EVT_CODE_CLOSED,
  kBusy = EVT_CODE_BUSY,
};

// What went wrong, where in the file (byte offset; kNowhere if not in one), and a lower-case sentence that states what
// was found and what was expected.
class [[nodiscard]] Status {
 public:
  static constexpr std::uint64_t kNowhere = UINT64_MAX;

  Status() = default;
  Status(Code code, std::string message, std::uint64_t offset = kNowhere)
      : code_(code), offset_(offset), message_(std::move(message)) {}

  bool ok() const { return code_ == Code::kOk; }
  Code code() const { return code_; }
  std::uint64_t offset() const { return offset_; }
  const std::string& message() const { return message_; }

 private:
  Code code_ = Code::kOk;
  std::uint64_t offset_ = kNowhere;
  std::string message_;
};

// A value, or the reason why there is none.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Status status) : status_(std::move(status)) { assert(!status_.ok()); }

  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Status& status() const { return status_; }

  // REQUIRES: ok(). Not through -> of a temporary result: references returned by a member would outlive the value.
  T& operator*() & { return *value_; }
  T&& operator*() && { return *std::move(value_); }
  const T& operator*() const& { return *value_; }
  T* operator->() & { return &*value_; }
  const T* operator->() const& { return &*value_; }
  T* operator->() && = delete;
  const T* operator->() const&& = delete;

 private:
  Status status_;
  std::optional<T> value_;
};

}  // namespace evt
