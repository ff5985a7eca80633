// docs/JSON.md describes what evt prints as JSON: each member that is printed is there, of the type that is there, and
// each that is not marked by a condition is printed.
#include <map>
#include <set>

#include "json_value.h"
#include "traces_to_merge.h"

namespace evt::testing {
namespace {

struct Member {
  std::string type;
  bool is_always = false;
};
using Schema = std::map<std::string, Member>;  // by path

std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  for (std::size_t at = 1; at < line.size();) {
    const std::size_t end = std::min(line.find('|', at), line.size());
    std::string cell(line.substr(at, end - at));
    cell.erase(0, cell.find_first_not_of(' '));
    cell.erase(cell.find_last_not_of(' ') + 1);
    cells.push_back(std::move(cell));
    at = end + 1;
  }
  return cells;
}

// The table of a section of docs/JSON.md.
Schema schema_of(const std::string& section) {
  const std::string document = source_file("docs/JSON.md");
  std::size_t at = document.find("\n## " + section + "\n");
  EXPECT_NE(at, std::string::npos) << section;
  const std::size_t end = std::min(document.find("\n## ", at + 1), document.size());
  Schema schema;
  while (at < end) {
    const std::size_t next = std::min(document.find('\n', at + 1), end);
    const std::string_view line = std::string_view(document).substr(at + 1, next - at - 1);
    at = next;
    if (!line.starts_with("| `")) continue;
    const std::vector<std::string> cells = cells_of(line);
    schema[cells[0].substr(1, cells[0].size() - 2)] = {cells[1], cells[2].empty()};
  }
  EXPECT_FALSE(schema.empty()) << section;
  return schema;
}

bool is_of_type(const JsonValue& value, const std::string& type) {
  using Kind = JsonValue::Kind;
  constexpr std::string_view kOrNull = " or null";
  constexpr std::string_view kListOf = "list of ";
  if (type.ends_with(kOrNull)) {
    const bool is_null = value.kind == Kind::kWord && value.text == "null";
    return is_null || is_of_type(value, type.substr(0, type.size() - kOrNull.size()));
  }
  if (type.starts_with(kListOf)) {
    const std::string each = type.substr(kListOf.size());
    return value.kind == Kind::kArray &&
           std::all_of(value.elements.begin(), value.elements.end(),
                       [&](const JsonValue& element) { return is_of_type(element, each); });
  }
  if (type == "number") return value.kind == Kind::kNumber && value.text.find_first_of(".eE") == std::string::npos;
  if (type == "decimal") return value.kind == Kind::kNumber;
  if (type == "text") return value.kind == Kind::kText;
  if (type == "true") return value.kind == Kind::kWord && value.text == "true";
  if (type == "bool") return value.kind == Kind::kWord && value.text != "null";
  if (type == "object" || type == "object of value") return value.kind == Kind::kObject;
  return false;
}

// Compares objects with the schema, and knows which members they had.
class Comparison {
 public:
  explicit Comparison(const std::string& section) : section_(section), schema_(schema_of(section)) {}

  // The lines that a command prints; of these members each may have any name.
  void compare(const Outcome& printed, const std::string& wildcard = "") {
    EXPECT_NE(printed.out, "") << printed;
    std::string_view rest = printed.out;
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      compare_object(JsonReader(rest.substr(0, end)).value(), "", wildcard);
      rest.remove_prefix(std::min(end, rest.size() - 1) + 1);
    }
  }

  // What is described and was in no object.
  std::set<std::string> unseen() const {
    std::set<std::string> paths;
    for (const auto& [path, member] : schema_) {
      if (!seen_.contains(path)) paths.insert(path);
    }
    return paths;
  }

 private:
  void compare_object(const JsonValue& object, const std::string& front, const std::string& wildcard) {
    for (std::size_t i = 0; i < object.names.size(); ++i) {
      std::string path = front + object.names[i];
      if (!schema_.contains(path) && !wildcard.empty()) path = front + wildcard;
      const auto known = schema_.find(path);
      if (known == schema_.end()) {
        ADD_FAILURE() << section_ << " has no member " << path;
        continue;
      }
      seen_.insert(path);
      const JsonValue& value = object.elements[i];
      EXPECT_TRUE(is_of_type(value, known->second.type)) << section_ << ": " << path << " is " << value.text;
      if (known->second.type.ends_with("of value")) continue;
      if (value.kind == JsonValue::Kind::kObject) compare_object(value, path + ".", wildcard);
      if (value.kind != JsonValue::Kind::kArray) continue;
      for (const JsonValue& element : value.elements) {
        if (element.kind == JsonValue::Kind::kObject) compare_object(element, path + "[].", wildcard);
      }
    }
    for (const auto& [path, member] : schema_) {
      if (!member.is_always || !path.starts_with(front)) continue;
      const std::string name = path.substr(front.size());
      if (name.find('.') != std::string::npos) continue;
      EXPECT_NE(object.member(name), nullptr) << section_ << " lacks " << path;
    }
  }

