// Runs a program as a user would, and keeps all that it printed.
#pragma once

#include <ostream>
#include <string>

namespace evt::testing {

struct Outcome {
  int status = -1;  // exit status; 128 + number if a signal ended it
  std::string out;
  std::string err;

  friend bool operator==(const Outcome&, const Outcome&) = default;
  friend std::ostream& operator<<(std::ostream& to, const Outcome& o) {
    return to << "status " << o.status << "\n--- out ---\n" << o.out << "--- err ---\n" << o.err << "---\n";
  }
};

// Runs a line of shell, with the programs of this build first on the PATH, in `folder` ("" is the present one) and with
// `input` on standard input. Ends it, with status 124, after this many seconds.
Outcome run(const std::string& line, const std::string& folder = "", const std::string& input = "", int seconds = 60);

}  // namespace evt::testing
