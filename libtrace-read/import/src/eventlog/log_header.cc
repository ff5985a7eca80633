#include "log_header.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "format-spec/src/block/crc32c.h"
#include "libtrace-read/core/src/base/raw_bytes.h"

namespace evt::eventlog {

// Declares at most 65536 types; a file with more than this many bytes of them is not a log.
constexpr std::size_t kMaxHeader = 16 << 20;
constexpr std::size_t kStep = 64 << 10;
constexpr char kNoEnd[] = "has no end where it should: the log may be of a GHC before 6.12, which is not read";

// A log's declaration of a type, before it is known which of them are wrong.
struct Declared {
  std::uint16_t id;
  std::uint16_t size;
  std::string description;

  bool is_variable() const { return size == 0xFFFF; }
};

class HeaderParser {
 public:
  explicit HeaderParser(ByteSource& log) : log_(log) {}

  Result<Dictionary> parse() {
    auto dictionary = parse_marks();
    if (!dictionary && has_changed_line_ends()) {
      return Status(Code::kNotATrace, fmt::format("{} is a GHC eventlog that text mode broke, as Windows has it: each "
                                                  "byte 0A has a byte 0D before it now; copy the log as binary",
                                                  log_.name()));
    }
    return dictionary;
  }

 private:
  Result<Dictionary> parse_marks() {
    if (!mark("hdrb") || !mark("hetb")) return wrong("a list of event types");
    while (is("etb\0")) {
      if (!record()) return wrong_;
    }
    if (!mark("hete")) return wrong("an event type, or the end of their list");
    if (!mark("hdre")) return wrong("the end of the header");
    if (!mark("datb")) return wrong("the beginning of the events");
    Dictionary dictionary = repaired();
    dictionary.data_offset_ = at_;
    dictionary.checksum_ = crc32c(0, bytes_.data(), at_);
    return dictionary;
  }

  // Numbers are big-endian, so most bytes 0A of a log follow a 00.
  bool has_changed_line_ends() {
    std::vector<std::byte> front(kStep);
    front.resize(log_.read_at(0, front.data(), front.size()));
    std::size_t line_ends = 0;
    for (std::size_t at = 1; at < front.size(); ++at) {
      if (front[at] != std::byte{'\n'}) continue;
      if (front[at - 1] != std::byte{'\r'}) return false;
      ++line_ends;
    }
    return line_ends > 0;
  }
  // True if the log has `size` bytes from at_ on.
  bool has(std::size_t size) {
    while (bytes_.size() - at_ < size) {
      const std::size_t before = bytes_.size();
      if (before >= kMaxHeader) return false;
      bytes_.resize(before + kStep);
      bytes_.resize(before + log_.read_at(before, bytes_.data() + before, kStep));
      if (bytes_.size() == before) return false;
    }
    return true;
  }
  const std::uint8_t* here() const { return raw(bytes_.data() + at_); }
  bool is(const char* mark) { return has(4) && std::memcmp(here(), mark, 4) == 0; }
  bool mark(const char* mark) {
    if (!is(mark)) return false;
    at_ += 4;
    return true;
  }

  Status wrong(const char* expected) {
    const bool truncated = at_ + 4 > log_.size();
    return {Code::kNotATrace,
            fmt::format("{} is a GHC eventlog whose header {} at {}: expected {}", log_.name(),
                        truncated ? "is truncated" : "makes no sense", at_, expected),
            at_};
  }

  bool record() {
    const std::size_t begin = at_;
    at_ += 4;
    Declared type;
    if (!has(8)) return refuse(begin, "is truncated");
    type.id = load_u16(here());
    type.size = load_u16(here() + 2);
    const std::uint32_t length = load_u32(here() + 4);
    at_ += 8;
    if (!has(length)) return refuse(begin, "has a description that is longer than the header");
    type.description.assign(reinterpret_cast<const char*>(here()), length);
    at_ += length;
    if (!has(4)) return refuse(begin, "is truncated");
    const std::uint32_t extra = load_u32(here());
    at_ += 4;
    // In a few logs of 2009 a record is u32 number, u32 length, description, u16 size.
    if (!has(extra)) return refuse(begin, kNoEnd);
    at_ += extra;
    if (!mark("ete\0")) return refuse(begin, kNoEnd);
    if (type.id == kEndOfData) return refuse(begin, "has the number that ends the events");
    if (!met_.insert(type.id).second) return refuse(begin, "has the number of another one");
    types_.push_back(std::move(type));
    return true;
  }

  bool refuse(std::size_t begin, const char* why) {
    wrong_ = Status(Code::kNotATrace,
                    fmt::format("{} is a GHC eventlog whose event type at {} {}", log_.name(), begin, why), begin);
    return false;
  }

  std::uint16_t declared_size(std::uint16_t id) const {
    const auto found = std::ranges::find_if(types_, [&](const Declared& type) { return type.id == id; });
    return found == types_.end() ? 0 : found->size;
  }
  bool has_type(std::uint16_t id) const { return met_.contains(id); }

  // The sizes that the first versions declared for types with a thread's number were 4 too large: they declared 8 bytes
  // for it, and wrote 4.
  static bool says_too_much(std::uint16_t id) { return id <= 6 || id == 8 || id == 13 || id == kCreateSparkThread; }

  Dictionary repaired() const {
    Dictionary dictionary;
    const std::uint16_t create = declared_size(kCreateThread);
    dictionary.caps_in_payloads_ = create == 10;
    const bool too_large = create == 8 || (create == 10 && has_type(kCreateSparkThread) && has_type(kSparkToThread));
    const std::uint8_t thread_size = create == 10 && !too_large ? 8 : 4;
    std::unordered_set<std::string> names;
    for (const Declared& type : types_) {
      std::uint16_t size = type.size;
      if (!type.is_variable()) {
        if (too_large && says_too_much(type.id) && size >= 4) size = static_cast<std::uint16_t>(size - 4);
        if (create == 8 && type.id == kStartup && size == 0) size = 2;
        if (create == 10 && too_large && type.id == kSparkToThread && size == 0) size = 10;
        // The number of the capability is removed before the rest is looked at.
        if (dictionary.caps_in_payloads_) size = static_cast<std::uint16_t>(size < 2 ? 0 : size - 2);
      }
      const auto place = static_cast<std::uint32_t>(dictionary.types_.size());
      auto made = std::make_unique<LogType>(place, type.id, type.is_variable(), size, type.description, thread_size);
      if (!names.insert(made->name()).second) {
        made->rename();
        names.insert(made->name());
      }
      if (dictionary.by_id_.size() <= type.id) dictionary.by_id_.resize(std::size_t{type.id} + 1);
      dictionary.by_id_[type.id] = made.get();
      dictionary.types_.push_back(std::move(made));
    }
    return dictionary;
  }

  ByteSource& log_;
  std::vector<std::byte> bytes_;
  std::size_t at_ = 0;
  std::vector<Declared> types_;
  std::unordered_set<std::uint16_t> met_;
  Status wrong_;
};

Result<Dictionary> read_header(ByteSource& log) { return HeaderParser(log).parse(); }

}  // namespace evt::eventlog