  std::string section_;
  Schema schema_;
  std::set<std::string> seen_;
};

constexpr std::string_view kAll =
    "evtrace text 1\n"
    "session uuid=0x3e4f16a983d64c138414fd5598ee9e24 start=1.500000000 program=\"shop\" pid=12 host=\"a-host\" "
    "boot=\"fba86de5\" writer=\"evtrace 0.1\" args=[\"shop\" \"-v\"] origins=[0x000102030405460788090a0b0c0d0e0f]\n"
    "fact 0.000000000 session service.name \"shop\"\n"
    "fact 0.500000000 stream 1 evt.name \"worker\"\n"
    "type 1024 buy \"somebody buys\" role=call facet=threadRun[n=thread] twin_of=\"sell\" file=\"a.c\" line=3 "
    "function=\"f\" "
    "tags=[\"com.example.a\"] (n u8 role=amount unit=bytes absent=255 tags=[\"com.example.b\"] \"how many\") "
    "(why enum8 flags=true scope=process labels=[1=READ]) (f f64 unit_text=\"L\") (g u16 scale=1)\n"
    "type 1025 tick (t ticks) (raw bytes) (names text[])\n"
    "stream 1 \"a\" thread=7 process=3\n"
    "stream 2 \"\"\n"
    "0.100000000 1 buy n=255 why=READ f=nan g=7\n"
    "0.200000000 2 tick t=0.100000000 raw=0x01 names=[\"x\"] +0x02\n"
    "0.900000000 1 !lost count=2 cause=ring_full duration=0.000000000\n";

class JsonSchema : public TracesToMerge {
 protected:
  JsonSchema() {
    given_trace("x.evt", kAll);
    given_trace("y.evt", std::string(kFirstLines) + "type 1024 tick\nstream 1 \"b\"\n1.000000000 1 tick\n" +
                             "session uuid=0x3e4f16a983d64c138414fd5598ee9e25 start=2.000000000 program=\"second\"\n");
  }
};

TEST_F(JsonSchema, DescribesEvents) {
  Comparison events("Events");
  events.compare(run("evt dump --json x.evt"));
  events.compare(run("evt dump --json --delta --utc x.evt y.evt"));
  events.compare(run("evt grep --json --zone +01:00 tick x.evt"));
  EXPECT_EQ(events.unseen(), std::set<std::string>({"impossible_stamp", "late"}));
}

TEST_F(JsonSchema, DescribesTypes) {
  Comparison types("Types");
  types.compare(run("evt dump --types --json x.evt y.evt"));
  EXPECT_EQ(types.unseen(), std::set<std::string>());
}

TEST_F(JsonSchema, DescribesStreams) {
  Comparison streams("Streams");
  streams.compare(run("evt dump --streams --json x.evt y.evt"));
  EXPECT_EQ(streams.unseen(), std::set<std::string>({"not_declared", "not_kept"}));
}

TEST_F(JsonSchema, DescribesSessions) {
  Comparison sessions("Sessions");
  sessions.compare(run("evt dump --header --json x.evt y.evt"));
  given_trace("z.evt",
              "evtrace text 1\nsession uuid=0x3e4f16a983d64c138414fd5598ee9e26 start=1.500000000\n"
              "type 1024 tick\nstream 1 \"b\"\n1.000000000 1 tick\ntruncated\n");
  EXPECT_EQ(run("evt merge x.evt z.evt -o both.evt 2> how.txt").out, "");
  EXPECT_EQ(run("evt cut --from 0.15 --to 0.95 --stream '#2' --event tick --every 2 x.evt -o part.evt").out, "");
  EXPECT_EQ(run("evt cut --thread 7 x.evt -o other.evt 2> doubts.txt").out, "");
  sessions.compare(run("evt dump --header --json both.evt"));
  sessions.compare(run("evt dump --header --json part.evt"));
  sessions.compare(run("evt dump --header --json other.evt"));
  EXPECT_EQ(sessions.unseen(),
            std::set<std::string>({"clocks[].hz_denominator", "first_segment", "last_segment", "not_kept",
                                   "not_kept_is_least", "not_kept_of_parts", "not_read_to_its_end", "ring", "ring_name",
                                   "ring_rows", "time_scale"}));
}

