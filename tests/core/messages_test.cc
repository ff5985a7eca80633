// The reader's side of the Cap'n Proto messages: what libcapnp makes is read, in any form that a later version or
// another program may give it; what is hostile is refused, and costs nothing but itself.
#include "libtrace-read/core/src/base/messages.h"

#include <capnp/any.h>
#include <capnp/message.h>
#include <evt/little_endian.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "metadata.capnp.h"

namespace evt {
namespace {

// A message's bytes at an odd place, as records have them.
class Message {
 public:
  explicit Message(kj::ArrayPtr<const capnp::word> words) : bytes_(1 + words.asBytes().size()) {
    std::memcpy(bytes_.data() + 1, words.begin(), words.asBytes().size());
  }
  explicit Message(capnp::MallocMessageBuilder& builder) : Message(builder.getSegmentsForOutput()[0]) {}
  explicit Message(const std::vector<std::uint64_t>& words) : bytes_(1 + words.size() * 8) {
    for (std::size_t i = 0; i < words.size(); ++i) evt_store_u64(bytes_.data() + 1 + i * 8, words[i]);
  }

  Bytes bytes() const { return Bytes(bytes_).subspan(1); }

 private:
  std::vector<std::byte> bytes_;
};

void fill(metadata::EventTypeInfo::Builder info) {
  info.setRole(metadata::Role::THREAD_STOP);
  auto fields = info.initFields(2);
  fields[1].setName("why");
  fields[1].setDescription("the reason");
  fields[1].setKind(metadata::Kind::ENUMERATION);
  fields[1].setWidth(1);
  fields[1].setRole(metadata::Role::REASON);
  fields[1].setUnit(metadata::Unit::PERCENT);
  auto labels = fields[1].initLabels(3);
  labels[0].setValue(9);
  labels[0].setText("nine");
  labels[1].setValue(1);
  labels[1].setText("one");
  labels[2].setValue(9);
  labels[2].setText("another nine");
  fields[0].setName("thread");
  fields[0].setKind(metadata::Kind::UNSIGNED);
  fields[0].setShape(metadata::Shape::ARRAY);
  fields[0].setWidth(4);
}

void expect_filled(const Message& message) {
  Role role{};
  std::vector<Field> fields;
  TypeMeaning meaning;
  ASSERT_TRUE(read_event_type_info(message.bytes(), &role, &fields, &meaning));
  EXPECT_EQ(role, Role::kThreadStop);
  ASSERT_EQ(fields.size(), 2u);
  EXPECT_EQ(fields[0].name, "thread");
  EXPECT_EQ(fields[0].kind, Kind::kUnsigned);
  EXPECT_EQ(fields[0].shape, Shape::kArray);
  EXPECT_EQ(fields[0].width, 4u);
  EXPECT_EQ(fields[1].name, "why");
  EXPECT_EQ(fields[1].description, "the reason");
  EXPECT_EQ(fields[1].role, Role::kReason);
  EXPECT_EQ(fields[1].unit, Unit::kPercent);
  EXPECT_EQ(fields[1].label(9)->text, "nine") << "the first text of a value counts";
  EXPECT_EQ(fields[1].label(1)->text, "one");
}

TEST(Messages, OfLibcapnpAreRead) {
  capnp::MallocMessageBuilder builder(1 << 12);
  fill(builder.initRoot<metadata::EventTypeInfo>());
  expect_filled(Message(builder));
}

TEST(Messages, InCanonicalFormAreRead) {
  capnp::MallocMessageBuilder builder(1 << 12);
  fill(builder.initRoot<metadata::EventTypeInfo>());
  expect_filled(Message(capnp::canonicalize(builder.getRoot<metadata::EventTypeInfo>().asReader())));
}

TEST(Messages, OfOtherSubjectsAreRead) {
  capnp::MallocMessageBuilder builder(1 << 12);
  auto info = builder.initRoot<metadata::SessionInfo>();
  info.setWriter("writer");
  info.setProgram("program");
  info.setPid(7);
  info.initCommandLine(2).set(1, "word");
  auto origins = info.initOrigins(3);  // the first is empty, the second of another size than this version knows
  const kj::byte uuid[17] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17};
  origins.set(1, {uuid, 17});
  origins.set(2, {uuid, 16});
  info.setRingKind(metadata::RingKind::SHARED);
  info.setRingName("ring");
  Session session;
  ASSERT_TRUE(read_session_info(Message(builder).bytes(), &session));
  EXPECT_EQ(session.writer, "writer");
  EXPECT_EQ(session.program, "program");
  EXPECT_EQ(session.pid, 7u);
  EXPECT_EQ(session.command_line, (std::vector<std::string>{"", "word"}));
  EXPECT_EQ(session.ring_kind, EVT_RING_SHARED);
  EXPECT_EQ(session.ring_name, "ring");
  EXPECT_EQ(session.origins, (std::vector<Session::Uuid>{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}}));

