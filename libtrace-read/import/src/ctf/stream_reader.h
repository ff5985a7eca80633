// The packets of one stream of a CTF trace, and the events in them.
#pragma once

#include <optional>
#include <string>

#include "field_reader.h"
#include "metadata.h"

namespace evt::ctf {

// Receives what is found, in the order of the file.
class StreamTaker {
 public:
  virtual ~StreamTaker() = default;

  // An event, whose fields it reads after the header; returns false if the reader says that they cannot be read. No
  // time if the stream has no clock.
  virtual bool event(const StreamClass& stream, const EventClass& event, std::optional<std::int64_t> ns,
                     FieldReader* reader) = 0;
  // Events that the tracer discarded between two times, if these are known.
  virtual void discarded(std::uint64_t count, std::optional<std::int64_t> first_ns,
                         std::optional<std::int64_t> last_ns) = 0;
  // Absent packets before the packet at this byte: those with these numbers.
  virtual void missing(std::uint64_t offset, std::uint64_t first, std::uint64_t last,
                       std::optional<std::int64_t> ns) = 0;
  // So many bytes 0 after the last packet.
  virtual void zeros(std::uint64_t size) = 0;
  // Unreadable bytes, which contain at least one event.
  virtual void damage(std::uint64_t offset, std::uint64_t size, const std::string& why) = 0;
};

// Continues after unreadable bytes with the next packet: at the place that CTF packets state, or that its magic number
// shows.
class StreamReader {
 public:
  // After so many places where no packet begins, the rest of the file counts as one.
  static constexpr std::uint32_t kMaxFailures = 1000;

  StreamReader(ByteSource& file, const Metadata& metadata, StreamTaker& taker);

  void run();

 private:
  struct Packet {
    std::uint64_t begin = 0;        // bytes
    std::uint64_t content_end = 0;  // bits
    std::uint64_t end = 0;          // bytes
    const StreamClass* stream = nullptr;
    bool is_whole = true;  // the file contains all that it states
  };

  bool read_header(std::uint64_t begin, Packet* packet);
  bool set_sizes(Packet* packet);
  bool fail(std::string why);
  void end_before_next(Packet* packet);
  const char* why_cut(const Packet& packet) const;
  void count_losses(const Packet& packet);
  void read_events(const Packet& packet);
  bool read_event(const Packet& packet);
  std::optional<std::uint64_t> next_packet(std::uint64_t from);
  bool is_zero(std::uint64_t from);
  std::optional<std::int64_t> ns_of(const StreamClass& stream, const std::optional<std::uint64_t>& ticks) const;

  ByteSource& file_;
  const Metadata& metadata_;
  StreamTaker& taker_;
  FieldReader reader_;
  bool has_magic_ = false;
  std::uint32_t failures_ = 0;  // places where a packet might have begun
  std::string why_;             // there is no packet
  // The previous packet's.
  std::optional<std::uint64_t> discarded_;
  std::optional<std::uint64_t> sequence_;
  std::optional<std::int64_t> end_ns_;
};

}  // namespace evt::ctf
