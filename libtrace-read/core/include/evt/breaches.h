// What a writer must not write (format-spec/FORMAT.md), though a reader can read it: for those who make writers.
#pragma once

#include <evt/trace.h>

#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Each kind of breach once, with the place of the block that has it first; 1000 at most. What cannot be read, or
// differs between two places, is in Trace::damage(). Reads all of the file, and no ring.
std::vector<Damage> breaches_of(Trace& trace);

}  // namespace evt
#pragma GCC visibility pop