TEST_F(JsonSchema, DescribesChecks) {
  Comparison checks("Checks");
  checks.compare(run("evt check --json x.evt y.evt"));
  const std::string whole = content_of("x.evt");
  given_file("cut.evt", whole.substr(0, whole.size() - 200));
  std::string wrong = whole;
  wrong[wrong.size() / 2] = static_cast<char>(wrong[wrong.size() / 2] ^ 1);
  given_file("wrong.evt", wrong);
  checks.compare(run("evt check --json cut.evt wrong.evt"));
  checks.compare(run("mkdir d && cp wrong.evt d && evt check --json d"));
  given_file("b.txt", "evtrace text 1\nsession uuid=0x000102030405060708090a0b0c0d0e0f start=0\n");
  checks.compare(run("evt convert b.txt -o b.evt && evt check --json --strict b.evt"));
}

TEST_F(JsonSchema, DescribesStatistics) {
  Comparison statistics("Statistics");
  statistics.compare(run("evt stats --json x.evt"), "ANALYSIS");
  statistics.compare(run("evt stats --json events,spans,usage x.evt"), "ANALYSIS");
  EXPECT_EQ(statistics.unseen(), std::set<std::string>({"sessions[].ANALYSIS.notes"})) << "it is inside a value";
}

TEST_F(JsonSchema, DescribesCauses) {
  given_trace("job.evt",
              "type 9 span.begin role=spanBegin (name text role=name)\ntype 10 span.end role=spanEnd\n"
              "stream 1 \"a\" thread=7\n0.1 1 span.begin name=\"job\"\n0.2 1 span.end\n"
              "0.3 1 span.begin name=\"job\"\n0.35 1 span.end\n");
  Comparison causes("Causes");
  causes.compare(run("evt why --quiet --json job.evt job"));
  causes.compare(run("evt why --quiet --json job.evt"));
  causes.compare(run("evt why --quiet --json --what-if job=0 job.evt job"));
  causes.compare(run("evt why --quiet --json --slow job.evt job"));
  EXPECT_EQ(causes.unseen(), std::set<std::string>());
}

TEST_F(JsonSchema, HasEachSectionOnce) {
  const std::string document = source_file("docs/JSON.md");
  for (const char* const section :
       {"Events", "Types", "Streams", "Sessions", "Checks", "Rings", "Statistics", "Causes", "Runs"}) {
    const std::string head = std::string("\n## ") + section + "\n";
    ASSERT_NE(document.find(head), std::string::npos) << section;
    EXPECT_EQ(document.find(head), document.rfind(head)) << section;
  }
}

TEST_F(JsonSchema, KeepsNumbersThatOtherProgramsRound) {
  given_trace("n.evt",
              "type 1024 n (u u64) (i i64) (d f64) (t text) (list u64[])\n"
              "stream 1 \"9007199254740993\"\n"
              "0.000000001 1 n u=9007199254740992 i=-9007199254740992 d=1e+300 t=\"\\\"18446744073709551615\" list=[]\n"
              "0.000000002 1 n u=9007199254740993 i=-9007199254740993 d=0.30000000000000004 t=\"\" "
              "list=[1 18446744073709551615]\n");
  EXPECT_EQ(run("evt dump --json --json-safe n.evt"),
            prints(R"({"ns":1,"stream":"9007199254740993","stream_id":1,"event":"n","fields":{"u":9007199254740992,)"
                   R"("i":-9007199254740992,"d":1e+300,"t":"\"18446744073709551615","list":[]}})"
                   "\n"
                   R"({"ns":2,"stream":"9007199254740993","stream_id":1,"event":"n","fields":{"u":"9007199254740993",)"
                   R"("i":"-9007199254740993","d":0.30000000000000004,"t":"","list":[1,"18446744073709551615"]}})"
                   "\n"));
  const std::string header = run("evt dump --header --json --json-safe n.evt").out;
  EXPECT_NE(header.find("\"start_utc_ns\":\"1767225600000000000\""), std::string::npos) << header;
  EXPECT_NE(run("evt dump --json-safe n.evt").err.find("--json-safe requires --json"), std::string::npos);
}

}  // namespace
}  // namespace evt::testing
