// Our Cap'n Proto encoder against libcapnp: the same bytes when filled in the same order, the same canonical form in
// any.
#include "format-spec/src/block/index_entries.h"
#include "format/messages.h"

namespace evt::testing {
namespace {

constexpr const char* kCommandLine[] = {"prog", "", "--size=exactly8", "\xC3\xA9"};

const char* const kFirstOrigin = "sixteen bytes, 1";
const char* const kSecondOrigin = "sixteen bytes, 2";
const std::string kOrigins = std::string(kFirstOrigin) + kSecondOrigin;

const evt_merged_part kPart = {{'s', 'i', 'x', 't', 'e', 'e', 'n', ' ', 'b', 'y', 't', 'e', 's', ',', ' ', '1'},
                               "a.evt",
                               3,
                               2,
                               EVT_ALIGNED_MESSAGES,
                               1,
                               {},
                               -5,
                               70,
                               -900,
                               12};

constexpr const char* kStreams[] = {"a stream"};
constexpr const char* kTypes[] = {"a.type", "b"};

evt_left_out some_left_out() {
  evt_left_out left_out = {};
  left_out.has_range = 1;
  left_out.from_ns = -5;
  left_out.to_ns = 7;
  left_out.streams = kStreams;
  left_out.stream_count = 1;
  left_out.types = kTypes;
  left_out.type_count = 2;
  left_out.sampled_by = EVT_SAMPLED_ROW;
  left_out.one_in = 100;
  left_out.others = 1;
  return left_out;
}

evt_session_info some_session() {
  static const evt_left_out kLeftOut = some_left_out();
  evt_session_info session = {};
  session.left_out = &kLeftOut;
  session.parts = &kPart;
  session.part_count = 1;
  session.cut = "--from 1s";
  session.program = "prog";
  session.host = "a host with a longer name";
  session.boot_id = "1234567";  // 8 bytes with its zero
  session.writer = "evtrace 0.1.0";
  session.pid = 0x123456789ABCDEF0;
  session.command_line = kCommandLine;
  session.command_line_count = 4;
  session.origins = reinterpret_cast<const std::uint8_t*>(kOrigins.data());
  session.origin_count = 2;
  return session;
}

TEST(SessionInfoMessage, IsWhatLibcapnpMakes) {
  Theirs theirs;
  auto info = theirs.root<metadata::SessionInfo>();
  info.setPid(0x123456789ABCDEF0);
  info.setProgram("prog");
  auto line = info.initCommandLine(4);
  line.set(0, "prog");
  line.set(2, "--size=exactly8");
  line.set(3, "\xC3\xA9");
  info.setHost("a host with a longer name");
  info.setBootId("1234567");
  info.setWriter("evtrace 0.1.0");
  auto origins = info.initOrigins(2);
  origins.set(0, kj::StringPtr(kFirstOrigin).asBytes());
  origins.set(1, kj::StringPtr(kSecondOrigin).asBytes());
  auto part = info.initParts(1)[0];
  part.setFirstStream(3);
  part.setStreamCount(2);
  part.setAlignment(metadata::Alignment::MESSAGES);
  part.setEnded(true);
  part.setOffset(-5);
  part.setDrift(70);
  part.setPivot(-900);
  part.setBound(12);
  part.setOrigin(kj::StringPtr(kFirstOrigin).asBytes());
  part.setName("a.evt");
  info.setCut("--from 1s");
  auto left_out = info.initLeftOut();
  left_out.setIsCut(true);
  left_out.setHasRange(true);
  left_out.setFrom(-5);
  left_out.setTo(7);
  left_out.setStreamCount(1);
  left_out.setTypeCount(2);
  left_out.setSampledBy(metadata::Sampling::ROW);
  left_out.setOneIn(100);
  left_out.setOthers(true);
  left_out.initStreams(1).set(0, "a stream");
  auto types = left_out.initTypes(2);
  types.set(0, "a.type");
  types.set(1, "b");
  EXPECT_EQ(session_info(some_session()), theirs.words());
}

// Most sessions are neither merged nor cut, and need no room for it: libcapnp reads a shorter struct as one of nothing.
TEST(SessionInfoMessage, HasNoRoomForWhatFewSessionsHave) {
  evt_session_info session = some_session();
  session.part_count = 0;
  session.cut = "";
  session.left_out = nullptr;
  Read<metadata::SessionInfo> read(session_info(session));
  EXPECT_LT(session_info(session).size() + 2, session_info(some_session()).size());
  EXPECT_EQ(read.root().getParts().size(), 0u);
  EXPECT_EQ(read.root().getCut(), "");
  EXPECT_FALSE(read.root().getLeftOut().getIsCut());
  EXPECT_EQ(read.root().getProgram(), "prog");
}

TEST(SessionInfoMessage, IsReadByLibcapnp) {
  EXPECT_EQ(Read<metadata::SessionInfo>(session_info(some_session())).text(),
            "(program = \"prog\", commandLine = [\"prog\", \"\", \"--size=exactly8\", \"\xC3\xA9\"], "
            "pid = 1311768467463790320, host = \"a host with a longer name\", bootId = \"1234567\", "
            "writer = \"evtrace 0.1.0\", ringKind = none, "
            "origins = [\"sixteen bytes, 1\", \"sixteen bytes, 2\"], "
            "parts = [(origin = \"sixteen bytes, 1\", name = \"a.evt\", firstStream = 3, streamCount = 2, "
            "alignment = messages, ended = true, offset = -5, drift = 70, pivot = -900, bound = 12)], "
            "cut = \"--from 1s\", leftOut = (isCut = true, hasRange = true, from = -5, to = 7, "
            "streams = [\"a stream\"], streamCount = 1, types = [\"a.type\", \"b\"], typeCount = 2, "
            "sampledBy = row, oneIn = 100, others = true))");
}

TEST(SessionInfoMessage, OfNothingIsAnEmptyStruct) {
  Theirs theirs;
  theirs.root<metadata::SessionInfo>();
  EXPECT_EQ(Read<metadata::SessionInfo>(session_info({})).canonical(),
            Read<metadata::SessionInfo>(theirs.words()).canonical());
}

TEST(SessionInfoMessage, CutsTextThatIsTooLongAtACharacter) {
  const std::string long_name = std::string(EVT_MAX_MESSAGE_TEXT - 1, 'n') + "\xC3\xA9";
  evt_session_info session = {};
  session.program = long_name.c_str();
  EXPECT_EQ(Read<metadata::SessionInfo>(session_info(session)).root().getProgram(),
            std::string(EVT_MAX_MESSAGE_TEXT - 1, 'n').c_str());
}

TEST(SessionInfoMessage, LeavesOutOriginsBeyondTheMost) {
  const std::vector<std::uint8_t> uuids(std::size_t{16} * (EVT_MAX_ORIGINS + 1), 7);
  evt_session_info session = {};
  session.origins = uuids.data();
  session.origin_count = EVT_MAX_ORIGINS + 1;
  EXPECT_EQ(Read<metadata::SessionInfo>(session_info(session)).root().getOrigins().size(), unsigned{EVT_MAX_ORIGINS});
}

TEST(SessionInfoMessage, CutsACommandLineThatIsTooLong) {
  const std::vector<const char*> words(1000, "word");
  evt_session_info session = {};
  session.command_line = words.data();
  session.command_line_count = 1000;
  EXPECT_EQ(Read<metadata::SessionInfo>(session_info(session)).root().getCommandLine().size(), 128u);
}

TEST(ClockInfoMessage, IsWhatLibcapnpMakes) {
  constexpr const char* kNames[] = {"", "CLOCK_MONOTONIC", "TSC", "CNTVCT_EL0", "other"};
  for (std::uint8_t kind = 0; kind <= EVT_CLOCK_OTHER; ++kind) {
    ClockRecord clock;
    clock.kind = kind;
    Theirs theirs;
    auto info = theirs.root<metadata::ClockInfo>();
    if (kind != 0) info.setName(kNames[kind]);
    info.setHost("a host with a longer name");
    info.setBootId("1234567");
    const Words ours = clock_info(clock, some_session());
    EXPECT_EQ(ours, theirs.words()) << kNames[kind];
    EXPECT_EQ(std::string(Read<metadata::ClockInfo>(ours).root().getName().cStr()), kNames[kind]);
  }
}

TEST(ClockInfoMessage, OfAKindThatIsNotKnownHasNoName) {
  ClockRecord clock;
  clock.kind = 200;
  EXPECT_EQ(Read<metadata::ClockInfo>(clock_info(clock, some_session())).text(),
            "(host = \"a host with a longer name\", bootId = \"1234567\")");
}

TEST(StreamInfoMessage, IsWhatLibcapnpMakes) {
  evt_stream_info stream = {};
  stream.name = "HEC 0";
  stream.id = 7;
  stream.thread = 4711;
  stream.process = 0xFFFFFFFFFFFFFFFF;
  Theirs theirs;
  auto info = theirs.root<metadata::StreamInfo>();
  info.setThread(4711);
  info.setProcess(0xFFFFFFFFFFFFFFFF);
  info.setName("HEC 0");
  EXPECT_EQ(stream_info(stream), theirs.words());
  EXPECT_EQ(Read<metadata::StreamInfo>(stream_info(stream)).text(),
            "(name = \"HEC 0\", thread = 4711, process = 18446744073709551615)");
}

TEST(IndexInfoMessage, IsWhatLibcapnpMakes) {
  IndexedStream streams[2];
  streams[0].id = 3;
  streams[0].rows = 0x100000000;
  streams[0].last_ticks = UINT64_MAX;
  streams[0].lost[EVT_LOST_RING_FULL] = 5;
  streams[0].lost[EVT_LOST_SINK] = 6;
  streams[1].id = 4;
  Buffer out;
  append_index_info(out, streams, 2);

  Theirs theirs;
  auto list = theirs.root<metadata::IndexInfo>().initStreams(2);
  list[0].setId(3);
  list[0].setRows(0x100000000);
  list[0].setLastTicks(UINT64_MAX);
  auto lost = list[0].initLost(2);
  lost[0].setCause(EVT_LOST_RING_FULL);
  lost[0].setCount(5);
  lost[1].setCause(EVT_LOST_SINK);
  lost[1].setCount(6);
  list[1].setId(4);
  EXPECT_EQ(words_of(out.data(), out.size()), theirs.words());
}

TEST(IndexInfoMessage, OfNoStreamsIsEmpty) {
  Buffer out;
  append_index_info(out, nullptr, 0);
  Theirs theirs;
  theirs.root<metadata::IndexInfo>();
  EXPECT_EQ(words_of(out.data(), out.size()), theirs.words());
}

constexpr evt_label kLabels[] = {{0, "red"}, {0xFFFFFFFFFFFFFFFF, "no colour at all"}, {7, ""}};

constexpr const char* kTags[] = {"com.example.frame", "org.example.b"};

evt_field field_of(const char* name, std::uint16_t kind, std::uint16_t shape, std::uint32_t width) {
  return EVT_FIELD_OF(name, kind, shape, width);
}

// Every member set, a field with labels, one with a later version's numbers, one with nothing.
std::vector<evt_field> make_fields() {
  std::vector<evt_field> fields = {field_of("thread", EVT_KIND_UNSIGNED, EVT_SHAPE_FIXED, 4),
                                   field_of("colour", EVT_KIND_ENUMERATION, EVT_SHAPE_FIXED, 1),
                                   field_of("", 77, 9, 0xFFFFFFFF), EVT_FIELD_TEXT("why")};
  fields[0].description = "the one that ran";
  fields[0].role = EVT_ROLE_THREAD;
  fields[1].unit = EVT_UNIT_PERCENT;
  fields[1].label_count = 3;
  fields[1].labels = kLabels;
  fields[2].role = 60000;
  fields[2].unit = 60001;
  return fields;
}
const std::vector<evt_field>& some_fields() {
  static const std::vector<evt_field> fields = make_fields();
  return fields;
}

// The same with all that a field can mean, in some of them.
const std::vector<evt_field>& fields_with_meaning() {
  static const std::vector<evt_field> fields = [] {
    std::vector<evt_field> made = make_fields();
    made[0].scope = EVT_SCOPE_BOOT;
    made[0].scale = -2;
    made[0].has_absent = 1;
    made[0].absent = 0xFEDCBA9876543210;
    made[0].unit_text = "Cel";
    made[0].tags = kTags;
    made[0].tag_count = 2;
    made[1].is_flags = 1;
    made[3].scope = 60002;
    return made;
  }();
  return fields;
}

evt_event_type some_type() {
  evt_event_type type = {};
  type.name = "sched.stop";
  type.role = EVT_ROLE_THREAD_STOP;
  type.field_count = static_cast<std::uint32_t>(some_fields().size());
  type.fields = some_fields().data();
  return type;
}

evt_event_type type_with_meaning() {
  static constexpr evt_facet_field kRunFields[] = {{3, EVT_ROLE_THREAD}, {1, EVT_ROLE_CPU}};
  static constexpr evt_facet kFacets[] = {{kRunFields, 2, EVT_ROLE_THREAD_RUN, 0}, {nullptr, 0, 60003, 0}};
  evt_event_type type = some_type();
  type.fields = fields_with_meaning().data();
  type.facets = kFacets;
  type.facet_count = 2;
  type.twin_of = "sched.run";
  type.source_file = "sched.c";
  type.source_line = 4711;
  type.source_function = "schedule";
  type.tags = kTags + 1;
  type.tag_count = 1;
  return type;
}

// The same by libcapnp: field by field, each with its name, then its labels, then its description.
void fill(metadata::EventTypeInfo::Builder info) {
  info.setRole(metadata::Role::THREAD_STOP);
  auto fields = info.initFields(4);
  fields[0].setName("thread");
  fields[0].setKind(metadata::Kind::UNSIGNED);
  fields[0].setShape(metadata::Shape::FIXED);
  fields[0].setWidth(4);
  fields[0].setRole(metadata::Role::THREAD);
  fields[0].setDescription("the one that ran");
  fields[1].setName("colour");
  fields[1].setKind(metadata::Kind::ENUMERATION);
  fields[1].setWidth(1);
  fields[1].setUnit(metadata::Unit::PERCENT);
  auto labels = fields[1].initLabels(3);
  labels[0].setText("red");
  labels[1].setValue(0xFFFFFFFFFFFFFFFF);
  labels[1].setText("no colour at all");
  labels[2].setValue(7);
  fields[2].setKind(static_cast<metadata::Kind>(77));
  fields[2].setShape(static_cast<metadata::Shape>(9));
  fields[2].setWidth(0xFFFFFFFF);
  fields[2].setRole(static_cast<metadata::Role>(60000));
  fields[2].setUnit(static_cast<metadata::Unit>(60001));
  fields[3].setName("why");
  fields[3].setKind(metadata::Kind::TEXT);
  fields[3].setShape(metadata::Shape::COUNTED16);
}

void fill_with_meaning(metadata::EventTypeInfo::Builder info) {
  info.setRole(metadata::Role::THREAD_STOP);
  auto fields = info.initFields(4);
  fields[0].setName("thread");
  fields[0].setKind(metadata::Kind::UNSIGNED);
  fields[0].setWidth(4);
  fields[0].setRole(metadata::Role::THREAD);
  fields[0].setScope(metadata::Scope::BOOT);
  fields[0].setScale(-2);
  fields[0].setHasAbsent(true);
  fields[0].setAbsent(0xFEDCBA9876543210);
  fields[0].setDescription("the one that ran");
  fields[0].setUnitText("Cel");
  auto tags = fields[0].initTags(2);
  tags.set(0, kTags[0]);
  tags.set(1, kTags[1]);
  fields[1].setName("colour");
  fields[1].setKind(metadata::Kind::ENUMERATION);
  fields[1].setWidth(1);
  fields[1].setUnit(metadata::Unit::PERCENT);
  fields[1].setIsFlags(true);
  auto labels = fields[1].initLabels(3);
  labels[0].setText("red");
  labels[1].setValue(0xFFFFFFFFFFFFFFFF);
  labels[1].setText("no colour at all");
  labels[2].setValue(7);
  fields[2].setKind(static_cast<metadata::Kind>(77));
  fields[2].setShape(static_cast<metadata::Shape>(9));
  fields[2].setWidth(0xFFFFFFFF);
  fields[2].setRole(static_cast<metadata::Role>(60000));
  fields[2].setUnit(static_cast<metadata::Unit>(60001));
  fields[3].setName("why");
  fields[3].setKind(metadata::Kind::TEXT);
  fields[3].setShape(metadata::Shape::COUNTED16);
  fields[3].setScope(static_cast<metadata::Scope>(60002));
  auto facets = info.initFacets(2);
  facets[0].setRole(metadata::Role::THREAD_RUN);
  auto of_run = facets[0].initFields(2);
  of_run[0].setField(3);
  of_run[0].setRole(metadata::Role::THREAD);
  of_run[1].setField(1);
  of_run[1].setRole(metadata::Role::CPU);
  facets[1].setRole(static_cast<metadata::Role>(60003));
  info.setTwinOf("sched.run");
  auto source = info.initSource();
  source.setLine(4711);
  source.setFile("sched.c");
  source.setFunction("schedule");
  info.initTags(1).set(0, kTags[1]);
}

TEST(EventTypeInfoMessage, IsWhatLibcapnpMakes) {
  Theirs theirs;
  fill_with_meaning(theirs.root<metadata::EventTypeInfo>());
  EXPECT_EQ(event_type_info(type_with_meaning()), theirs.words());
}

// Most types have no more than a role and fields: libcapnp reads shorter structs as ones of nothing.
TEST(EventTypeInfoMessage, HasNoRoomForWhatFewTypesHave) {
  Theirs theirs;
  fill(theirs.root<metadata::EventTypeInfo>());
  const Words ours = event_type_info(some_type());
  EXPECT_EQ(Read<metadata::EventTypeInfo>(ours).canonical(), Read<metadata::EventTypeInfo>(theirs.words()).canonical());
  EXPECT_EQ(ours.size() + 4 + 4 * (1 + 2), theirs.words().size()) << "four pointers, and of each field a word and two";
}

TEST(EventTypeInfoMessage, IsReadByLibcapnp) {
  EXPECT_EQ(Read<metadata::EventTypeInfo>(event_type_info(some_type())).text(),
            "(role = threadStop, fields = ["
            "(name = \"thread\", kind = unsigned, shape = fixed, width = 4, role = thread, unit = none, "
            "description = \"the one that ran\", isFlags = false, hasAbsent = false, scope = notStated, scale = 0, "
            "absent = 0), "
            "(name = \"colour\", kind = enumeration, shape = fixed, width = 1, role = none, unit = percent, "
            "labels = [(value = 0, text = \"red\"), (value = 18446744073709551615, text = \"no colour at all\"), "
            "(value = 7)], isFlags = false, hasAbsent = false, scope = notStated, scale = 0, absent = 0), "
            "(kind = (77), shape = (9), width = 4294967295, role = (60000), unit = (60001), isFlags = false, "
            "hasAbsent = false, scope = notStated, scale = 0, absent = 0), "
            "(name = \"why\", kind = text, shape = counted16, width = 0, role = none, unit = none, "
            "isFlags = false, hasAbsent = false, scope = notStated, scale = 0, absent = 0)])");
}

TEST(EventTypeInfoMessage, HasTheCanonicalFormOfOneThatWasFilledInAnotherOrder) {
  Theirs theirs;
  auto info = theirs.root<metadata::EventTypeInfo>();
  fill_with_meaning(info);
  info.getFields()[0].setName("another name");
  info.getFields()[0].setName("thread");  // is at the end now, with a hole at its old place
  EXPECT_NE(event_type_info(type_with_meaning()), theirs.words());
  EXPECT_EQ(Read<metadata::EventTypeInfo>(event_type_info(type_with_meaning())).canonical(),
            Read<metadata::EventTypeInfo>(theirs.words()).canonical());
}

TEST(EventTypeInfoMessage, WithoutFieldsHasNone) {
  evt_event_type type = some_type();
  type.field_count = 0;
  Theirs theirs;
  theirs.root<metadata::EventTypeInfo>().setRole(metadata::Role::THREAD_STOP);
  EXPECT_EQ(Read<metadata::EventTypeInfo>(event_type_info(type)).canonical(),
            Read<metadata::EventTypeInfo>(theirs.words()).canonical());
}

TEST(EventTypeInfoMessage, HoldsAsManyFieldsAsAllowed) {
  evt_event_type type = some_type();
  const std::vector<evt_field> many(EVT_MAX_FIELDS, some_fields()[0]);
  type.field_count = EVT_MAX_FIELDS;
  type.fields = many.data();
  Read<metadata::EventTypeInfo> read(event_type_info(type));
  EXPECT_EQ(read.root().getFields().size(), unsigned{EVT_MAX_FIELDS});
  EXPECT_EQ(kj::str(read.root().getFields()[EVT_MAX_FIELDS - 1].getDescription()), "the one that ran"_kj);
}

}  // namespace
}  // namespace evt::testing
