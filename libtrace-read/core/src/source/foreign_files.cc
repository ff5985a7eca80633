#include "foreign_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "block_scan.h"
#include "format-spec/src/block/block_header.h"

namespace evt {
namespace {

constexpr std::size_t kFront = 1 << 20;

std::string_view text_of(Bytes front) { return {reinterpret_cast<const char*>(front.data()), front.size()}; }

std::uint8_t byte_of(std::string_view front, std::size_t at) { return static_cast<std::uint8_t>(front[at]); }

// A varint of protobuf, and where it ends.
std::optional<std::uint64_t> varint(std::string_view front, std::size_t* at) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && *at < front.size(); shift += 7) {
    const std::uint64_t byte = byte_of(front, (*at)++);
    value |= (byte & 0x7F) << shift;
    if ((byte & 0x80) == 0) return value;
  }
  return std::nullopt;
}

// Perfetto has no magic: a trace is consecutive packets, field 1 of a message (protos/perfetto/trace/trace.proto). Its
// own reader looks only at the first byte (trace_processor/util/trace_type.cc).
bool is_perfetto(std::string_view front) {
  std::size_t at = 0;
  for (int packets = 0; packets < 4 && at < front.size(); ++packets) {
    if (front[at++] != '\x0A') return false;
    const auto size = varint(front, &at);
    // A field with a positive number, of a valid type.
    if (!size || *size == 0 || at >= front.size()) return false;
    const std::uint8_t tag = byte_of(front, at);
    const std::uint8_t type = tag & 7;
    if (tag < 8 || type == 3 || type == 4 || type > 5) return false;
    if (*size > front.size() - at) return packets > 0 || front.size() >= kFront;
    at += static_cast<std::size_t>(*size);
  }
  return !front.empty();
}

// "go 1.22 trace", in 16 bytes (the package internal/trace/version).
bool is_go_trace(std::string_view front) {
  return front.starts_with("go 1.") && front.substr(0, 16).find(" trace") != std::string_view::npos;
}

// BZh, the size of its blocks, and the first block's pi.
bool is_bzip2(std::string_view front) { return front.starts_with("BZh") && front.substr(4, 6) == "1AY&SY"; }

std::string_view without_space(std::string_view text) {
  const std::size_t at = text.find_first_not_of(" \t\r\n");
  return at == std::string_view::npos ? std::string_view() : text.substr(at);
}

// A JSON object that begins with the key, and a value that begins with this character.
bool begins_with_key(std::string_view front, std::string_view key, char value) {
  front = without_space(front);
  if (!front.starts_with('{')) return false;
  front = without_space(front.substr(1));
  if (!front.starts_with(key)) return false;
  front = without_space(front.substr(key.size()));
  if (!front.starts_with(':')) return false;
  return without_space(front.substr(1)).starts_with(value);
}

// The Chrome DevTools Protocol's Profiler.Profile, as written by node --cpu-prof and DevTools.
bool is_cpu_profile(std::string_view front) { return begins_with_key(front, "\"nodes\"", '['); }
// Its HeapProfiler.SamplingHeapProfile.
bool is_heap_profile(std::string_view front) { return begins_with_key(front, "\"head\"", '{'); }
bool is_heap_snapshot(std::string_view front) { return begins_with_key(front, "\"snapshot\"", '{'); }
// docs-developer/gecko-profile-format.md of the Firefox Profiler.
bool is_firefox_profile(std::string_view front) { return begins_with_key(front, "\"meta\"", '{'); }
// Its schema is named in it, at any place.
bool is_speedscope(std::string_view front) {
  return front.substr(0, 4096).find("speedscope.app/file-format-schema.json") != std::string_view::npos;
}

using namespace std::string_view_literals;

