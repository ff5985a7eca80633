// Rows -> the payload of a compressed block: columns in one zstd frame.
#pragma once

#include "encoder.h"

struct ZSTD_CCtx_s;

namespace evt {

// Keeps working memory between blocks. Uses no C++ runtime. One thread at a time.
class ColumnFrame {
 public:
  ColumnFrame() = default;
  ColumnFrame(const ColumnFrame&) = delete;
  ColumnFrame& operator=(const ColumnFrame&) = delete;
  ~ColumnFrame();

  // See Encoder: knowledge of types makes frames smaller.
  columns::Encoder& encoder() { return encoder_; }

  // Returns false if there is no memory, if these are not rows, or if they would not take less space.
  bool make(const std::uint8_t* rows, std::size_t size, std::uint32_t row_count);

  // Valid until the next call.
  const std::uint8_t* bytes() { return frame_.data(); }
  std::size_t size() const { return size_; }
  std::size_t raw_size() const { return raw_size_; }

 private:
  bool put(const void* bytes, std::size_t size, bool last);

  columns::Encoder encoder_;
  ZSTD_CCtx_s* zstd_ = nullptr;
  columns::Scratch<std::uint8_t> frame_;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
  std::size_t raw_size_ = 0;
};

}  // namespace evt
