// A file of a CTF trace.
#pragma once

#include <evt/export/ctf_trace.h>

#include <cstdint>
#include <optional>
#include <string>

namespace evt {

// Common beginning of all packets of a file.
struct PacketFront {
  Session::Uuid uuid{};                // the trace's
  std::uint32_t stream_class = 0;      // by its number in the metadata
  std::uint64_t instance = 0;          // unique among the files of a trace
  std::optional<std::uint32_t> cpu{};  // cpu_id, if the stream class has it
};

// Consecutive packets; times in it never step back. Times are those of the trace's clock.
class StreamFile {
 public:
  StreamFile(std::string path, const PacketFront& front) : path_(std::move(path)), front_(front) {}

  // Time of the latest event or loss.
  std::uint64_t last() const { return last_; }
  // Bytes in the open packet.
  std::size_t size() const { return packet_.size(); }

  // Begins an event; append its fields to the returned text. REQUIRES: `time` is not before last().
  TextBuffer& begin_event(std::uint32_t event_class, std::uint64_t time);
  // Events were lost: `count` in this time, of which the part before last() is left out. Returns false like
  // CtfFiles::append().
  bool lose(std::uint64_t count, std::uint64_t from, std::uint64_t to, CtfFiles& files);
  // Writes the open packet, if there is one. Its memory is kept for the next one, if `goes_on`.
  bool write_packet(CtfFiles& files, bool goes_on);

 private:
  void begin_packet(std::uint64_t time);
  bool end_packet(std::uint64_t time, CtfFiles& files);

  std::string path_;
  PacketFront front_;
  TextBuffer packet_;
  std::uint64_t first_ = 0;  // the open packet's
  std::uint64_t last_ = 0;
  std::uint64_t discarded_ = 0;  // since the file began
  bool has_packets_ = false;     // that were written
};

}  // namespace evt
