// A checkpoint as what it differs from the one before by: between two of them numbers grow by little.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace evt {

inline constexpr unsigned kMaxDeltas = 5;  // one after another, to be added up for an answer

// `words` and `base` are of the same session, which has `streams` streams. Numbers that `base` has too become the
// difference to it, small ones of either sign small.
void subtract(std::vector<std::uint64_t>* words, std::span<const std::uint64_t> base, std::size_t streams);
// The other way round; false when one of them is not what CheckpointWords makes, or when what only grows has shrunk.
bool add(std::vector<std::uint64_t>* words, std::span<const std::uint64_t> base, std::size_t streams);

}  // namespace evt
