// However a damaged trace is divided, its parts lack together what it lacks itself.
#include <filesystem>
#include <set>

#include "at_the_shell.h"
#include "json_value.h"
#include "support/sanitizer.h"

namespace evt::testing {
namespace {

class CutLosses : public AtTheShell {
 protected:
  static std::uint64_t number(const JsonValue& session, const char* name) {
    return std::stoull(session.member(name)->text);
  }

  // What `evt check` reports as not there, of all sessions of a file.
  std::uint64_t losses_of(const std::string& file) const {
    const std::string json = run("evt check --json --no-rings " + file + " 2> said").out;
    if (json.empty()) return 0;  // a session of which nothing is left is no trace
    std::uint64_t sum = 0;
    const JsonValue found = JsonReader(json).value();
    for (const JsonValue& session : found.member("sessions")->elements) {
      sum += number(session, "lost") + number(session, "missing") + number(session, "not_decodable");
    }
    return sum;
  }

  std::uint64_t losses_of_parts() const {
    std::uint64_t sum = 0;
    for (const std::string& name : files()) {
      if (name.starts_with("part.")) sum += losses_of(name);
    }
    return sum;
  }
};

// Headers, or an index, that contradict the rows they describe: rows are what is copied.
const std::set<std::string> kContradict = {"claim_lost", "index_of_another_stream"};

TEST_F(CutLosses, AreThoseOfTheWholeForEachDamagedFile) {
  std::size_t damaged = 0;
  std::size_t divided = 0;
  for (const auto& each : std::filesystem::directory_iterator(EVT_SOURCE_FOLDER "/testdata/damaged")) {
    if (each.path().extension() != ".evt" || kContradict.contains(each.path().stem())) continue;
    if (damaged++ % kEveryCase != 0) continue;
    std::filesystem::copy_file(each.path(), path_of("x.evt"), std::filesystem::copy_options::overwrite_existing);
    for (const char* const every : {"1us", "1s"}) {
      run("rm -f part.*");
      const Outcome cut = run(std::string("evt cut --split-every ") + every + " x.evt -o part.evt");
      if (cut.status > 1) continue;  // it is no trace, or one of too many parts
      ++divided;
      EXPECT_EQ(losses_of_parts(), losses_of("x.evt")) << each.path().stem() << " every " << every << "\n" << cut;
    }
  }
  EXPECT_GT(divided, 50u / kEveryCase);
}

}  // namespace
}  // namespace evt::testing
