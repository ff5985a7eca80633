// The origin of a session, in words.
#pragma once

#include <evt/trace.h>

#include <string>
#include <string_view>

namespace evt::report {

// What sampling left out. REQUIRES: it was sampled.
std::string sampling_text(const LeftOut& left_out);

// How the times of a session were mapped to the scale of the session that it was merged into, and how accurately.
std::string alignment_text(const MergedPart& part);

// How a program ended, by a value of EVT_FACT_EXIT: `status 0` or `signal 9 (Killed)`.
std::string exit_text(std::string_view exit);

// The same of all recorded programs, separated by commas; empty if the session does not state it.
std::string exits_text(const Session& session);

}  // namespace evt::report
