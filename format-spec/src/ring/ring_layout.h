// The ring, FORMAT.md section 12: the memory in which streams write, laid out so that another process, or another
// version, can read it after its writer was killed. Words are in the order of the machine that wrote them.
#pragma once

#include <evt/format.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace evt::ring {

inline constexpr char kMagic[8] = {'E', 'V', 'T', 'R', 'I', 'N', 'G', '1'};
inline constexpr char kNamePrefix[] = "evtrace-";
inline constexpr char kFolder[] = "/dev/shm";
inline constexpr std::size_t kPage = 4096;
inline constexpr std::size_t kCauses = 8;  // most causes in a ring of this version
static_assert(EVT_LOST_CAUSES <= kCauses);
// Limits on what a ring may claim.
inline constexpr std::uint32_t kMaxAreas = 4096;
inline constexpr std::uint32_t kMaxStreams = 64 << 10;
inline constexpr std::uint32_t kMaxSlots = 128 << 10;
inline constexpr std::uint32_t kSmallestSlot = 4 << 10;
inline constexpr std::uint32_t kMaxSlotSize = 256 << 10;
inline constexpr std::uint64_t kLogSize = 64 << 20;

// A row of the table of areas: `count` slots of `slot_size` bytes each, beginning at `offset`.
struct Area {
  std::uint64_t offset;
  std::uint32_t slot_size;
  std::uint32_t count;
};

// A file of the trace: one per segment.
struct Output {
  std::uint64_t device;  // if it is a regular file: to recognise it
  std::uint64_t inode;
  std::uint64_t segment;
  std::uint64_t first_block_no;
  char path[2016];  // absolute; empty: not known
};
static_assert(sizeof(Output) == 2048);

// The budget and the names of the files of a session.
struct Budget {
  std::uint64_t bytes;  // with more of them it deletes the oldest files; 0: no limit
  std::uint64_t ns;     // and those that are older; 0: no limit
  // Where the path of the first file has a number, and how many digits; 0 digits: nowhere.
  std::uint32_t number_at;
  std::uint32_t number_size;
  std::uint64_t reserved[5];
};
static_assert(sizeof(Budget) == 64);

// At the first multiple of 4096 after the SESSION and CLOCK blocks with which a ring begins. All offsets are from the
// start of the ring. Fixed after open, except the commit words.
struct Header {
  char magic[8];  // stored last
  std::uint32_t version;
  std::uint32_t header_size;
  std::uint64_t session_id;
  std::uint64_t front_size;  // bytes of the SESSION and CLOCK blocks
  std::uint64_t log_offset;
  std::uint64_t log_capacity;
  std::uint64_t streams_offset;
  std::uint32_t stream_size;  // bytes of a StreamRecord
  std::uint32_t stream_capacity;
  std::uint64_t areas_offset;
  std::uint32_t area_capacity;
  std::uint32_t slot_header_size;  // bytes of a Slot
  std::uint64_t control_offset;    // the ControlPage, which other processes of the user may write to
  std::uint64_t reserved;
  alignas(64) std::uint64_t log_base;  // commit word: the log begins with byte `log_base` of all that was ever in it
  std::uint64_t log_total;             // commit word: bytes of finished blocks that were ever in the log
  std::uint64_t bound_ticks;           // commit word: no row has a later time, on the clock named next; 0: not known
  std::uint64_t bound_clock_id;        // stored before it
  std::uint64_t segment;               // commit word: outputs[segment % 2] is the current one
  alignas(64) std::uint32_t streams;   // commit word: records that have been in use
  std::uint32_t areas;                 // commit word
  alignas(64) Output outputs[2];
  Output trace;  // the first file of the session, which a flight recorder's becomes; not in rings of earlier versions
  Budget budget;
};
// Rings of earlier versions have so much of it.
inline constexpr std::size_t kMinHeader = offsetof(Header, trace);
inline constexpr std::size_t kHeaderBeforeBudgets = offsetof(Header, budget);
static_assert(kMinHeader == 4352 && kHeaderBeforeBudgets == 6400 && sizeof(Header) == 6464);

static_assert(offsetof(Header, log_base) == 128 && offsetof(Header, segment) == 160 &&
              offsetof(Header, streams) == 192 && offsetof(Header, outputs) == 256);

