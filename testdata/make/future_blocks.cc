// Blocks, headers and rows as a later version might write them: FORMAT.md, sections 5 and 7.
#include "archive.h"
#include "change.h"

namespace evt::testing {
namespace {

// Layouts and codecs that no plan has.
constexpr std::uint8_t kUnknownLayout = 9;
constexpr std::uint8_t kUnknownCodec = 9;
constexpr std::uint16_t kUnknownBlock = 77;

// An event, what a later version makes of it, an event, TRAILER.
RawTrace around(const std::function<void(RawTrace&)>& later) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(1, 1));
  later(trace);
  return trace.events(2, Rows().tick(9, 9)).trailer();
}

// Two events whose block says this of itself.
RawTrace around_rows(const RawTrace::ChangeHeader& header, const RawTrace::ChangeEvents& events) {
  return around([&](RawTrace& t) { t.events(1, Rows().tick(2, 2).tick(3, 3)).events_header(events).header(header); });
}

// A part with a header that is so long.
std::string with_header(std::string part, std::uint16_t size) {
  const BlockHeader header = header_of(part);
  part.insert(header.header_size, std::string(size - std::size_t{header.header_size}, '\x55'));
  evt_store_u16(raw_bytes(part) + 12, size);
  seal_header(raw_bytes(part), size);
  return part;
}

// Every header is longer; TRAILER says how long the session became.
RawTrace longer_headers() {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1)).events(2, Rows().tick(9, 9));
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const std::uint16_t known = header_of(trace.part(i)).header_size;
    trace.part(i) = with_header(trace.part(i), static_cast<std::uint16_t>(known + 8 * (i + 1)));
  }
  trace.trailer([](TrailerRecord& facts) { facts.session_size += 16; });
  trace.part(trace.size() - 1) = with_header(trace.part(trace.size() - 1), EVT_BLOCK_HEADER_SIZE + 16);
  return trace;
}

// Everything in it that may be ignored is there.
RawTrace new_flags() {
  RawTrace trace = around([](RawTrace&) {});
  for (std::size_t i = 0; i < trace.size(); ++i) {
    // All but those that must be heeded.
    trace.header([](BlockHeader& h) { h.flags = 0xFFF8 & ~(EVT_FLAG_CONTINUED | EVT_FLAG_MORE); }, i);
  }
  return trace;
}

// The header of another generation: only the fourth byte of its magic is known.
std::string newer_block() {
  std::string block =
      "\x89"
      "EVU\r\n\x1a\n";
  for (char c = '\x20'; c < '\x58'; ++c) block += c;
  return block;
}

void must_understand(RawTrace& trace, std::uint8_t bits) {
  trace.block(kUnknownBlock, "mind this").header([bits](BlockHeader& h) { h.must_understand = bits; });
}

// One frame of zstd, which has the content as it is.
std::string frame_of(const std::string& content) {
  return le32(0xFD2FB528) + le8(0x60) + le16(content.size() - 256) + le8((content.size() << 3 | 1) & 0xFF) +
         le16(content.size() >> 5) + content;
}

void pack(RawTrace& trace, std::size_t part) {
  std::size_t size = 0;
  change_payload(trace, part, [&](std::string& payload) {
    payload.resize(std::max<std::size_t>(payload.size(), 256));  // what follows the records is ignored
    size = payload.size();
    payload = frame_of(payload);
  });
  trace.header([&](BlockHeader& h) { h.codec = EVT_CODEC_ZSTD, h.raw_size = static_cast<std::uint32_t>(size); }, part);
}

RawTrace packed_records() {
  RawTrace trace = ordinary_trace();
  trace.declare("type 1025 call (function interned)\nstring 7 \"main\"\n");
  trace.block(EVT_BLOCK_FACTS,
              le32(1) + le32(32 + 9) + le16(1) + le16(8) + le64(0) + le64(0) + le32(1) + le32(0) + "com.test1");
  for (std::size_t part = 2; part < trace.size(); ++part) pack(trace, part);
  return trace.events(1, Rows().tick(1, 1).row(2, 1025, le32(7))).trailer();
}

// Frames that are cut short, and that would be larger than a block may be.
RawTrace broken_packed_records() {
  RawTrace trace = ordinary_trace();
  pack(trace, 2);
  pack(trace, 3);
  change_payload(trace, 2, [](std::string& payload) { payload.pop_back(); });
  trace.header([](BlockHeader& h) { h.codec = EVT_CODEC_ZSTD, h.raw_size = 256; }, 2);
  trace.header([](BlockHeader& h) { h.raw_size = 256 * h.payload_size + 1; }, 3);
  return trace.events(1, Rows().tick(1, 1)).trailer();
}

}  // namespace

void make_future_blocks(const Archive& archive) {
  const auto as_it_is = [](BlockHeader&) {};
  const auto same_rows = [](EventsHeader&) {};
  archive.add("future/headers_longer.evt", longer_headers());
  archive.add("future/headers_longest.evt", around([](RawTrace& t) {
                t.events(1, Rows().tick(5, 5));
                t.part(5) = with_header(t.part(5), EVT_BLOCK_HEADER_MAX);
              }));
  archive.add("future/header_flags.evt", new_flags());
  archive.add("future/block_unknown.evt", around([](RawTrace& t) {
                t.block(kUnknownBlock, "what is this?").block(0x7FFF, "").block(0, "and this?");
              }));
  archive.add("future/block_private.evt",
              around([](RawTrace& t) { t.block(EVT_BLOCK_PRIVATE, "mine").block(0xFFFF, std::string(600, 'x')); }));
  archive.add("future/block_must_understand.evt", around([](RawTrace& t) { must_understand(t, 1); }));
  archive.add("future/block_must_understand_rows.evt",
              around_rows([](BlockHeader& h) { h.must_understand = 64; }, same_rows));
  RawTrace ended = around([](RawTrace& t) { must_understand(t, EVT_MUST_END_SESSION); });
  archive.add("future/block_ends_session.evt", ended);
  archive.add("future/block_ends_session_not_file.evt",
              ended.append(ordinary_trace(1).events(1, Rows().tick(20, 20)).trailer()));
  archive.add("future/codec.evt",
              around_rows([](BlockHeader& h) { h.codec = kUnknownCodec, h.raw_size = 99; }, same_rows));
  archive.add("future/codec_of_types.evt",
              around([](RawTrace& t) { t.header([](BlockHeader& h) { h.codec = kUnknownCodec; }, 2); }));
  archive.add("future/codec_of_records.evt", packed_records());
  archive.add("damaged/frames_of_records.evt", broken_packed_records());
  archive.add("future/layout.evt", around_rows(as_it_is, [](EventsHeader& e) { e.layout = kUnknownLayout; }));
  archive.add("future/rows_reserved.evt", around([](RawTrace& t) {
                t.events(1, Rows()
                                .row(2, 0xFF05, "a row of the format's own")
                                .tick(3, 3)
                                .row(4, 0xFFFF, "")
                                .wide(5, 0xFF77, "reserved, and wide")
                                .tick(6, 6));
              }));
  archive.add("future/rows_longer.evt", around([](RawTrace& t) {
                t.events(1, Rows()
                                .row(0, EVT_ROW_TIME_BASE, le64(100) + le32(0xFFFFFFFE) + "more")
                                .tick(3, 3)
                                .lost(4, 7, 99, 0, "more")
                                .tick(6, 6));
              }));
  archive.add("future/magic_of_all.evt", newer_block() + newer_block());
  archive.add("future/magic_of_one.evt", around([](RawTrace& t) { t.insert(newer_block()); }));
}

}  // namespace evt::testing
