// Verdicts in the form that continuous integration reads: a suite for each trace, a case for each assertion.
// https://github.com/testmoapp/junitxml lists the elements.
#pragma once

#include <string>
#include <vector>

#include "assertions/assertion.h"

namespace evt::tools {

struct JudgedTrace {
  struct Judged {
    std::string assertion;
    std::string with_units;  // the same for people
    Verdict verdict;
  };
  std::string name;
  std::string error;  // why it could not be read, or not all of it; empty: it was read
  std::vector<Judged> assertions;
};

std::string junit_report(const std::vector<JudgedTrace>& traces);

}  // namespace evt::tools
