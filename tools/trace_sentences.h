// What there is to say of a trace that was read: losses, damage, what is missing or not known, how its sessions ended.
#pragma once

#include <evt/trace.h>

#include <string>
#include <vector>

#include "losses.h"
#include "unknown_times.h"

namespace evt::tools {

// Sentences in the order in which a reader needs them, without the name of the file. `losses` and `unknown_times`:
// those that were met among the events.
std::vector<std::string> trace_sentences(const Trace& trace, const Losses& losses, const UnknownTimes& unknown_times);

// That what was made of the trace lacks blocks which this version skips: all of them, or those that are not copyable.
// Empty where it lacks none.
std::string left_out_sentence(const Trace& trace, bool keeps_copyable);

// What copies state of the sessions that they were made of: whose end is not in them.
std::vector<std::string> missing_ends(const Trace& trace);

}  // namespace evt::tools