// The first that fits names the file: a longer magic comes before a shorter one that it begins with.
constexpr ForeignFile kAll[] = {
    // evtrace's own, and pointers to them.
    {.magics = {"evtrace text"sv}, .what = "the text form of a trace", .help = "evt convert makes a trace of it"},
    // github.com/git-lfs/git-lfs, docs/spec.md.
    {.magics = {"version https://git-lfs"sv},
     .what = "a git-lfs pointer",
     .help = "git lfs pull fetches the file itself"},

    // Compressed and packed files. The first three are found only inside of others: else they are decompressed. RFC
    // 1952; RFC 8878; tukaani.org, The .xz File Format.
    {.magics = {"\x1f\x8b"sv}, .what = "a gzip file", .help = "decompress it first"},
    {.magics = {"\x28\xb5\x2f\xfd"sv}, .what = "a zstd file", .help = "decompress it first"},
    {.magics = {"\xfd\x37zXZ\0"sv}, .what = "an xz file", .help = "decompress it first"},
    {.recognizes = is_bzip2, .what = "a bzip2 file", .help = "bzcat FILE | evt dump - reads what is in it"},
    // lz4, doc/lz4_Frame_format.md.
    {.magics = {"\x04\x22\x4d\x18"sv}, .what = "an lz4 file", .help = "lz4 -dc FILE | evt dump - reads what is in it"},
    // compress, which gzip's zcat reads.
    {.magics = {"\x1f\x9d"sv}, .what = "a .Z file", .help = "zcat FILE | evt dump - reads what is in it"},
    // PKWARE, APPNOTE.TXT, 4.3.7; POSIX, pax, ustar.
    {.magics = {"PK\x03\x04"sv}, .what = "a zip archive", .help = "unpack it first"},
    {.magics = {"ustar"sv}, .offset = 257, .what = "a tar archive", .help = "unpack it first"},

    // Traces of other tools.
    //   The Linux kernel, tools/perf/Documentation/perf.data-file-format.txt, in either byte order.
    {.magics = {"PERFILE2"sv, "2ELIFREP"sv},
     .what = "a perf.data file",
     .help =
         "convert its samples with \"perf script -i FILE > FILE.txt\", or its events with \"perf data convert -i FILE "
         "--to-ctf FOLDER\"; evt opens either result"},
    // trace-cmd.dat(5).
    {.magics = {"\x17\x08\x44tracing"sv},
     .what = "a trace.dat of trace-cmd",
     .help = "trace-cmd report -i FILE prints it"},
    // fuchsia.dev, reference/tracing/trace-format: the magic number record.
    {.magics = {"\x10\0\x04\x46\x78\x54\x16\0"sv},
     .what = "a trace of Fuchsia (.fxt)",
     .help = "fx trace2json < FILE > FILE.json makes one that evt opens"},
    // openjdk, jfr/recorder/repository/jfrChunkWriter.cpp.
    {.magics = {"FLR\0"sv}, .what = "a recording of Java's Flight Recorder", .help = "jfr print FILE prints it"},
    {.recognizes = is_go_trace, .what = "an execution trace of Go", .help = "go tool trace FILE shows it"},
    // mcap.dev/spec.
    {.magics = {"\x89MCAP0\r\n"sv}, .what = "an MCAP file", .help = "mcap info FILE says what is in it"},
    // tracy, server/TracyFileHeader.hpp: present and earlier ones.
    {.magics = {"tr\xfdP"sv, "tlZ\x04"sv, "tZst"sv},
     .what = "a trace of Tracy",
     .help = "tracy-csvexport FILE prints its zones"},
    // draft-ietf-opsawg-pcap, in either byte order, with microseconds and nanoseconds; draft-ietf-opsawg-pcapng.
    {.magics = {"\xd4\xc3\xb2\xa1"sv, "\xa1\xb2\xc3\xd4"sv, "\x4d\x3c\xb2\xa1"sv, "\xa1\xb2\x3c\x4d"sv},
     .what = "a capture of packets (pcap)",
     .help = "tshark -r FILE prints it"},
    {.magics = {"\x0a\x0d\x0d\x0a"sv}, .what = "a capture of packets (pcapng)", .help = "tshark -r FILE prints it"},
    // CTF 1.8, section 7, as text and in packets of either byte order; CTF 2, section 5: a JSON text sequence.
    {.magics = {"/* CTF 1.8 */"sv, "\x57\x1d\xd1\x75"sv, "\x75\xd1\x1d\x57"sv, "\x1e{"sv},
     .what = "the metadata of a CTF trace",
     .help = "name the folder that it is in"},
    // lttng-tools, src/common/index/ctf-index.h.
    {.magics = {"\xc1\xf1\xdc\xc1"sv}, .what = "an index of LTTng", .help = "name the folder of the trace"},
    {.recognizes = is_perfetto,
     .what = "a trace of Perfetto",
     .help = "traceconv json FILE FILE.json makes one that evt opens"},

    // JSON without events.
    {.recognizes = is_cpu_profile,
     .what = "a CPU profile of V8",
     .help = "it has samples and no events; node --trace-events-enabled records a trace"},
    {.recognizes = is_heap_profile, .what = "a heap profile of V8", .help = "it has samples and no events"},
    {.recognizes = is_heap_snapshot, .what = "a heap snapshot of V8", .help = "it has objects and no events"},
    {.recognizes = is_firefox_profile,
     .what = "a profile of Firefox",
     .help = "it has samples and markers in a form of its own, which profiler.firefox.com shows"},
    {.recognizes = is_speedscope, .what = "a profile of speedscope", .help = "speedscope FILE shows it"},

    // All others. sqlite.org/fileformat2.html; apache/parquet-format; unicode.org, the byte order mark; RFC 2083;
    // elf(5).
    {.magics = {"SQLite format 3\0"sv}, .what = "an SQLite database", .help = "sqlite3 FILE opens it"},
    {.magics = {"PAR1"sv}, .what = "a Parquet file", .help = "it has tables and no trace, DuckDB queries them"},
    {.magics = {"\xff\xfe"sv, "\xfe\xff"sv},
     .what = "text in UTF-16",
     .help = "iconv -f UTF-16 -t UTF-8 FILE | evt dump - reads it"},
    {.magics = {"\x89PNG"sv}, .what = "a PNG image"},
    {.magics = {"\x7f\x45LF"sv}, .what = "a program"},
};

