// Events that are begun and never finished: a virtual machine's longjmp, an exception, an early return. The stream's
// other events are in the trace, or in a loss of the cause that is to blame.
#include <evt/names.h>
#include <setjmp.h>

#include <stdexcept>
#include <thread>

#include "write/ring_session.h"

namespace evt::testing {
namespace {

enum class Way { kRing, kInline };

class Unfinished : public ::testing::TestWithParam<Way> {
 protected:
  evt_writer* open() {
    evt_options options = {};
    options.flush_inline = GetParam() == Way::kInline ? 1 : 0;
    evt_error error;
    evt_writer* const writer = evt_open(path.c_str(), &options, &error);
    if (writer == nullptr) throw std::runtime_error(error.message);
    evt_switch_types(writer, "trace.*", 0);
    type = encoding::declare<Tick>(writer, nullptr);
    return writer;
  }
  static void emit(evt_stream* stream, const evt_type* of, std::uint32_t n) {
    evt_row row = evt_begin(stream, of);
    evt_u32(&row, n);
    evt_commit(&row);
  }
  void emit_all(evt_stream* stream, std::uint32_t from, std::uint32_t to) const {
    for (std::uint32_t n = from; n < to; ++n) emit(stream, type, n);
  }
  void leave_behind(evt_stream* stream) const {
    evt_row row = evt_begin(stream, type);
    EXPECT_NE(row.p, nullptr);
  }
  // Of file and ring: the ticks, and losses as `COUNT CAUSE`, in their order.
  std::vector<std::string> rows() const {
    std::vector<std::string> rows;
    Trace trace = open_file(path);
    EventOptions options;
    options.markers = true;
    Events events = trace.events(options);
    while (const Event* const each = events.next()) {
      const Event& event = *each;
      if (event.is_lost()) {
        rows.push_back(std::to_string(event.value("count")->as_unsigned()) + " " +
                       std::string(named_number(NumberList::kLossCause,
                                                static_cast<std::uint16_t>(event.value("cause")->as_unsigned()))
                                       ->name));
      } else if (const auto tick = event.as<Tick>()) {
        rows.push_back("tick " + std::to_string(tick->n));
      }
    }
    return rows;
  }

