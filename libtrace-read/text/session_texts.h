// What was made of a session, in words.
#pragma once

#include <evt/trace.h>

#include <string>

namespace evt::report {

// What was left out where events were sampled. REQUIRES: it was sampled.
std::string sampling_text(const LeftOut& left_out);

// How the time of a session came onto the scale of the one that it was merged into, and how right that is.
std::string alignment_text(const MergedPart& part);

}  // namespace evt::report
