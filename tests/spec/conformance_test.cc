// format-spec/conformance: what readers find in the archive, and a writer without a library.
#include <gtest/gtest.h>

#include <string>

#include "support/command.h"
#include "support/folder.h"

namespace evt::testing {
namespace {

constexpr const char* kConformance = EVT_SOURCE_FOLDER "/format-spec/conformance";

TEST(Conformance, ExpectationsAreWhatTheReaderFinds) {
  const Folder folder;
  for (const std::string name : {"v1", "future", "damaged"}) {
    const std::string command = "python3 -B " + std::string(kConformance) +
                                "/expect.py " EVT_SOURCE_FOLDER "/testdata/" + name + " " EVT_BIN_FOLDER "/evt > " +
                                name + ".jsonl && diff " + name + ".jsonl " + kConformance + "/" + name + ".jsonl";
    EXPECT_EQ(run(command, folder.path()), (Outcome{0, "", ""})) << "expect.py prints them anew";
  }
}

TEST(Conformance, TheWriterInPythonKeepsTheRules) {
  const Folder folder;
  const std::string writer = "python3 -B " EVT_SOURCE_FOLDER "/examples/minimal_writer.py ";
  EXPECT_EQ(run(writer + "jobs.evt && evt check --strict jobs.evt", folder.path()),
            (Outcome{0, "jobs.evt: session of minimal_writer.py, 30 events, 0 lost: closed\n", ""}));
  EXPECT_EQ(run("evt dump jobs.evt | sed 's/^ *[0-9.]* *//' | head -n 3", folder.path()),
            (Outcome{0,
                     "worker  job     name=\"fetch\" number=0\n"
                     "worker  note    text=\"job 0\"\n"
                     "worker  job.end\n",
                     ""}));
}

// A long row, two streams, losses, and times far from one another.
TEST(Conformance, TheWriterInPythonWritesWhatAProgramNeeds) {
  const Folder folder;
  folder.write("p.py",
               "import sys; sys.path.insert(0, '" EVT_SOURCE_FOLDER
               "/examples')\n"
               "from minimal_writer import *\n"
               "with open('p.evt', 'wb') as out:\n"
               "    w = Writer(out, 'p')\n"
               "    t, a, b = w.type('long', [('text', (6, 2, 0), 0)]), w.stream('a'), w.stream('b')\n"
               "    for i in range(20000):\n"
               "        (a, b)[i % 2].emit(t, struct.pack('<I', 4) + b'abcd', w.start + i * 10**6 * (i % 2 + 1))\n"
               "    a.emit(t, struct.pack('<I', 100000) + bytes(100000), w.start + 10**12)\n"
               "    a.lose(3)\n"
               "    w.close()\n");
  EXPECT_EQ(run("python3 -B p.py && evt check --strict p.evt 2>err; cut -d' ' -f4- err", folder.path()).out,
            "p.evt: session of p, 20001 events, 3 lost: closed\n3 events of stream 1 \"a\" lost: ring_full\n");
}

}  // namespace
}  // namespace evt::testing
