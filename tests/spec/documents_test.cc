// What the other documents show is true: README.md, TEXT.md, evt.magic.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "support/command.h"
#include "support/document.h"
#include "support/folder.h"
#include "support/text_trace.h"

namespace evt::testing {
namespace {

// The n-th block of a document that is fenced as this language.
std::string fenced(const std::string& document, const std::string& language, std::size_t n = 0) {
  for (const Fence& fence : fences_of(source_file(document))) {
    if (fence.language == language && n-- == 0) return fence.text;
  }
  ADD_FAILURE() << document << " has no " << language << " block " << n;
  return "";
}

// All blocks of a document that are fenced as C or C++, in their order.
std::vector<std::string> snippets_in(const std::string& document) {
  std::vector<std::string> snippets;
  for (const Fence& fence : fences_of(source_file(document))) {
    if (fence.language == "cpp" || fence.language == "c") snippets.push_back(fence.text);
  }
  return snippets;
}

// The part of an example between `// [snippet: NAME]` and `// [end]`, which has no indent in a document.
std::string part_of(const std::string& example, const std::string& name) {
  const std::string text = source_file(example);
  const std::size_t mark = text.find("// [snippet: " + name + "]\n");
  if (mark == std::string::npos) return example + " has no part " + name;
  const std::size_t indent = mark - (text.rfind('\n', mark) + 1);
  std::size_t at = text.find('\n', mark) + 1;
  const std::size_t end = text.rfind('\n', text.find("// [end]\n", at)) + 1;
  std::string part;
  while (at < end) {
    const std::size_t next = text.find('\n', at) + 1;
    part += text.substr(std::min(at + indent, next - 1), next - std::min(at + indent, next - 1));
    at = next;
  }
  return part;
}

struct Source {
  std::string example;
  std::string part;
};

void expect_snippets_from(const std::string& document, const std::vector<Source>& sources) {
  const std::vector<std::string> snippets = snippets_in(document);
  ASSERT_EQ(snippets.size(), sources.size()) << "each snippet of " << document << " is a part of a source";
  for (std::size_t i = 0; i < sources.size(); ++i) {
    EXPECT_EQ(snippets[i], part_of(sources[i].example, sources[i].part)) << document << ", snippet " << i + 1;
  }
}

TEST(Readme, SnippetsAreTheExamplesThatWereCompiled) {
  expect_snippets_from("README.md", {{"examples/embed.cc", "write"}, {"examples/list_events.cc", "read"}});
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
  // The summary of evt run differs between machines, but it always has the calls.
  // Long enough for samples of its stacks.
  const Outcome recorded = run("seq 500000 -1 1 > names.txt\n" + fenced("README.md", "sh", 1), folder.path());
  EXPECT_EQ(recorded.status, 0) << recorded;
  EXPECT_NE(recorded.err.find("\nnames.txt "), std::string::npos) << recorded;
  const Outcome outcome = run("embed\n" + fenced("README.md", "sh", 2), folder.path());
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_EQ(outcome.err, "");
}

// The tree that ./dev build leaves, once installed (user_tree.py).
TEST(Readme, InstalledProgramsWork) {
  const char* const tree = std::getenv("EVT_USER_TREE");
  if (tree == nullptr) GTEST_SKIP() << "users build no such tree";
  const Folder folder;
  const std::string installed = "export PATH='" + std::string(tree) + "/prefix/bin':$PATH && ";
  EXPECT_EQ(
      run(installed +
              "seq 100 > names.txt && evt run --count -o t.evt sort names.txt 2> report | tail -n 1 && "
              "evt stats counts --csv t.evt 2> notes | grep -c '^open,' && tracedump --count t.evt > count && man -l " +
              std::string(tree) + "/prefix/share/man/man1/evt-run.1.gz | head -n 1 | cut -c 1-7",
          folder.path()),
      (Outcome{0, "99\n1\nEVT-RUN\n", ""}));
}

TEST(Guide, SnippetsAreTheExamplesThatWereCompiled) {
  expect_snippets_from("docs/guide/record.md", {{"examples/one_line.cc", "one-line"},
                                                {"examples/cache_events.h", "events"},
                                                {"examples/record_cache.cc", "record"},
                                                {"examples/hello.c", "hello"},
                                                {"examples/hourly.cc", "slow-request"}});
  expect_snippets_from("docs/guide/tools.md", {{"examples/report_cache.cc", "walk"},
                                               {"examples/report_cache.cc", "loop"},
                                               {"examples/drop_half.cc", "filter"}});
}

TEST(Guide, SnippetsRecordReadAndFilter) {
  const Folder folder;
  EXPECT_EQ(run("record_cache && report_cache", folder.path()),
            (Outcome{0, "cache.hit page=7\ncache.hit page=8\n12288 bytes had to be read\n", ""}));
  EXPECT_EQ(run("drop_half cache.evt app.evt && list_events | sed 's/ at [0-9]* ns//'", folder.path()),
            (Outcome{0, "cache.miss\ncache.hit\ncache.hit\n", ""}));
  // Columns are wider where the program was stopped for a moment.
  EXPECT_EQ(
      run("hello && evt dump -e hello.greeting hello.evt | sed 's/^ *[0-9.]* //; s/  *number/ number/'", folder.path()),
      (Outcome{0,
               " hello  hello.greeting number=0 text=\"world\"\n"
               " hello  hello.greeting number=1 text=\"moon\"\n"
               " hello  hello.greeting number=2 text=\"stars\"\n",
               ""}));
}

TEST(OneLine, RecordsWhatTheEnvironmentAsksForAndElseNothing) {
  const Folder folder;
  EXPECT_EQ(run("one_line && ls", folder.path()), (Outcome{0, "", ""}));
  EXPECT_EQ(run("EVTRACE=one_line.evt one_line && evt dump one_line.evt | sed 's/^ *[0-9.]* //'", folder.path()),
            (Outcome{0,
                     " one_line  load_page      name=\"load_page\"\n"
                     " one_line  app.cache_miss page=\"index\" bytes=5120\n"
                     " one_line  span.end\n"
                     " one_line  load_page      name=\"load_page\"\n"
                     " one_line  app.cache_miss page=\"about_us\" bytes=8192\n"
                     " one_line  span.end\n",
                     ""}));
}

// All blocks of a document that are fenced as commands of a shell, as one script.
std::string commands_of(const std::string& document) {
  std::string script = "set -e\n";
  for (const Fence& fence : fences_of(source_file(document))) {
    if (fence.language == "sh") script += fence.text;
  }
  return script;
}

TEST(Fleet, CommandsWork) {
  const Folder folder;
  EXPECT_EQ(run(commands_of("docs/FLEET.md"), folder.path()),
            (Outcome{0,
                     "kept:\nhello.evt\n\n"
                     "tables.parquet:\ntable=hello.greeting\ntable=sessions\ntable=streams\ntable=types\n",
                     ""}));
  // What cannot be read stays; what can be read of a part of a trace is converted, and the part is kept.
  const std::string more =
      "echo junk > spool/junk.evt; hello && head -c 1000 hello.evt > spool/cut.evt; touch -d '2 hours ago' spool/*\n"
      "./evt-tables spool tables.parquet kept 2> messages; ls spool kept; grep -c junk messages";
  EXPECT_EQ(run(more, folder.path()).out, "kept:\ncut.evt\nhello.evt\n\nspool:\njunk.evt\n1\n");
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
            "evtrace trace, format 1.0\nevtrace trace of a newer format\nASCII text, with no line terminators\n");
}

}  // namespace
}  // namespace evt::testing