  capnp::MallocMessageBuilder other(1 << 12);
  auto stream = other.initRoot<metadata::StreamInfo>();
  stream.setName("name");
  stream.setProcess(8);
  StreamInfo read;
  ASSERT_TRUE(read_stream_info(Message(other).bytes(), &read));
  EXPECT_EQ(read.name, "name");
  EXPECT_EQ(read.process, 8u);
}

TEST(Messages, OfALaterVersionHaveMoreThanIsKnown) {
  capnp::MallocMessageBuilder builder(1 << 12);
  auto root = builder.getRoot<capnp::AnyPointer>().initAsAnyStruct(9, 9);
  std::memset(root.getDataSection().begin(), 0xAB, root.getDataSection().size());
  root.getPointerSection()[0].setAs<capnp::Text>("name");
  root.getPointerSection()[8].setAs<capnp::Text>("something new");
  ClockInfo clock;
  ASSERT_TRUE(read_clock_info(Message(builder).bytes(), &clock));
  EXPECT_EQ(clock.name, "name");
  EXPECT_EQ(clock.host, "");
}

TEST(Messages, OfAnEarlierVersionHaveLess) {
  StreamInfo stream;
  ASSERT_TRUE(read_stream_info(Message(std::vector<std::uint64_t>{0}).bytes(), &stream));
  EXPECT_EQ(stream.name, "");
  EXPECT_EQ(stream.thread, 0u);
}

TEST(Messages, MayBeAbsent) {
  Session session;
  EXPECT_TRUE(read_session_info({}, &session));
}

TEST(Messages, HaveWholeWords) {
  capnp::MallocMessageBuilder builder(1 << 12);
  builder.initRoot<metadata::StreamInfo>().setName("name");
  const Message message(builder);
  StreamInfo stream;
  for (std::size_t less = 1; less < 8; ++less) {
    EXPECT_FALSE(read_stream_info(message.bytes().first(message.bytes().size() - less), &stream)) << less;
  }
}

// A pointer to a struct, and one to a list, this many words further on.
std::uint64_t struct_pointer(std::int64_t words, std::uint64_t data, std::uint64_t pointers) {
  return (static_cast<std::uint64_t>(words) << 2 & 0xFFFFFFFC) | data << 32 | pointers << 48;
}
std::uint64_t list_pointer(std::int64_t words, std::uint64_t element, std::uint64_t count) {
  return (static_cast<std::uint64_t>(words) << 2 & 0xFFFFFFFC) | 1 | element << 32 | count << 35;
}

TEST(Messages, ThatPointOutOfThemselvesAreRefused) {
  StreamInfo stream;
  EXPECT_FALSE(read_stream_info(Message(std::vector{struct_pointer(5, 2, 1)}).bytes(), &stream));
  EXPECT_FALSE(read_stream_info(Message(std::vector{struct_pointer(-5, 2, 1)}).bytes(), &stream));
  const std::vector<std::uint64_t> far = {2 | 1ull << 32};
  EXPECT_FALSE(read_stream_info(Message(far).bytes(), &stream)) << "into a segment that is not there";
  EXPECT_FALSE(read_stream_info(
      Message(std::vector{struct_pointer(0, 2, 1), std::uint64_t{1}, std::uint64_t{2}, list_pointer(0, 2, 1 << 20)})
          .bytes(),
      &stream));
  EXPECT_EQ(stream.thread, 1u) << "what could be read is there";
}

