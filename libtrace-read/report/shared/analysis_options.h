// Options of analyses, checked before they run.
#pragma once

#include <evt/report.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace evt::report {

inline constexpr std::size_t kMaxLongest = 100'000;  // each listed one is kept until the end

// running, existing or phase.
std::optional<ShareModel> share_model(const std::string& name);

// Parses the limit of a resource: KIND=AMOUNT/s, such as disk=100M/s. k or K, M, G and T are thousands; the /s may be
// omitted.
std::optional<std::pair<std::string, std::uint64_t>> parse_limit(const std::string& text);

// The options, by their names in evt stats, that differ from their defaults.
std::vector<std::string> given_options(const AnalysisOptions& options);

// How sentences name options: like evt stats, --by, or like a program without a command line, by.
enum class OptionNames : std::uint8_t { kOfCommand, kPlain };

// An error, beginning with the option, if an analysis does not know a given one, or does not accept its value.
// REQUIRES: analyses with these names exist.
Status check_options(const std::vector<std::string>& analyses, const std::vector<std::string>& given,
                     const AnalysisOptions& options, OptionNames names);

}  // namespace evt::report
