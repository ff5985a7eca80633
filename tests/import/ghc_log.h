// GHC eventlogs made by hand, right or wrong.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace evt::testing {

// Numbers begin with their highest byte.
class BigEndian {
 public:
  BigEndian& u8(std::uint64_t v) { return put(v, 1); }
  BigEndian& u16(std::uint64_t v) { return put(v, 2); }
  BigEndian& u32(std::uint64_t v) { return put(v, 4); }
  BigEndian& u64(std::uint64_t v) { return put(v, 8); }
  BigEndian& text(std::string_view v) {
    bytes_ += v;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  BigEndian& put(std::uint64_t v, int size) {
    for (int i = size - 1; i >= 0; --i) bytes_ += static_cast<char>(v >> (8 * i));
    return *this;
  }
  std::string bytes_;
};

class GhcLog {
 public:
  static constexpr std::uint16_t kVariable = 0xFFFF;
  static constexpr std::uint16_t kGlobal = 0xFFFF;

  // What the log declares.
  GhcLog& type(std::uint16_t id, std::uint16_t size, std::string_view description, std::string_view extra = "") {
    types_.text({"etb\0", 4}).u16(id).u16(size).u32(description.size()).text(description);
    types_.u32(extra.size()).text(extra).text({"ete\0", 4});
    variable_.resize(0x10000);
    variable_[id] = size == kVariable;
    return *this;
  }
  // Types of most tests: threads that run and stop, collections, blocks.
  GhcLog& usual_types() {
    return type(0, 4, "Create thread")
        .type(1, 4, "Run thread")
        .type(2, 10, "Stop thread")
        .type(9, 0, "Starting GC")
        .type(10, 0, "Finished GC")
        .type(18, 14, "Block marker")
        .type(19, kVariable, "User message")
        .type(53, 58, "GC statistics");
  }

  // Events from here on are of this capability; the block's size is filled in when it ends.
  GhcLog& block(std::uint16_t cap, std::uint64_t begin = 0, std::uint64_t end = UINT32_MAX) {
    end_block();
    block_at_ = events_.size();
    events_ += BigEndian().u16(18).u64(begin).u32(0).u64(end).u16(cap).bytes();
    return *this;
  }
  GhcLog& block_of_size(std::uint16_t cap, std::uint32_t size) {
    block(cap);
    block_at_ = kNoBlock;
    const std::string stored = BigEndian().u32(size).bytes();
    events_.replace(events_.size() - 14, 4, stored);
    return *this;
  }
  GhcLog& event(std::uint16_t id, std::uint64_t ns, const BigEndian& payload = {}) {
    events_ += BigEndian().u16(id).u64(ns).bytes();
    if (variable_[id]) events_ += BigEndian().u16(payload.bytes().size()).bytes();
    events_ += payload.bytes();
    return *this;
  }
  GhcLog& run(std::uint64_t ns, std::uint32_t thread) { return event(1, ns, BigEndian().u32(thread)); }
  GhcLog& stop(std::uint64_t ns, std::uint32_t thread, std::uint16_t status) {
    return event(2, ns, BigEndian().u32(thread).u16(status).u32(0));
  }
  GhcLog& say(std::uint64_t ns, std::string_view text) { return event(19, ns, BigEndian().text(text)); }
  GhcLog& raw(std::string_view bytes) {
    events_ += bytes;
    return *this;
  }
  GhcLog& end() {
    end_block();
    return raw("\xFF\xFF");
  }

  std::string header() const { return "hdrbhetb" + types_.bytes() + "hetehdredatb"; }
  std::string bytes() {
    end_block();
    return header() + events_;
  }
  // Where the next event will stand.
  std::size_t size() const { return header().size() + events_.size(); }

 private:
  static constexpr std::size_t kNoBlock = SIZE_MAX;

  void end_block() {
    if (block_at_ == kNoBlock) return;
    events_.replace(block_at_ + 10, 4, BigEndian().u32(events_.size() - block_at_).bytes());
    block_at_ = kNoBlock;
  }

  BigEndian types_;
  std::vector<bool> variable_;
  std::string events_;
  std::size_t block_at_ = kNoBlock;
};

}  // namespace evt::testing
