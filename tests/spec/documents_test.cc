// What the other documents show is true: README.md, TEXT.md, evt.magic, and the reader written from FORMAT.md.
#include <gtest/gtest.h>

#include "support/command.h"
#include "support/folder.h"
#include "support/text_trace.h"

namespace evt::testing {
namespace {

// The n-th block of a document that is fenced as this language.
std::string fenced(const std::string& document, const std::string& language, int n = 0) {
  const std::string text = source_file(document);
  const std::string fence = "```" + language + "\n";
  std::size_t begin = text.find(fence);
  for (int i = 0; i < n; ++i) begin = text.find(fence, begin + 1);
  EXPECT_NE(begin, std::string::npos) << document << " has no " << language << " block " << n;
  begin += fence.size();
  return text.substr(begin, text.find("```\n", begin) - begin);
}

// The part of an example that a document shows.
std::string shown_part(const std::string& file) {
  const std::string text = source_file(file);
  const std::size_t begin = text.find('\n', text.find("//[")) + 1;
  return text.substr(begin, text.find("//]") - begin);
}

std::string event_lines(const std::string& text) {
  std::string lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    if (text[at] >= '0' && text[at] <= '9') lines += text.substr(at, end - at);
    at = end;
  }
  return lines;
}

TEST(Readme, FirstScreenIsTheDumpOfItsTrace) {
  const Folder folder;
  const Outcome outcome =
      run("evt convert " EVT_SOURCE_FOLDER "/testdata/readme.txt -o readme.evt && evt dump readme.evt", folder.path());
  EXPECT_EQ(outcome, (Outcome{0, fenced("README.md", "text"), ""}));
}

TEST(Readme, SnippetsAreTheExamplesThatWereCompiled) {
  EXPECT_EQ(fenced("README.md", "cpp", 0), shown_part("examples/embed.cc"));
  EXPECT_EQ(fenced("README.md", "cpp", 1), shown_part("examples/list_events.cc"));
}

TEST(Readme, SnippetsRecordAndRead) {
  const Folder folder;
  EXPECT_EQ(run("embed", folder.path()), (Outcome{0, "", ""}));
  const Outcome read = run("list_events | sed 's/ at [0-9]* ns/ at some time/'", folder.path());
  EXPECT_EQ(read,
            (Outcome{0, "app.job_done at some time\napp.job_done at some time\napp.job_done at some time\n", ""}));
}

TEST(Readme, CommandsWork) {
  const Folder folder;
  const Outcome outcome = run("embed && " + fenced("README.md", "sh", 0), folder.path());
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_EQ(outcome.err, "");
}

TEST(Guide, CommandsWork) {
  const Folder folder;
  std::string script = "set -e\nexport EXAMPLES='" EVT_SOURCE_FOLDER "/examples'\n";
  const std::string text = source_file("docs/GUIDE.md");
  const std::string fence = "```sh\n";
  for (std::size_t at = text.find(fence); at != std::string::npos; at = text.find(fence, at + 1)) {
    script += text.substr(at + fence.size(), text.find("```\n", at + 1) - at - fence.size());
  }
  const Outcome outcome = run(script, folder.path());
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_EQ(outcome.err, "");
}

// Every file that a document links to is there.
void expect_links_lead_somewhere(const std::string& document) {
  const std::string text = source_file(document);
  const std::string folder = document.substr(0, document.rfind('/') + 1);
  for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
    const std::string target = text.substr(at + 2, text.find(')', at) - at - 2);
    if (target.starts_with("http") || target.starts_with("#")) continue;
    const std::string path = std::string(EVT_SOURCE_FOLDER "/") + folder + target.substr(0, target.find('#'));
    EXPECT_EQ(run("test -e '" + path + "'").status, 0) << document << ": " << target;
  }
}

TEST(Documents, LinkToFilesThatExist) {
  for (const char* document : {"README.md", "CONTRIBUTING.md", "docs/GUIDE.md", "docs/LIFE-OF-AN-EVENT.md",
                               "format-spec/FORMAT.md", "format-spec/TEXT.md", "format-spec/RATIONALE.md"}) {
    expect_links_lead_somewhere(document);
  }
}

TEST(TextDocument, ExampleIsCanonical) {
  const std::string example = fenced("format-spec/TEXT.md", "text");
  EXPECT_EQ(text_of_trace(trace_from_text(example)), example);
}

TEST(Magic, IsKnownToFile) {
  const Folder folder;
  folder.write("a.evt", trace_from_text(""));
  std::string newer = trace_from_text("");
  newer[3] = 'U';
  folder.write("b.evt", newer);
  folder.write("c.evt", "something else");
  const Outcome outcome =
      run("file -b -m " EVT_SOURCE_FOLDER "/format-spec/evt.magic a.evt b.evt c.evt", folder.path());
  EXPECT_EQ(outcome.out,
            "evtrace trace, format 1.0-draft\nevtrace trace of a newer format\nASCII text, with no line terminators\n");
}

// Runs examples/minimal_reader.py on a trace.
Outcome minimal_reader(const std::string& trace) {
  const Folder folder;
  folder.write("t.evt", trace);
  return run("/usr/bin/python3 " EVT_SOURCE_FOLDER "/examples/minimal_reader.py t.evt", folder.path());
}

TEST(MinimalReader, ReadsEveryKindOfField) {
  const std::string trace = trace_from_text(
      "type 1024 all \"\" (u u8) (i i64) (f f64) (b bool) (e enum16 labels=[7=seven]) (t text) (x bytes) (n interned) "
      "(at ticks) (d tick_delta) (a u32[]) (l text[]) (odd kind77:counted16) (last u16)\n"
      "stream 1 \"s\"\n"
      "string 1 \"main\"\n"
      "0.000000001 1 all u=255 i=-5 f=2.5 b=true e=seven t=\"hi\" x=0x00ff n=\"main\" at=0.000000009 d=0.000000003 "
      "a=[1 2] l=[\"p\" \"q\"] odd=0xabcd last=9 +0x0102\n"
      "0.000000002 1 all u=1\n"
      "0.000000002 1 !lost count=3 cause=too_large\n"
      "0.000000003 1 type#70000 +0x01\n");
  const Outcome outcome = minimal_reader(trace);
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_EQ(outcome.err, "");
  std::string expected = event_lines(text_of_trace(trace));
  // It knows causes by number only.
  expected.replace(expected.find("cause=too_large"), 15, "cause=2");
  EXPECT_EQ(outcome.out, expected);
}

TEST(MinimalReader, IsShort) {
  const std::string source = source_file("examples/minimal_reader.py");
  EXPECT_LT(std::count(source.begin(), source.end(), '\n'), 150);
}

TEST(MinimalReader, SaysThatATraceWasCut) {
  const Outcome outcome = minimal_reader(trace_from_text("stream 1 \"s\"\ncut\n"));
  EXPECT_EQ(outcome.status, 1) << outcome;
}

}  // namespace
}  // namespace evt::testing
