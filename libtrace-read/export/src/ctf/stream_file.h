// A file of a CTF trace.
#pragma once

#include <evt/export/ctf_trace.h>

#include <cstdint>
#include <optional>
#include <string>

namespace evt {

// What all packets of a file have in front.
struct PacketFront {
  Session::Uuid uuid{};                // of the trace
  std::uint32_t stream_class = 0;      // by its number in the metadata
  std::uint64_t instance = 0;          // no two files of a trace have the same
  std::optional<std::uint32_t> cpu{};  // cpu_id, where the stream class has that
};

// Packets one behind another; no time in it is before one in front of it. Times are those of the trace's clock.
class StreamFile {
 public:
  StreamFile(std::string path, const PacketFront& front) : path_(std::move(path)), front_(front) {}

  // Of the latest event or loss.
  std::uint64_t last() const { return last_; }
  // Of the packet that is open.
  std::size_t size() const { return packet_.size(); }

  // Begins an event, whose fields are appended to what this returns. REQUIRES: `time` is not before last().
  TextBuffer& begin_event(std::uint32_t event_class, std::uint64_t time);
  // Events were lost: `count` in this time, of which what is before last() is left out. False as CtfFiles::append().
  bool lose(std::uint64_t count, std::uint64_t from, std::uint64_t to, CtfFiles& files);
  // Writes the packet that is open, if there is one. Its memory is kept for the next one, if `goes_on`.
  bool write_packet(CtfFiles& files, bool goes_on);

 private:
  void begin_packet(std::uint64_t time);
  bool end_packet(std::uint64_t time, CtfFiles& files);

  std::string path_;
  PacketFront front_;
  TextBuffer packet_;
  std::uint64_t first_ = 0;  // of the packet that is open
  std::uint64_t last_ = 0;
  std::uint64_t discarded_ = 0;  // since the file began
  bool has_packets_ = false;     // that were written
};

}  // namespace evt
