// What the text form cannot say: clocks, time bases, blocks, columns, an index, several sessions by append. By the
// writer library, with a clock and a uuid of their own, so that they come out the same each time; all but `real_clock`.
#include <evt/evt_copy.h>
#include <unistd.h>

#include <functional>

#include "archive.h"
#include "support/command.h"
#include "v1_session.h"

namespace evt::testing {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

void make(const Archive& archive, const std::string& name, const V1Session::How& how,
          const std::function<void(V1Session&)>& record) {
  if (!archive.lacks(name)) return;
  V1Session session(archive.path_of(name), how);
  record(session);
}

// 24 MHz, as many processors have, from a large number on: nanoseconds are rounded down.
void ticks_of_a_device(V1Session& s) {
  evt_stream* const stream = s.stream("device");
  for (std::uint64_t n = 0; n < 8; ++n) s.tick(stream, n * n * 7, n);
  const evt_type* const interval =
      s.declare("interval", {EVT_FIELD_OF("begin", EVT_KIND_TICKS, EVT_SHAPE_FIXED, 8),
                             EVT_FIELD_OF("length", EVT_KIND_TICK_DELTA, EVT_SHAPE_FIXED, 8)});
  evt_row row = evt_begin_at(stream, interval, s.start() + 24'000'000);
  evt_u64(&row, s.start() + 12'000'000);
  evt_i64(&row, 12'000'000);
  evt_commit(&row);
}

// Steps that 32 bits do not hold, forward and back; and times before the session's start.
void steps_in_time(V1Session& s) {
  evt_stream* const a = s.stream("a");
  evt_stream* const b = s.stream("b");
  s.tick(a, 1, 1);
  s.tick(a, 5 * kSecond, 2);
  s.tick(b, 6 * kSecond, 3);
  s.tick(b, 2 * kSecond, 4);
  s.tick(b, 7 * kSecond, 5);
  s.tick(a, 100'000 * kSecond, 6);
  s.tick(a, std::uint64_t{0} - kSecond, 7);
  s.tick(b, 100'001 * kSecond, 8);
}

// A clock that begins anew, which was meant.
void jumps(V1Session& s) {
  evt_stream* const stream = s.stream("replayed");
  for (std::uint64_t round = 0; round < 3; ++round) {
    if (round > 0) evt_stream_jump(stream);
    for (std::uint64_t n = 1; n <= 3; ++n) s.tick(stream, n * kSecond, round * 10 + n);
  }
}

void many_blocks(V1Session& s) {
  evt_stream* const a = s.stream("a");
  evt_stream* const b = s.stream("b");
  for (std::uint64_t n = 0; n < 12; ++n) {
    s.tick(n % 3 == 0 ? b : a, n * 100, n);
    if (n % 4 == 3) evt_stream_flush(a);
    if (n == 5) evt_stream_flush(b);
  }
  evt_stream_seal(b);
  evt_stream_lost(a, EVT_LOST_RING_FULL, 9, s.start() + 1500, s.start() + 2000);
  s.tick(a, 2100, 12);
}

// A type that gets another field while the session runs.
void a_type_that_grows(V1Session& s) {
  evt_stream* const stream = s.stream("a");
  const evt_type* type = s.declare("job", {EVT_FIELD_U32("id")});
  evt_row row = evt_begin_at(stream, type, s.start() + 1);
  evt_u32(&row, 1);
  evt_commit(&row);
  evt_stream_flush(stream);
  type = s.declare("job", {EVT_FIELD_U32("id"), EVT_FIELD_TEXT("name")});
  row = evt_begin_at(stream, type, s.start() + 2);
  evt_u32(&row, 2);
  evt_text_z(&row, "second");
  evt_commit(&row);
}

// Rows of several types and sizes, with all that columns have to bring back: texts, arrays, time bases, losses, a
// number over 16 bits, a row with fewer fields than others of its type.
void mixed_rows(V1Session& s) {
  evt_stream* const stream = s.stream("busy");
  const evt_type* const call =
      s.declare("call", {EVT_FIELD_U64("address"), EVT_FIELD_TEXT("name"), EVT_FIELD_F64("x")});
  const evt_type* const samples = s.declare("samples", {EVT_FIELD_OF("v", EVT_KIND_SIGNED, EVT_SHAPE_ARRAY, 4)});
  const evt_type* const far = s.declare("far", {EVT_FIELD_U8("n")}, 70'000);
  for (std::uint64_t n = 0; n < 160; ++n) {
    s.tick(stream, n * 1000, n * n);
    evt_row row = evt_begin_at(stream, call, s.start() + n * 1000 + 300);
    evt_u64(&row, 0x7F0000001000 + n % 5 * 64);
    evt_text_z(&row, n % 7 == 0 ? "main" : "read_some");
    if (n % 10 != 0) evt_f64(&row, static_cast<double>(n) / 4);
    evt_commit(&row);
    if (n % 20 == 0) {
      const std::int32_t values[] = {-1, static_cast<std::int32_t>(n), 1 << 30};
      row = evt_begin_at(stream, samples, s.start() + n * 1000 + 400);
      evt_array(&row, values, n % 40 == 0 ? 3 : 1, sizeof values[0]);
      evt_commit(&row);
      row = evt_begin_at(stream, far, s.start() + n * 1000 + 500);
      evt_u8(&row, static_cast<std::uint8_t>(n));
      evt_commit(&row);
    }
    const std::uint64_t last = s.start() + n * 1000 + 600;
    if (n == 80) evt_stream_lost(stream, EVT_LOST_OVERWRITTEN, 3, last - 50, last);
  }
  s.tick(stream, 10 * kSecond, 1);
}

// Long enough for an index and for metadata that is repeated before the end.
void long_arrays(V1Session& s) {
  evt_stream* const streams[] = {s.stream("a"), s.stream("b")};
  const evt_type* const type = s.declare("array", {EVT_FIELD_OF("v", EVT_KIND_UNSIGNED, EVT_SHAPE_ARRAY, 8)});
  evt_intern_as(s.writer(), 1, "kept to the end", 15);
  std::uint64_t values[400] = {};
  for (std::uint64_t n = 0; n < 24; ++n) {
    values[n] = n;
    evt_stream* const stream = streams[n % 2];
    evt_row row = evt_begin_at(stream, type, s.start() + n * 10);
    evt_array(&row, values, 400, sizeof values[0]);
    evt_commit(&row);
    s.tick(stream, n * 10 + 5, n);
    if (n == 10) evt_stream_lost(stream, EVT_LOST_RING_FULL, 4, s.start() + 102, s.start() + 106);
  }
}

// As many blocks as an index is written behind, and more: a last index that names the one before it.
void many_small_blocks(V1Session& s) {
  evt_stream* const stream = s.stream("a");
  for (std::uint64_t n = 0; n < 600; ++n) {
    s.tick(stream, n * 10, n);
    evt_stream_flush(stream);
  }
}

// The processor's own clock, paired with others twice by SYNC blocks.
void real_clock(V1Session& s) {
  const evt_type* const type = s.declare("moment", {EVT_FIELD_U32("n")});
  evt_stream* const stream = s.stream("clock");
  for (std::uint32_t n = 0; n < 6; ++n) {
    evt_row row = evt_begin(stream, type);
    evt_u32(&row, n);
    evt_commit(&row);
    usleep(400'000);
    evt_stream_flush(stream);
  }
}

// Three sessions, one behind the other.
void make_appended(const Archive& archive, const std::string& name) {
  if (!archive.lacks(name)) return;
  for (std::uint8_t number = 12; number < 15; ++number) {
    V1Session session(archive.path_of(name), {.number = number, .append = number > 12});
    many_blocks(session);
  }
}

// Columns under an index: a session that is short as columns gets one only when it was long before.
void make_compacted(const Archive& archive, const std::string& name) {
  if (!archive.lacks(name)) return;
  const Outcome outcome =
      run("evt convert --columns '" + archive.path_of("v1/index.evt") + "' -o '" + archive.path_of(name) + "'");
  if (outcome.status != 0) throw std::runtime_error("not compressed: " + outcome.err);
}

}  // namespace

void make_v1(const Archive& archive) {
  make(archive, "v1/clock_24_mhz.evt", {.number = 1, .hz = 24'000'000}, ticks_of_a_device);
  make(archive, "v1/time_bases.evt", {.number = 2}, steps_in_time);
  make(archive, "v1/jumps.evt", {.number = 3}, jumps);
  make(archive, "v1/many_blocks.evt", {.number = 4}, many_blocks);
  make(archive, "v1/ring_closed.evt", {.number = 5, .ring = true}, many_blocks);
  make(archive, "v1/type_grows.evt", {.number = 6}, a_type_that_grows);
  make(archive, "v1/columns.evt", {.number = 7, .columns = true}, mixed_rows);
  make(archive, "v1/columns_jumps.evt", {.number = 8, .columns = true}, jumps);
  make(archive, "v1/index.evt", {.number = 9}, long_arrays);
  make(archive, "v1/index_chain.evt", {.number = 10}, many_small_blocks);
  make(archive, "v1/real_clock.evt", {.number = 11, .real_clock = true}, real_clock);
  make_appended(archive, "v1/appended.evt");
  make_compacted(archive, "v1/index_columns.evt");
}

}  // namespace evt::testing
