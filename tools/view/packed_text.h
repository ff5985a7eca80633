// Bytes as text for a page: deflated (zlib's format), in base64. A browser unpacks it by atob() and
// DecompressionStream.
#pragma once

#include <zlib.h>

#include <string>
#include <string_view>

namespace evt::tools {

class PackedText {
 public:
  PackedText();
  ~PackedText();
  PackedText(const PackedText&) = delete;
  PackedText& operator=(const PackedText&) = delete;

  void add(std::string_view bytes) { deflate_all(bytes, Z_NO_FLUSH); }
  // Of the text so far, at least.
  std::size_t size() const { return deflated_.size() / 3 * 4; }
  // Nothing is added afterwards.
  std::string text();

 private:
  void deflate_all(std::string_view bytes, int flush);

  z_stream stream_{};
  std::string deflated_;
};

std::string packed(std::string_view bytes);

}  // namespace evt::tools
