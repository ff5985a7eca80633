// Traces of CTF that tests lay down byte by byte, and what is read of them.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/reading.h"
#include "support/folder.h"

namespace evt::testing {

// Metadata of one stream whose events have an id of 32 bits and a time; `le` or `be`.
inline std::string ctf_metadata(std::string_view events, std::string_view order = "le") {
  return fmt::format(
             "/* CTF 1.8 */\n"
             "typealias integer {{ size = 8; align = 8; }} := u8;\n"
             "typealias integer {{ size = 32; align = 8; }} := u32;\n"
             "typealias integer {{ size = 64; align = 8; }} := u64;\n"
             "trace {{ major = 1; minor = 8; byte_order = {}; packet.header := struct {{ u32 magic; u32 stream_id; }}; "
             "}};\n"
             "clock {{ name = c; freq = 1000000000; offset_s = 1700000000; }};\n"
             "typealias integer {{ size = 64; align = 8; map = clock.c.value; }} := time;\n"
             "stream {{ id = 0; event.header := struct {{ u32 id; time timestamp; }};\n"
             "  packet.context := struct {{ time timestamp_begin; time timestamp_end; u64 content_size; u64 "
             "packet_size;\n"
             "    u64 packet_seq_num; u64 events_discarded; u32 cpu_id; }}; }};\n",
             order) +
         std::string(events);
}

// Bytes of a packet.
class CtfBytes {
 public:
  explicit CtfBytes(bool is_big = false) : is_big_(is_big) {}

  CtfBytes& number(std::uint64_t value, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) {
      bytes_ += static_cast<char>(value >> 8 * (is_big_ ? width - 1 - i : i) & 0xFF);
    }
    return *this;
  }
  CtfBytes& event(std::uint32_t id, std::uint64_t ns) { return number(id, 4).number(ns, 8); }
  CtfBytes& tick(std::uint64_t ns, std::uint32_t value) { return event(0, ns).number(value, 4); }
  CtfBytes& text(std::string_view text) {
    bytes_ += text;
    return number(0, 1);
  }
  CtfBytes& raw(std::string_view bytes) {
    bytes_ += bytes;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  bool is_big_;
  std::string bytes_;
};

// As ctf_metadata() has it.
struct CtfPacket {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t sequence = 0;
  std::uint64_t discarded = 0;
  std::uint32_t cpu = 0;
  std::size_t padding = 0;
  bool is_big = false;
  std::size_t stated = 0;  // bytes of it, in place of those that it has

  static constexpr std::size_t kFront = 4 + 4 + 6 * 8 + 4;

  std::string of(const CtfBytes& events) const {
    CtfBytes all(is_big);
    const std::uint64_t bits = (kFront + events.bytes().size()) * 8;
    all.number(0xC1FC1FC1, 4).number(0, 4).number(begin, 8).number(end, 8);
    all.number(bits, 8)
        .number(stated > 0 ? stated * 8 : bits + padding * 8, 8)
        .number(sequence, 8)
        .number(discarded, 8)
        .number(cpu, 4);
    return all.raw(events.bytes()).raw(std::string(padding, '\0')).bytes();
  }
};

// A trace in a folder.
class CtfTrace {
 public:
  explicit CtfTrace(std::string_view metadata) { folder_->write("metadata", metadata); }
  CtfTrace& stream(std::string_view name, std::string_view bytes) {
    folder_->write(name, bytes);
    return *this;
  }
  const std::string& path() const { return folder_->path(); }

  // Events with the ids of their streams, then what is to be said of them; or why it is no trace. The folder is `ctf`.
  std::string reading(std::string_view file = "") const {
    auto opened = Trace::open(file.empty() ? folder_->path() : *folder_ / file);
    if (!opened) return with_name(code_of(opened.status()) + ": " + opened.status().message() + "\n");
    std::string text = event_lines(text_of(*opened));
    for (const Damage& damage : opened->damage()) {
      text += fmt::format("damage {}+{}: {}\n", damage.offset, damage.length, damage.reason);
    }
    for (const std::string& note : opened->notes()) text += "note " + note + "\n";
    return with_name(text);
  }
  // The types of its events, as the text form has them.
  std::string types() const {
    auto opened = Trace::open(folder_->path());
    if (!opened) return opened.status().message();
    const std::string text = text_of(*opened);
    std::string types;
    for (std::size_t at = text.find("\ntype "); at != std::string::npos; at = text.find("\ntype ", at + 1)) {
      types += text.substr(at + 1, text.find('\n', at + 1) - at);
    }
    return types;
  }

 private:
  std::string with_name(std::string text) const {
    for (std::size_t at; (at = text.find(folder_->path())) != std::string::npos;) {
      text.replace(at, folder_->path().size(), "ctf");
    }
    return text;
  }

  std::unique_ptr<Folder> folder_ = std::make_unique<Folder>();
};

}  // namespace evt::testing
