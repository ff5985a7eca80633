// What a user has and does at a shell: a folder with files in it, and commands that run there.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "support/command.h"
#include "support/folder.h"
#include "support/text_trace.h"

namespace evt::testing {

// The two lines that begin a text of an ordinary session.
inline constexpr std::string_view kFirstLines =
    "evtrace text 1\n"
    "session uuid=0x000102030405460788090a0b0c0d0e0f start=1767225600.000000000 program=\"test\"\n";

class AtTheShell : public ::testing::Test {
 protected:
  // Checkpoints go into a folder of the test's own.
  AtTheShell() { setenv("XDG_CACHE_HOME", cache_.path().c_str(), 1); }

  void given_file(std::string_view name, std::string_view content) const { folder_.write(name, content); }
  // A trace of what the text describes, the first lines being added if it lacks them.
  void given_trace(std::string_view name, std::string_view text) const { given_file(name, trace_from_text(text)); }
  // A text form, with the first lines in front.
  void given_text(std::string_view name, std::string_view lines) const {
    given_file(name, std::string(kFirstLines) + std::string(lines));
  }

  // Runs the line of shell in the folder.
  Outcome run(const std::string& line, const std::string& input = "") const {
    return evt::testing::run(line, folder_.path(), input);
  }
  // KiB of memory that `evt COMMAND` had at most.
  long peak_of(const std::string& command) const {
    const Outcome outcome =
        run("python3 -c 'import resource, subprocess, sys\n"
            "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' evt " +
            command);
    return std::stol(outcome.out);
  }
  std::string path_of(std::string_view name) const { return folder_ / name; }
  std::string content_of(std::string_view name) const { return read_file(folder_ / name); }
  // The names of all that is in the folder, in order.
  std::vector<std::string> files() const { return names_in(folder_.path()); }

  // The names of what is kept between runs.
  std::vector<std::string> cached_files() const { return names_in(cache_ / "evtrace"); }
  std::string cached_path(std::string_view name) const { return cache_ / ("evtrace/" + std::string(name)); }

 private:
  static std::vector<std::string> names_in(const std::string& folder) {
    std::vector<std::string> names;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  Folder folder_;
  Folder cache_;
};

// A number as messages print it: 4978224 as 4,978,224.
inline std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

// Text becomes a trace, and that trace this text again.
inline void expect_same_text(std::string_view lines) { EXPECT_EQ(text_of_trace(trace_from_text(lines)), lines); }

// An outcome with all text on standard output, and one with all text on standard error.
inline Outcome prints(std::string text) { return {0, std::move(text), ""}; }
inline Outcome refuses(int status, std::string sentence) { return {status, "", std::move(sentence)}; }

}  // namespace evt::testing
