// How pictures and the page call what they show: the only list of these words.
#pragma once

#include <array>

#include "libtrace-view/rows/shares.h"
#include "libtrace-view/rows/track.h"

namespace evt::view {

// By RowState.
inline constexpr std::array<const char*, kRowStates> kStateWords = {
    "running", "collecting", "collector waits for others", "collector idle", "runnable", "foreign call",
    "waiting", "unknown"};
// Where one letter is both of two states.
inline constexpr const char* kCollectorWaitsOrIdle = "collector waits or is idle";
// By RowBand.
inline constexpr std::array<const char*, 4> kBandWords = {"events lost", "process stopped", "uncertain",
                                                          "not read yet"};
// Headings, by TrackKind.
inline constexpr std::array<const char*, kTrackKinds> kKindTitles = {"All cpus", "Cpus",   "Threads",     "Spans",
                                                                     "Counters", "Marks",  "Events",      "Sparks",
                                                                     "Objects",  "Tracer", "Async spans", "Samples"};
// What a legend calls spans whose names it has no room for.
inline constexpr const char* kOtherSpans = "other spans";

constexpr const char* word_of(RowState state) { return kStateWords[key_of(state)]; }
constexpr const char* word_of(RowBand band) { return kBandWords[static_cast<std::size_t>(band)]; }
constexpr const char* title_of(TrackKind kind) { return kKindTitles[static_cast<std::size_t>(kind)]; }

}  // namespace evt::view
