// What analyses are asked with, checked before they run.
#pragma once

#include <evt/report.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace evt::report {

inline constexpr std::size_t kMaxLongest = 100'000;  // each that is listed is kept until the end

// running, existing or phase.
std::optional<ShareModel> share_model(const std::string& name);

// How much of a resource there is: KIND=AMOUNT/s, such as disk=100M/s. k or K, M, G and T are thousands; the /s may be
// left out.
std::optional<std::pair<std::string, std::uint64_t>> parse_limit(const std::string& text);

// The options, by their names in evt stats, that differ from what they are by themselves.
std::vector<std::string> given_options(const AnalysisOptions& options);

// How sentences name options: as evt stats has them, --by, or as a program that has no command line, by.
enum class OptionNames : std::uint8_t { kOfCommand, kPlain };

// An error, the option in front, if an analysis does not know one of those that are given, or takes no such value.
// REQUIRES: the analyses are some, by their names.
Status check_options(const std::vector<std::string>& analyses, const std::vector<std::string>& given,
                     const AnalysisOptions& options, OptionNames names);

}  // namespace evt::report
