#include "missing_samples.h"

#include <evt/format.h>
#include <fmt/core.h>

#include "libtrace-read/report/shared/analysis.h"
#include "libtrace-read/text/number_with_unit.h"

namespace evt::tools {

std::vector<std::string> missing_samples(const std::function<std::uint64_t(const char* key)>& number_of) {
  std::vector<std::string> sentences;
  if (const std::uint64_t programs = number_of(EVT_FACT_SAMPLES_HANDLED); programs > 0) {
    sentences.push_back(fmt::format("SIGPROF was taken by {}: code there was not sampled afterwards",
                                    report::counted(programs, "program")));
  }
  if (const std::uint64_t threads = number_of(EVT_FACT_SAMPLES_BLOCKED); threads > 0) {
    sentences.push_back(fmt::format("SIGPROF was blocked by {}: {} of cpu time was not sampled",
                                    report::counted(threads, "thread"),
                                    report::duration_text(number_of(EVT_FACT_SAMPLES_BLOCKED_NS))));
  }
  if (const std::uint64_t threads = number_of(EVT_FACT_SAMPLES_NO_TIMER); threads > 0) {
    sentences.push_back(
        fmt::format("the system had no timer for {}: code there was not sampled", report::counted(threads, "thread")));
  }
  if (const std::uint64_t waits = number_of(EVT_FACT_WAITS_NO_STACK); waits > 0) {
    sentences.push_back(fmt::format("{} left no stack: a thread keeps those of 100 long waits a second",
                                    report::counted(waits, "long wait")));
  }
  if (const std::uint64_t samples = number_of(EVT_FACT_SAMPLES_NO_STACK); samples > 0) {
    sentences.push_back(fmt::format(
        "the system refuses copies of stacks (process_vm_readv): only the innermost function of {} is known",
        report::counted(samples, "sample")));
  }
  if (number_of(EVT_FACT_JIT_NAMES_CUT) > 0) {
    sentences.push_back("maps of code made at run time have more than 32 MiB of names: code made later has no name");
  }
  if (const std::uint64_t files = number_of(EVT_FACT_INLINED_CUT); files > 0) {
    sentences.push_back(fmt::format("too much debug information in {}: some inlined functions count as their callers",
                                    report::counted(files, "file")));
  }
  return sentences;
}

}  // namespace evt::tools
