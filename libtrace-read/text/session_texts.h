// The origin of a session, in words.
#pragma once

#include <evt/trace.h>

#include <string>

namespace evt::report {

// What sampling left out. REQUIRES: it was sampled.
std::string sampling_text(const LeftOut& left_out);

// How the times of a session were mapped to the scale of the session that it was merged into, and how accurately.
std::string alignment_text(const MergedPart& part);

}  // namespace evt::report
