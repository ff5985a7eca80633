#include "collect/block_stream.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "format-spec/src/block/crc32c.h"

namespace evt::tools {
namespace {

const std::uint8_t* raw(const std::byte* bytes) { return reinterpret_cast<const std::uint8_t*>(bytes); }

}  // namespace

std::span<std::byte> BlockStream::room() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= std::exchange(begin_, 0);
  }
  // What a header claims is not allocated before half of it has come.
  const std::size_t lacks = size_ > end_ ? std::min(size_ - end_, std::max(end_, kLeast)) : 0;
  buffer_.resize(end_ + std::max(lacks, kLeast));
  // A large block was in it: many senders may have had one.
  if (buffer_.size() <= kMostUnused && buffer_.capacity() > 4 * kMostUnused) buffer_.shrink_to_fit();
  return {buffer_.data() + end_, buffer_.size() - end_};
}

Status BlockStream::refuse(std::string reason) const {
  return {Code::kDamaged, fmt::format("at byte {}: {}", offset_, std::move(reason)), offset_};
}

// Up to seven zero bytes.
void BlockStream::skip_padding() {
  for (; begin_ < end_ && padding_ > 0 && buffer_[begin_] == std::byte{0}; --padding_) {
    ++begin_;
    ++offset_;
  }
}

bool BlockStream::has_header() {
  if (size_ > 0) return true;
  skip_padding();
  if (begin_ == end_) return false;
  const HeaderState state = load_block_header(raw(buffer_.data() + begin_), end_ - begin_, &block_.header);
  if (state == HeaderState::kShort) return false;
  if (state != HeaderState::kGood) {
    status_ = refuse(state == HeaderState::kNewer ? "a block of a newer format" : "expected the header of a block");
    return false;
  }
  if (block_.header.payload_size > EVT_MAX_EVENTS_PAYLOAD) {
    status_ = refuse(fmt::format("a block of {} bytes, of {} at most", block_.header.payload_size,
                                 std::uint64_t{EVT_MAX_EVENTS_PAYLOAD}));
    return false;
  }
  size_ = std::size_t{block_.header.header_size} + block_.header.payload_size;
  return true;
}

const BlockStream::Block* BlockStream::front() {
  if (!status_.ok() || !has_header() || end_ - begin_ < size_) return nullptr;
  block_.bytes = {buffer_.data() + begin_, size_};
  if (is_whole_) return &block_;
  const std::span<const std::byte> payload = block_.bytes.subspan(block_.header.header_size);
  is_whole_ = crc32c(0, payload.data(), payload.size()) == block_.header.payload_crc;
  if (!is_whole_) status_ = refuse("a block whose payload checksum is wrong");
  return is_whole_ ? &block_ : nullptr;
}

void BlockStream::pop() {
  begin_ += size_;
  offset_ += size_;
  size_ = 0;
  is_whole_ = false;
  padding_ = EVT_ALIGNMENT - 1;
}

}  // namespace evt::tools