TEST(Messages, ThatPointAtTheSameTextOverAndOverAreRefused) {
  // 1000 words of a command line, all of them one text of 800 bytes.
  std::vector<std::uint64_t> words = {struct_pointer(0, 2, 7), 0, 0, 0, list_pointer(5, 6, 1000), 0, 0, 0, 0, 0};
  for (int i = 0; i < 1000; ++i) words.push_back(list_pointer(999 - i, 2, 801));
  for (int i = 0; i < 100; ++i) words.push_back(0x6161616161616161);
  words.push_back(0);
  Session session;
  EXPECT_FALSE(read_session_info(Message(words).bytes(), &session));
  EXPECT_LT(session.command_line.size(), 100u) << "no more than four times what the message holds";
}

TEST(Messages, ThatPointAtThemselvesAreRefused) {
  // A field whose labels are the fields: a list that is its own element's.
  const std::vector<std::uint64_t> words = {struct_pointer(0, 1, 1),
                                            0,
                                            list_pointer(0, 7, 5),
                                            struct_pointer(1, 2, 3),  // the tag: one element
                                            0,
                                            0,
                                            0,
                                            list_pointer(-5, 7, 5),
                                            0};
  Role role{};
  std::vector<Field> fields;
  TypeMeaning meaning;
  static_cast<void>(read_event_type_info(Message(words).bytes(), &role, &fields, &meaning));
  EXPECT_LE(fields.size(), 1u);
}

TEST(Messages, ThatClaimManyStructsOfNothingAreNotBelieved) {
  for (const std::uint64_t count : {std::uint64_t{1000}, (std::uint64_t{1} << 29) - 1}) {
    // A list of structs without words; as fields, then as labels of the only field.
    const std::uint64_t tag = count << 2 & 0xFFFFFFFF;
    Role role{};
    std::vector<Field> fields;
    TypeMeaning meaning;
    const std::vector<std::uint64_t> many_fields = {struct_pointer(0, 1, 1), 0, list_pointer(0, 7, 0), tag};
    static_cast<void>(read_event_type_info(Message(many_fields).bytes(), &role, &fields, &meaning));
    EXPECT_LE(fields.size(), many_fields.size());
    fields.clear();
    const std::vector<std::uint64_t> many_labels = {struct_pointer(0, 1, 1),
                                                    0,
                                                    list_pointer(0, 7, 5),
                                                    struct_pointer(1, 2, 3),
                                                    0,
                                                    0,
                                                    0,
                                                    list_pointer(1, 7, 0),
                                                    0,
                                                    tag};
    static_cast<void>(read_event_type_info(Message(many_labels).bytes(), &role, &fields, &meaning));
    for (const Field& field : fields) EXPECT_LE(field.labels.size(), many_labels.size());
  }
}

TEST(Messages, OfAnyBytesAreReadOrRefused) {
  std::mt19937_64 random(1);
  capnp::MallocMessageBuilder builder(1 << 12);
  fill(builder.initRoot<metadata::EventTypeInfo>());
  const auto segment = builder.getSegmentsForOutput()[0];
  for (int i = 0; i < 3000; ++i) {
    std::vector<std::uint64_t> words(segment.size());
    for (std::size_t k = 0; k < words.size(); ++k) words[k] = evt_load_u64(segment.begin() + k);
    for (int changes = 0; changes < 3; ++changes) {
      words[static_cast<std::size_t>(random() % words.size())] ^= 1ull << random() % 64;
    }
    Role role{};
    std::vector<Field> fields;
    TypeMeaning meaning;
    Session session;
    ClockInfo clock;
    StreamInfo stream;
    const Message message(words);
    static_cast<void>(read_event_type_info(message.bytes(), &role, &fields, &meaning));
    static_cast<void>(read_session_info(message.bytes(), &session));
    static_cast<void>(read_clock_info(message.bytes(), &clock));
    static_cast<void>(read_stream_info(message.bytes(), &stream));
    EXPECT_LE(fields.size(), words.size());
  }
}

}  // namespace
}  // namespace evt