// The file that the writer of a copied header writes to; null if the writer changed it meanwhile.
inline const Output* output_of(const Header& header) {
  const Output& output = header.outputs[header.segment % 2];
  return output.segment == header.segment ? &output : nullptr;
}
// True if the session began in this regular file.
inline bool began_in(const Header& header, std::uint64_t device, std::uint64_t inode) {
  return header.trace.inode != 0 && header.trace.inode == inode && header.trace.device == device;
}
// True if the ring writes to this regular file.
inline bool writes_to(const Header& header, std::uint64_t device, std::uint64_t inode) {
  const Output* const output = output_of(header);
  return output != nullptr && output->inode != 0 && output->inode == inode && output->device == device;
}
inline const char* path_of(const Header& header) {
  const Output* const output = output_of(header);
  return output != nullptr ? output->path : "";
}

// One stream. `lost` are its losses so far, by cause; `recorded` are those that LOST rows in finished slots record.
struct StreamRecord {
  std::uint32_t id;
  std::uint32_t in_use;
  std::uint64_t lost_ticks;  // when the last of them was lost
  std::uint64_t lost[kCauses];
  std::uint64_t recorded[kCauses];
  std::uint64_t next_ordinal;      // after the last slot that was handed over
  std::uint64_t first_lost_ticks;  // time of the first loss that no row records
  std::uint32_t lost_clock_id;     // clock for both ticks
  std::uint32_t reserved[1];
  std::uint64_t turned_away;     // events that came while another one was being emitted, since the latest finished row
  std::uint64_t turned_away_at;  // ordinal of the row after that one
  std::uint64_t reserved_too;
};
static_assert(sizeof(StreamRecord) == 192 && offsetof(StreamRecord, recorded) == 80 &&
              offsetof(StreamRecord, lost_clock_id) == 160 && offsetof(StreamRecord, turned_away) == 168);

// The front of a slot; its rows follow. Between `flushed` and `commit`, each rows << 32 | bytes, are the rows that the
// file may not have.
struct Slot {
  std::uint64_t generation;  // odd: being prepared, to be ignored
  std::uint64_t commit;      // commit word of the stream's producer
  std::uint64_t flushed;     // set by the thread that writes the file, after the write
  std::uint64_t base_ticks;  // time base of the first row
  std::uint64_t first_ordinal;
  std::uint32_t stream_id;
  std::uint32_t clock_id;
  std::uint64_t reserved[4];
  std::uint64_t recorded[kCauses];  // the stream's, before this slot
};
static_assert(sizeof(Slot) == 144 && offsetof(Slot, recorded) == 80);

inline constexpr std::size_t kMaxName = 64;
inline constexpr char kNameEnd[] = ".ring";
inline constexpr char kSegmentEnd[] = ".evt";

// In the folders of rings are segments, too, whose names begin in the same way.
inline bool is_ring_name(const char* name) {
  const std::size_t length = strlen(name);
  constexpr std::size_t kEnd = sizeof kNameEnd - 1;
  return strncmp(name, kNamePrefix, sizeof kNamePrefix - 1) == 0 && length > kEnd &&
         strcmp(name + length - kEnd, kNameEnd) == 0;
}

// Name of the ring of a user's session.
inline void name_of(std::uint64_t session_id, char (&name)[kMaxName], unsigned user = geteuid()) {
  snprintf(name, sizeof name, "%s%u-%016llx%s", kNamePrefix, user, static_cast<unsigned long long>(session_id),
           kNameEnd);
}

// Names of its segments in the folders of rings: this, a number of six digits or more, and kSegmentEnd.
inline void segment_front_of(std::uint64_t session_id, char (&name)[kMaxName], unsigned user = geteuid()) {
  snprintf(name, sizeof name, "%s%u-%016llx.", kNamePrefix, user, static_cast<unsigned long long>(session_id));
}

constexpr std::uint32_t rows_of(std::uint64_t commit) { return static_cast<std::uint32_t>(commit >> 32); }
constexpr std::uint32_t bytes_of(std::uint64_t commit) { return static_cast<std::uint32_t>(commit); }
constexpr std::uint64_t round_up(std::uint64_t size, std::uint64_t to) { return (size + to - 1) / to * to; }

}  // namespace evt::ring
