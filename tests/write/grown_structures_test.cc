// Programs that were compiled with headers of another version: their structures are shorter or longer than those of the
// library, which reads no further than a program's own end, and leaves out what it does not know.
#include <evt/evt_copy.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "write/recording.h"

namespace evt::testing {
namespace {

// Memory of which the next byte behind its end belongs to no one: what a program of another version has.
class Guarded {
 public:
  explicit Guarded(std::size_t size) : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))), size_(size) {
    memory_ = static_cast<std::byte*>(
        mmap(nullptr, pages() + page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (memory_ == MAP_FAILED || mprotect(memory_ + pages(), page_, PROT_NONE) != 0) throw std::runtime_error("mmap");
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  ~Guarded() { munmap(memory_, pages() + page_); }

  std::byte* begin() const { return memory_ + pages() - size_; }
  std::byte* end() const { return memory_ + pages(); }
  template <typename T>
  const T* as() const {
    return reinterpret_cast<const T*>(begin());
  }

 private:
  std::size_t pages() const { return (size_ + page_ - 1) / page_ * page_; }

  std::size_t page_;
  std::size_t size_;
  std::byte* memory_;
};

// Structures as a program has them in which each has this many bytes: the front of what it is given, and zeros, but for
// the last byte.
template <typename T>
class Seen : public Guarded {
 public:
  Seen(const std::vector<T>& all, std::size_t size_of_each, std::byte last = std::byte{0})
      : Guarded(all.size() * size_of_each) {
    std::byte* to = begin();
    for (const T& each : all) {
      std::memcpy(to, &each, std::min(sizeof(T), size_of_each));
      to += size_of_each;
    }
    if (last != std::byte{0}) *(to - 1) = last;
  }
  operator const T*() const { return this->template as<T>(); }  // as a program passes it
};

// Sizes of this version, of which the test changes one or two.
evt_sizes_ sizes_of_this() { return *evt_sizes_of_this_(); }

struct OtherProgram {
  StepClock clock;
  Sink blocks;
  evt_options options = ordinary_options(clock);
  evt_writer* writer = nullptr;

  evt_writer* open(const evt_options* given, const evt_sizes_& sizes) {
    evt_error error;
    writer = evt_open_sink_1(&Sink::take, &blocks, given, &sizes, &error);
    EXPECT_NE(writer, nullptr) << error.message;
    return writer;
  }
  evt_writer* open() { return open(&options, sizes_of_this()); }
  std::string notices() const {
    char text[1024];
    evt_writer_notices(writer, text, sizeof text);
    return text;
  }
  // The text of what was recorded.
  std::string close() {
    evt_error error;
    EXPECT_EQ(evt_close(writer, &error), EVT_OK) << error.message;
    return text_of_trace(blocks.bytes());
  }
};

std::string left_out(const std::string& name, std::size_t size, std::size_t known) {
  return name + " has " + std::to_string(size) + " bytes, of which this library knows " + std::to_string(known) +
         ": the others are not 0, and are left out\n";
}

constexpr std::size_t kMore = 24;
constexpr std::byte kAsked{1};

TEST(GrownOptions, OfAnEarlierVersionAreReadToTheirEnd) {
  OtherProgram session;
  evt_sizes_ sizes = sizes_of_this();
  sizes.options = offsetof(evt_options, full_wait_ms);
  const Seen<evt_options> seen({session.options}, sizes.options);
  session.open(seen, sizes);
  EXPECT_EQ(session.notices(), "");
  EXPECT_EQ(session.close(), "") << "without a ring, by the clock and the name that were given";
}

TEST(GrownOptions, OfALaterVersionAreReadAsFarAsTheyAreKnown) {
  OtherProgram session;
  evt_sizes_ sizes = sizes_of_this();
  sizes.options += kMore;
  const Seen<evt_options> seen({session.options}, sizes.options);
  session.open(seen, sizes);
  EXPECT_EQ(session.notices(), "");
  EXPECT_EQ(session.close(), "");
}

TEST(GrownOptions, OfALaterVersionThatAskForMoreAreANotice) {
  OtherProgram session;
  evt_sizes_ sizes = sizes_of_this();
  sizes.options += kMore;
  const Seen<evt_options> seen({session.options}, sizes.options, kAsked);
  session.open(seen, sizes);
  EXPECT_EQ(session.notices(), left_out("evt_options", sizeof(evt_options) + kMore, sizeof(evt_options)));
  EXPECT_EQ(session.close(), "");
}

// Of each structure that options refer to: a program's is shorter, or longer.
TEST(GrownOptions, MayReferToStructuresOfAnyVersion) {
  for (const int more : {-8, 8}) {
    OtherProgram session;
    const evt_merged_part part = {{7}, "a.evt", 1, 2, 0, 1, {}, 3, 0, 0, 9};
    evt_sizes_ sizes = sizes_of_this();
    const auto grown = [&](std::uint32_t& size) { return size += static_cast<std::uint32_t>(more); };
    evt_left_out cut = {};
    cut.has_range = 1;
    cut.to_ns = 5;
    const Seen<evt_merged_part> parts({part, part}, grown(sizes.merged_part));
    const Seen<evt_left_out> left({cut}, sizes.left_out + 8);
    sizes.left_out += 8;
    evt_session_info info = ordinary_session();
    info.parts = parts;
    info.part_count = 2;
    info.left_out = left;
    // What is behind `cut` is not in the shorter one.
    const Seen<evt_session_info> infos({info}, grown(sizes.session_info));
    const Seen<evt_clock> clocks({session.clock.clock}, grown(sizes.clock));
    session.options.session = infos;
    session.options.clock = clocks;
    session.open(&session.options, sizes);
    EXPECT_EQ(session.notices(), "");
    evt_close(session.writer, nullptr);
    const std::string bytes = session.blocks.bytes();
    const Trace trace = open_trace(bytes);
    const Session& read = trace.sessions().front();
    EXPECT_EQ(read.program, "test");
    ASSERT_EQ(read.parts.size(), 2u);
    EXPECT_EQ(read.parts[1].name, "a.evt");
    EXPECT_EQ(read.parts[1].bound_ns, more > 0 ? 9u : 0u) << "the last member";
    EXPECT_EQ(read.left_out.has_value(), more > 0) << "the last member";
  }
}

TEST(GrownTypes, OfAnyVersionAreDeclared) {
  for (const int more : {-4, 8}) {
    OtherProgram session;
    session.open();
    evt_sizes_ sizes = sizes_of_this();
    const auto grown = [&](std::uint32_t& size) { return size += static_cast<std::uint32_t>(more); };
    const Seen<evt_label> labels({{0, "red"}, {1, "green"}}, sizes.label + 8);
    sizes.label += 8;
    evt_field color = EVT_FIELD_U8("color");
    color.kind = EVT_KIND_ENUMERATION;
    color.label_count = 2;
    color.labels = labels;
    const Seen<evt_field> fields({EVT_FIELD_U32("n"), color}, grown(sizes.field));
    const Seen<evt_facet_field> facet_fields({{1, EVT_ROLE_VALUE}, {0, EVT_ROLE_THREAD}}, sizes.facet_field + 4);
    sizes.facet_field += 4;
    const Seen<evt_facet> facets({{facet_fields, 2, EVT_ROLE_MARK, 0}}, sizes.facet + 8);
    sizes.facet += 8;
    evt_event_type type = {};
    type.name = "paint";
    type.field_count = 2;
    type.fields = fields;
    type.facet_count = 1;
    type.facets = facets;
    const Seen<evt_event_type> types({type}, grown(sizes.event_type));
    evt_error error;
    evt_row row =
        evt_begin_at(evt_stream_open(session.writer, "a"), evt_declare_1(session.writer, types, &sizes, &error), 1);
    EXPECT_EQ(error.code, EVT_OK) << error.message;
    evt_u32(&row, 7);
    evt_u8(&row, 1);
    evt_commit(&row);
    EXPECT_EQ(session.notices(), "");
    EXPECT_EQ(session.close(),
              "type 1024 paint facet=mark[color=value n=thread] (n u32) (color enum8 labels=[0=red 1=green])\n"
              "stream 1 \"a\"\n"
              "0.000000001 1 paint n=7 color=green\n")
        << more;
  }
}

TEST(GrownTypes, OfALaterVersionThatStateMoreAreANoticeOnce) {
  OtherProgram session;
  session.open();
  evt_sizes_ sizes = sizes_of_this();
  sizes.field += kMore;
  const Seen<evt_field> fields({EVT_FIELD_U32("n"), EVT_FIELD_U32("m")}, sizes.field, kAsked);
  evt_event_type type = {};
  type.fields = fields;
  type.field_count = 2;
  for (const char* const name : {"first", "second"}) {
    type.name = name;
    evt_error error;
    EXPECT_NE(evt_declare_1(session.writer, &type, &sizes, &error)->number, 0u);
    EXPECT_EQ(error.code, EVT_OK) << error.message;
  }
  EXPECT_EQ(session.notices(), left_out("evt_field", sizeof(evt_field) + kMore, sizeof(evt_field)));
}

// Nothing is read of fields that are more than can be declared, as those may not be there.
TEST(GrownTypes, WithTooManyFieldsAreRefusedByTheirNumber) {
  OtherProgram session;
  session.open();
  evt_sizes_ sizes = sizes_of_this();
  sizes.field += kMore;
  const Seen<evt_field> fields({EVT_FIELD_U32("n")}, sizes.field);
  evt_event_type type = {};
  type.name = "wide";
  type.fields = fields;
  type.field_count = UINT32_MAX;
  evt_error error;
  EXPECT_EQ(evt_declare_1(session.writer, &type, &sizes, &error)->number, 0u);
  EXPECT_STREQ(error.message, "event type wide: 4294967295 fields, at most 1024 can be declared");
}

TEST(GrownStreams, OfAnyVersionAreOpened) {
  OtherProgram session;
  session.open();
  evt_stream_info info = {};
  info.name = "a";
  info.thread = 11;
  info.process = 12;
  evt_sizes_ sizes = sizes_of_this();
  sizes.stream_info = offsetof(evt_stream_info, process);
  evt_stream_open_as_1(session.writer, Seen<evt_stream_info>({info}, sizes.stream_info), &sizes, nullptr);
  sizes.stream_info = sizeof info + kMore;
  evt_stream_open_as_1(session.writer, Seen<evt_stream_info>({info}, sizes.stream_info, kAsked), &sizes, nullptr);
  EXPECT_EQ(session.notices(), left_out("evt_stream_info", sizeof info + kMore, sizeof info));
  EXPECT_EQ(session.close(), "stream 1 \"a\" thread=11\nstream 2 \"a\" thread=11 process=12\n");
}

TEST(GrownFacts, OfAnyVersionAreStated) {
  OtherProgram session;
  session.open();
  evt_fact_info fact = {};
  fact.scope = EVT_FACT_SCOPE_SESSION;
  fact.key = "service.name";
  fact.key_size = 12;
  fact.value = "shop";
  fact.value_size = 4;
  evt_sizes_ sizes = sizes_of_this();
  sizes.fact_info = offsetof(evt_fact_info, reserved);
  EXPECT_EQ(evt_fact_as_1(session.writer, Seen<evt_fact_info>({fact}, sizes.fact_info), &sizes, nullptr), EVT_OK);
  fact.value = "mail";
  sizes.fact_info = sizeof fact + kMore;
  EXPECT_EQ(evt_fact_as_1(session.writer, Seen<evt_fact_info>({fact}, sizes.fact_info), &sizes, nullptr), EVT_OK);
  EXPECT_EQ(session.notices(), "");
  EXPECT_EQ(session.close(), "fact 0.000000000 session service.name \"mail\"\n");
}

TEST(GrownCounts, AreWrittenAsFarAsTheProgramHasThem) {
  OtherProgram session;
  session.open();
  const Guarded earlier(offsetof(evt_counts, lost));
  evt_writer_counts_1(session.writer, const_cast<evt_counts*>(earlier.as<evt_counts>()), offsetof(evt_counts, lost));
  EXPECT_EQ(earlier.as<evt_counts>()->bytes_written, session.blocks.bytes().size());
  const Guarded later(sizeof(evt_counts) + kMore);
  std::fill(later.begin(), later.end(), std::byte{0xFF});
  evt_writer_counts_1(session.writer, const_cast<evt_counts*>(later.as<evt_counts>()), sizeof(evt_counts) + kMore);
  EXPECT_EQ(later.as<evt_counts>()->bytes_written, session.blocks.bytes().size());
  EXPECT_EQ(std::count(later.end() - kMore, later.end(), std::byte{0}), std::ptrdiff_t{kMore});
}

TEST(GrownSizes, OfALaterVersionAreReadAsFarAsTheyAreKnown) {
  OtherProgram session;
  struct {
    evt_sizes_ known = sizes_of_this();
    std::uint32_t more = 99;
  } later;
  later.known.sizes = sizeof later;
  session.open(&session.options, later.known);
  EXPECT_EQ(session.notices(), "");
  EXPECT_EQ(session.close(), "");
}

}  // namespace
}  // namespace evt::testing