bool is(const ForeignFile& file, std::string_view front) {
  if (file.recognizes != nullptr) return file.recognizes(front);
  if (front.size() <= file.offset) return false;
  const std::string_view there = front.substr(file.offset);
  return std::ranges::any_of(file.magics,
                             [&](std::string_view magic) { return !magic.empty() && there.starts_with(magic); });
}

}  // namespace

std::span<const ForeignFile> foreign_files() { return kAll; }

const ForeignFile* foreign_file_of(Bytes front) {
  const auto* const found =
      std::ranges::find_if(kAll, [&](const ForeignFile& file) { return is(file, text_of(front)); });
  return found == std::end(kAll) ? nullptr : found;
}

std::string describe_foreign(Bytes front) {
  if (const ForeignFile* const file = foreign_file_of(front)) {
    const bool has_help = *file->help != '\0';
    return fmt::format("it looks like {}{}{}", file->what, has_help ? ": " : "", file->help);
  }
  const std::string_view start = text_of(front).substr(0, 512);
  if (std::ranges::all_of(start, [](char c) { return c == '\0'; })) return "it begins with zeros";
  const auto is_text = [](char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\r' || c == '\t'; };
  if (std::ranges::all_of(start, is_text)) return "it begins with plain text";
  return fmt::format("no block header is in its first {} bytes", std::min(front.size(), kFront));
}

Status not_a_trace(const std::string& name, Bytes front) {
  if (front.empty()) return {Code::kNotATrace, name + " is empty"};
  BlockHeader header;
  if (load_block_header(reinterpret_cast<const std::uint8_t*>(front.data()), front.size(), &header) ==
      HeaderState::kShort) {
    return {Code::kNotATrace, name + " is truncated inside its first block header"};
  }
  if (find_magic(front, 0, 1) == 0) {
    return {Code::kNotATrace, name + " begins as a trace does, but no block of it can be read"};
  }
  return {Code::kNotATrace, name + " is not a trace: " + describe_foreign(front)};
}

}  // namespace evt
