// `evt check` of events whose payloads are not what their types declare.
#include <evt/emit.h>
#include <evt/writer.h>

#include "at_the_shell.h"
#include "support/events_of_writer.h"

namespace evt::testing {
namespace {

class Misfits : public AtTheShell {
 protected:
  // Events of {u64 number, text} with payloads of these sizes, of zeros: a text without a byte has two.
  void given_payloads(std::initializer_list<std::size_t> sizes, std::uint32_t number = 0) {
    evt_session_info info = {};
    info.program = "worker";
    evt_options options = {};
    options.session = &info;
    Writer writer = *Writer::open(path_of("a.evt"), options);
    leave_out_events_of_writer(writer);
    const evt_field fields[] = {EVT_FIELD_U64("number"), EVT_FIELD_TEXT("text")};
    evt_event_type type = {};
    type.name = "odd";
    type.number = number;
    type.field_count = 2;
    type.fields = fields;
    const TypeHandle odd = *writer.declare(type);
    for (const std::size_t size : sizes) {
      writer.this_thread().emit_with(odd, [&](RowBuilder& row) { row.raw(std::vector<std::byte>(size)); });
    }
    EXPECT_TRUE(writer.close().ok());
  }
};

TEST_F(Misfits, OfNoEventAreNone) {
  given_payloads({10, 8, 0});  // without the last field, or both, as of an older program
  EXPECT_EQ(run("evt check a.evt"), prints("a.evt: session of worker, 3 events, 0 lost: closed\n"));
}

// The format lets rows have more bytes than fields, or end inside of one: the trace is no worse for that.
TEST_F(Misfits, AreNamed) {
  given_payloads({4, 10, 9, 12});
  EXPECT_EQ(
      run("evt check a.evt"),
      (Outcome{0, "a.evt: session of worker, 4 events, 0 lost: closed\n",
               "evt check: a.evt: 3 events of type odd do not hold the fields that were declared: the first has 4 "
               "bytes\n"}));
}

TEST_F(Misfits, OfAWideTypeAreNamedToo) {
  given_payloads({1}, 70'000);
  EXPECT_EQ(run("evt check a.evt"),
            (Outcome{0, "a.evt: session of worker, 1 event, 0 lost: closed\n",
                     "evt check: a.evt: 1 event of type odd does not hold the fields that were declared: it has 1 "
                     "byte\n"}));
}

TEST_F(Misfits, AreInItsJson) {
  given_payloads({4, 10, 9});
  EXPECT_EQ(run("evt check --json a.evt 2>said | python3 -c 'import sys, json; t = json.load(sys.stdin); "
                "print(t[\"status\"], t[\"sessions\"][0][\"misfits\"])'"),
            prints("ok [{'type': 'odd', 'events': 2, 'first_size': 4}]\n"));
}

}  // namespace
}  // namespace evt::testing