  Folder folder;
  const std::string path = folder / "a.evt";
  const evt_type* type = nullptr;
};

using Rows = std::vector<std::string>;

TEST_P(Unfinished, CostsTheEventsBehindItAndCloseReportsThem) {
  evt_writer* const writer = open();
  evt_stream* const stream = evt_stream_open(writer, "vm");
  emit_all(stream, 0, 2);
  leave_behind(stream);
  emit_all(stream, 2, 99);
  evt_error error;
  EXPECT_EQ(evt_close(writer, &error), EVT_CODE_INVALID);
  EXPECT_STREQ(error.message,
               "stream \"vm\": an event was begun and neither committed nor cancelled; 97 events after it are lost");
  EXPECT_EQ(evt_writer_counts(writer).lost[EVT_LOST_UNFINISHED], 97u);
  EXPECT_EQ(evt_writer_counts(writer).lost[EVT_LOST_REENTERED], 0u);
  EXPECT_EQ(rows(), (Rows{"tick 0", "tick 1", "97 unfinished"}));
  EXPECT_TRUE(open_file(path).sessions()[0].closed);
  EXPECT_EQ(open_file(path).sessions()[0].missing, 0u);
}

TEST_P(Unfinished, IsNoErrorWhereNothingCameBehindIt) {
  evt_writer* const writer = open();
  evt_stream* const stream = evt_stream_open(writer, "vm");
  emit_all(stream, 0, 2);
  leave_behind(stream);
  EXPECT_EQ(evt_close(writer, nullptr), EVT_OK);
  EXPECT_EQ(rows(), (Rows{"tick 0", "tick 1"}));
}

TEST_P(Unfinished, MayBeAbandonedAndThenCostsNothingMore) {
  evt_writer* const writer = open();
  evt_stream* const stream = evt_stream_open(writer, "vm");
  jmp_buf unwound;
  emit_all(stream, 0, 1);
  if (setjmp(unwound) == 0) {
    evt_row row = evt_begin(stream, type);
    evt_u32(&row, 7);
    longjmp(unwound, 1);  // what the value was computed from
  }
  evt_row_abandon(stream);
  emit_all(stream, 1, 2);
  leave_behind(stream);
  emit_all(stream, 100, 103);
  evt_row_abandon(stream);
  evt_row_abandon(stream);  // nothing is open
  emit_all(stream, 2, 4);
  EXPECT_EQ(evt_close(writer, nullptr), EVT_OK);
  EXPECT_EQ(rows(), (Rows{"tick 0", "tick 1", "tick 2", "tick 3", "3 unfinished"}));
}

// One that outgrew its buffer has memory of its own.
TEST_P(Unfinished, MayBeLargeWhenItIsAbandoned) {
  evt_writer* const writer = open();
  evt_stream* const stream = evt_stream_open(writer, "vm");
  const evt_type* const paper = encoding::declare<Paper>(writer, nullptr);
  const std::string text = letters(1 << 20);
  for (std::uint32_t n = 0; n < 3; ++n) {
    evt_row row = evt_begin(stream, paper);
    evt_long_bytes(&row, text.data(), static_cast<std::uint32_t>(text.size()));
    evt_row_abandon(stream);
    emit_all(stream, n, n + 1);
  }
  EXPECT_EQ(evt_close(writer, nullptr), EVT_OK);
  EXPECT_EQ(rows(), (Rows{"tick 0", "tick 1", "tick 2"}));
}

TEST_P(Unfinished, EndsWithItsStreamAndWithItsThread) {
  evt_writer* const writer = open();
  evt_stream* const stream = evt_stream_open(writer, "request");
  emit_all(stream, 0, 1);
  leave_behind(stream);
  emit_all(stream, 100, 104);
  evt_stream_close(stream);
  std::thread([&] {
    evt_stream* const own = evt_this_thread(writer);
    emit_all(own, 1, 2);
    leave_behind(own);
    emit_all(own, 100, 105);
  }).join();
  EXPECT_EQ(evt_close(writer, nullptr), EVT_OK);
  EXPECT_EQ(rows(), (Rows{"tick 0", "4 unfinished", "tick 1", "5 unfinished"}));
}

TEST_P(Unfinished, IsNotWhatThrowsInCpp) {
  evt_writer* const writer = open();
  Stream stream(evt_stream_open(writer, "vm"));
  const TypeHandle tick(type);
  stream.emit_with(tick, [](RowBuilder& row) { row.add(std::uint32_t{1}); });
  EXPECT_THROW(stream.emit_with(tick, [](RowBuilder&) { throw std::runtime_error("no value"); }), std::runtime_error);
  stream.emit_with(tick, [](RowBuilder& row) { row.add(std::uint32_t{2}); });
  EXPECT_EQ(evt_close(writer, nullptr), EVT_OK);
  EXPECT_EQ(rows(), (Rows{"tick 1", "tick 2"}));
}

// Handlers that came before it had their reason.
TEST_P(Unfinished, IsBlamedForWhatCameBehindItAlone) {
  static evt_stream* interrupted;
  static const evt_type* of;
  evt_writer* const writer = open();
  interrupted = evt_stream_open(writer, "vm");
  of = type;
  struct sigaction action = {};
  struct sigaction before = {};
  action.sa_handler = [](int) { emit(interrupted, of, 1000); };
  sigaction(SIGUSR1, &action, &before);
  evt_row row = evt_begin(interrupted, type);
  raise(SIGUSR1);
  raise(SIGUSR1);
  evt_u32(&row, 0);
  evt_commit(&row);
  leave_behind(interrupted);
  emit_all(interrupted, 100, 105);
  sigaction(SIGUSR1, &before, nullptr);
  EXPECT_EQ(evt_close(writer, nullptr), EVT_CODE_INVALID);
  EXPECT_EQ(rows(), (Rows{"tick 0", "2 reentered", "5 unfinished"}));
}

INSTANTIATE_TEST_SUITE_P(Ways, Unfinished, ::testing::Values(Way::kRing, Way::kInline),
                         [](const auto& way) { return way.param == Way::kRing ? "Ring" : "Inline"; });

class KilledUnfinished : public Unfinished {};

// The ring counts what its writer would have recorded.
TEST_P(KilledUnfinished, IsBlamedForWhatCameBehindIt) {
  killed_after([&] {
    evt_stream* const stream = evt_stream_open(open(), "vm");
    emit_all(stream, 0, 2);
    leave_behind(stream);
    emit_all(stream, 2, 99);
  });
  EXPECT_EQ(rows(), (Rows{"tick 0", "tick 1", "97 unfinished"}));
}

INSTANTIATE_TEST_SUITE_P(Ways, KilledUnfinished, ::testing::Values(Way::kRing), [](const auto&) { return "Ring"; });

}  // namespace
}  // namespace evt::testing
