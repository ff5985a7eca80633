// Sessions with a ring: what is recorded comes out as it went in, and can be read while the session goes on.
#include <fcntl.h>
#include <sys/stat.h>

#include <map>
#include <thread>

#include "format-spec/src/block/block_header.h"
#include "write/file_and_ring.h"
#include "write/ring_session.h"

namespace evt::testing {
namespace {

class Ring : public RingTest {
 protected:
  // A little of everything that a stream accepts.
  static void record_everything(Writer& writer) {
    const auto types = writer.declare<Tick, Note, Paper>();
    Stream a = writer.stream("a");
    Stream b = writer.stream("b");
    for (std::uint32_t n = 0; n < 2'000; ++n) (n % 3 == 0 ? b : a).emit(types, Tick{n});
    a.emit(types, Note{"a text"});
    a.emit(types, Paper{{std::string(100'000, 'l')}});
    a.emit(types, Paper{{std::string(1'000'000, 'x')}});
    b.emit(types, Paper{{"small"}});
    b.jump();
    b.emit_at(17, types, Tick{1});
    b.emit_at(17 + (std::uint64_t{1} << 40), types, Tick{2});
    b.jump();
    b.emit_at(18, types, Paper{{std::string(100'000, 'j')}});
    const RuntimeType wide("wide", {EVT_FIELD_U32("word")}, 70'000);
    const TypeHandle wide_type = *writer.declare(wide.type);
    const Interned word = writer.intern("a word");
    a.emit_with(wide_type, [&](RowBuilder& row) { row.add(word.id); });
    evt_stream_lost(a.get(), EVT_LOST_OVERWRITTEN, 5, 3'000, 3'000);
    a.seal();
    b.emit(types, Tick{3});
    writer.stream("c").emit(types, Note{""});
  }
};

// The writer has no types of its own in a trace that does not need them.
TEST_F(Ring, OfASessionThatRecordsNothingLeavesATraceThatDeclaresNothing) {
  auto writer = Writer::open(path);
  EXPECT_TRUE(writer->close().ok());
  std::vector<std::uint16_t> types;
  for (const std::uint16_t type : {EVT_BLOCK_TYPES, EVT_BLOCK_STREAMS, EVT_BLOCK_STRINGS, EVT_BLOCK_EVENTS}) {
    if (!block_offsets(path, type).empty()) types.push_back(type);
  }
  EXPECT_EQ(types, std::vector<std::uint16_t>{});
  EXPECT_TRUE(open_file(path).sessions()[0].closed);
}

TEST_F(Ring, TakesInWhatASessionWithoutOneTakes) {
  Recording inline_recording;
  record_everything(*inline_recording);
  Writer writer = open();
  record_everything(writer);
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(text(), inline_recording.text());
}

TEST_F(Ring, KeepsAJumpBehindWhichNoEventWasLost) {
  Writer writer = open();
  const auto types = writer.declare<Tick>();
  Stream stream = writer.stream("a");
  stream.emit_at(9, types, Tick{9});
  stream.jump();
  evt_stream_lost(stream.get(), EVT_LOST_OVERWRITTEN, 0, 3, 3);
  stream.emit_at(4, types, Tick{4});
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(text(),
            "stream 1 \"a\"\n"
            "0.000000004 1 !jump\n"
            "type 1024 tick (n u32)\n"
            "0.000000004 1 tick n=4\n"
            "0.000000009 1 tick n=9\n");
}

TEST_F(Ring, KeepsTheOrderOfSmallAndLargeEvents) {
  constexpr std::size_t kSizes[] = {0, 10, 3'000, 60'000, 70'000, 65'520, 65'535, 300'000, 5};
  const std::string text(300'000, 'x');
  Writer writer = open();
  const auto types = writer.declare<Tick, Paper>();
  Stream stream = writer.stream("a");
  std::mt19937 random(1);
  std::vector<std::size_t> sizes;
  for (std::uint32_t n = 0; n < 400; ++n) {
    sizes.push_back(kSizes[random() % std::size(kSizes)]);
    stream.emit(types, Tick{n});
    stream.emit(types, Paper{{std::string_view(text).substr(0, sizes.back())}});
  }
  EXPECT_TRUE(writer.close().ok());
  Trace trace = open_file(path);
  EXPECT_EQ(trace.status().message(), "");
  std::uint32_t next = 0;
  Events events = trace.events();
  while (const Event* event = events.next()) {
    if (const auto tick = event->as<Tick>()) {
      ASSERT_EQ(tick->n, next);
    }
    if (const auto paper = event->as<Paper>()) {
      ASSERT_EQ(paper->text.text.size(), sizes.at(next++));
    }
  }
  EXPECT_EQ(next, sizes.size());
}

TEST_F(Ring, GivesAStreamSlotsOfTwiceTheSize) {
  Writer writer = open();
  const auto types = writer.declare<Tick>();
  emit_ticks(writer.stream("a"), types, 0, 100'000);
  EXPECT_TRUE(writer.close().ok());
  const std::string bytes = read_file(path);
  std::size_t slot = 4 << 10;
  int blocks = 0;
  for (std::size_t at = 0; at < bytes.size() && blocks < 7;) {
    const auto* const header = reinterpret_cast<const std::uint8_t*>(bytes.data()) + at;
    const std::size_t size = evt_load_u32(header + 16);
    at += evt_load_u16(header + 12) + size + padding_after(size);
    if (evt_load_u16(header + 8) != EVT_BLOCK_EVENTS) continue;
    EXPECT_GT(size, slot - 1'024);
    EXPECT_LT(size, slot);
    slot *= 2;
    ++blocks;
  }
  EXPECT_EQ(slot, 512u << 10);
}

TEST_F(Ring, IsEmptiedIntoTheFileByFlush) {
  Writer writer = open();
  const auto types = writer.declare<Tick>();
  Stream stream = writer.stream("a");
  for (std::uint32_t n = 0; n < 20; ++n) {
    stream.emit(types, Tick{n});
    stream.flush();
    Trace trace = open_file(path, /*rings=*/false);
    ASSERT_EQ(ticks_in(trace), numbers(0, n + 1));
  }
}

TEST_F(Ring, IsReadTogetherWithTheFileOfALivingSession) {
  Writer writer = open();
  const auto types = writer.declare<Tick>();
  Stream stream = writer.stream("a");
  emit_ticks(stream, types, 0, 1'000);
  stream.flush();
  emit_ticks(stream, types, 1'000, 1'010);
  Trace trace = open_file(path);
  EXPECT_EQ(trace.sessions()[0].ring, RingState::kLive);
  EXPECT_FALSE(trace.sessions()[0].closed);
  EXPECT_EQ(trace.status().message(), "");
  EXPECT_EQ(ticks_in(trace), numbers(0, 1'010));
  emit_ticks(stream, types, 1'010, 1'020);
  EXPECT_EQ(ticks_in(path), numbers(0, 1'020));
}

TEST_F(Ring, HasWhatWasDeclaredSinceTheLastFlush) {
  Writer writer = open();
  Stream stream = writer.stream("a");
  stream.emit(writer.declare<Tick>(), Tick{1});
  stream.flush();
  const RuntimeType late("late", {EVT_FIELD_U32("word")});
  const TypeHandle late_type = *writer.declare(late.type);
  const Interned word = writer.intern("spoken");
  Stream other = writer.stream("other");
  other.emit_with(late_type, [&](RowBuilder& row) { row.add(word.id); });
  Trace trace = open_file(path);
  EXPECT_EQ(trace.sessions()[0].streams.back().name, "other");
  ASSERT_NE(trace.sessions()[0].text(word), nullptr);
  EXPECT_EQ(*trace.sessions()[0].text(word), "spoken");
  EXPECT_EQ(text_of(trace),
            "type 1024 tick (n u32)\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 tick n=1\n"
            "type 1025 late (word u32)\n"
            "stream 2 \"other\"\n"
            "0.000000002 2 late word=1\n"
            "string 1 \"spoken\"\n"
            "truncated\n");
}

TEST_F(Ring, GoesWhenTheSessionIsClosed) {
  Writer writer = open();
  writer.stream("a").emit(writer.declare<Tick>(), Tick{1});
  const std::string ring = ring_path(open_file(path).sessions()[0]);
  EXPECT_TRUE(std::filesystem::exists(ring));
  EXPECT_TRUE(writer.close().ok());
  EXPECT_FALSE(std::filesystem::exists(ring));
  EXPECT_EQ(text(), tick_text("0.000000001 1 tick n=1\n"));
}

TEST_F(Ring, TooSmallForAnySlotIsDoneWithout) {
  evt_options small = options();
  small.ring_size = 1'000;
  auto writer = Writer::open(path, small);
  ASSERT_TRUE(writer.ok());
  emit_ticks(writer->stream("a"), writer->declare<Tick>(), 0, 20'000);
  EXPECT_TRUE(writer->close().ok());
  EXPECT_EQ(ticks_in(path), numbers(0, 20'000));
}

TEST_F(Ring, BelongsToOneOfSeveralSessionsOfAProgram) {
  std::vector<Writer> writers;
  std::vector<Stream> streams;
  std::vector<Types<Tick>> types;
  for (int i = 0; i < 5; ++i) {
    writers.push_back(open(folder / std::to_string(i)));
    streams.push_back(writers.back().stream("a"));
    types.push_back(writers.back().declare<Tick>());
  }
  for (std::uint32_t n = 0; n < 10'000; ++n) streams[n % 5].emit(types[n % 5], Tick{n});
  EXPECT_TRUE(writers[2].close().ok());
  for (std::size_t i = 0; i < 5; ++i) {
    const std::vector<std::uint32_t> ticks = ticks_in(folder / std::to_string(i));
    ASSERT_EQ(ticks.size(), 2'000u);
    for (const std::uint32_t n : ticks) ASSERT_EQ(n % 5, i);
  }
}

// So that a copy of the file does not take the ring away from it.
TEST_F(Ring, NamesItsFileThoughItWasGivenADescriptor) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  const Writer writer = *Writer::open(fd, options());
  const std::string ring = read_file(ring_path(open_file(path, /*rings=*/false).sessions()[0]));
  const std::size_t at = ring.find(std::string_view(ring::kMagic, sizeof ring::kMagic));
  ASSERT_NE(at, std::string::npos);
  ring::Header header;
  memcpy(&header, ring.data() + at, sizeof header);
  struct stat status;
  ASSERT_EQ(fstat(fd, &status), 0);
  EXPECT_EQ(header.outputs[0].device, status.st_dev);
  EXPECT_EQ(header.outputs[0].inode, status.st_ino);
  EXPECT_STREQ(header.outputs[0].path, "");
  close(fd);
}

TEST_F(Ring, OfALivingSessionKeepsOthersFromItsFile) {
  Writer first = open();
  first.stream("a").emit(first.declare<Tick>(), Tick{1});
  evt_error said;
  const evt_options again = options();
  evt_writer* const second = evt_open(path.c_str(), &again, &said);
  const std::string own = folder / "a." + std::to_string(getpid()) + ".evt";
  EXPECT_EQ(said.code, EVT_OK);
  EXPECT_STREQ(said.message, "");
  char notices[512];
  evt_writer_notices(second, notices, sizeof notices);
  EXPECT_EQ(std::string(notices),
            path + " is being written by this program already: this session writes " + own + "\n");
  EXPECT_EQ(std::string(evt_writer_path(second)), own);
  EXPECT_EQ(evt_close(second, nullptr), EVT_OK);
  EXPECT_TRUE(first.close().ok());
  EXPECT_EQ(ticks_in(path), numbers(1, 2));
}

TEST_F(Ring, OfEachOfManySessionsWithOnePathHasItsFile) {
  std::vector<Writer> writers;
  for (std::uint32_t n = 0; n < 4; ++n) {
    writers.push_back(open());
    writers.back().stream("a").emit(writers.back().declare<Tick>(), Tick{n});
  }
  for (std::uint32_t n = 0; n < 4; ++n) {
    const std::string own = writers[n].path();
    EXPECT_TRUE(writers[n].close().ok());
    EXPECT_EQ(ticks_in(own), numbers(n, n + 1));
  }
  EXPECT_EQ(files().size(), 4u);
}

}  // namespace
}  // namespace evt::testing
