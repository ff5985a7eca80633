#include "analysis_options.h"

#include <evt/analysis/share.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "analysis.h"

namespace evt::report {
namespace {

template <typename List, typename Element>
bool has(const List& list, const Element& element) {
  return std::ranges::find(list, element) != list.end();
}

// Sentences about options.
class Sentences {
 public:
  explicit Sentences(OptionNames names) : names_(names) {}

  // An option by its name in evt stats.
  std::string named(std::string_view option) const {
    return std::string(option.substr(names_ == OptionNames::kPlain ? 2 : 0));
  }
  Status wrong(std::string_view option, std::string_view sentence) const {
    return {Code::kInvalid, fmt::format("{}: {}", named(option), sentence)};
  }

 private:
  OptionNames names_;
};

// a, b and c
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += i == 0 ? "" : i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

// Every selected analysis that takes --by has such rows.
Status check_by(const std::vector<std::string>& analyses, const AnalysisOptions& options, const Sentences& say) {
  const std::string by = fmt::format("{}", fmt::join(options.by, ","));
  for (const AnalysisKind& kind : analysis_kinds()) {
    if (options.by.empty() || kind.by.empty() || !has(analyses, kind.name) || has(kind.by, by)) continue;
    return say.wrong("--by",
                     fmt::format("expected one of {} for {}, found {}", fmt::join(kind.by, " "), kind.name, by));
  }
  if (by == "pattern" && options.calls.threads.empty()) {
    return say.wrong("--by",
                     fmt::format("pattern makes a row for each {} GLOB, and there is none", say.named("--thread")));
  }
  return {};
}

// Both ends of pairs are given, or neither.
Status check_pairs(const std::vector<std::string>& analyses, const AnalysisOptions& options, const Sentences& say) {
  const PairOptions& pairs = options.pairs;
  const bool has_both = !pairs.from.empty() && !pairs.to.empty();
  const auto needs = [&](const char* option) {
    return say.wrong(option, fmt::format("works only on pairs: expected {} and {}", say.named("--from-event"),
                                         say.named("--to-event")));
  };
  if (has_both || !has(analyses, "latency")) return {};
  if (!pairs.from.empty()) return needs("--from-event");
  if (!pairs.to.empty()) return needs("--to-event");
  if (!pairs.key.empty()) return needs("--key");
  return options.longest > 0 ? needs("--longest") : Status();
}

// All of the selected analyses know each option.
Status check_known(const std::vector<std::string>& analyses, const std::vector<std::string>& given,
                   const Sentences& say) {
  for (const std::string& option : given) {
    std::vector<std::string> knowing;
    for (const AnalysisKind& kind : analysis_kinds()) {
      if (knows(kind, option)) knowing.emplace_back(kind.name);
    }
    std::vector<std::string> others = analyses;
    std::erase_if(others, [&](const std::string& analysis) { return has(knowing, analysis); });
    if (!others.empty())
      return say.wrong(option, fmt::format("works with {}, not with {}", listed(knowing), listed(others)));
  }
  return {};
}

}  // namespace

std::optional<ShareModel> share_model(const std::string& name) {
  if (name == "running") return ShareModel::kRunning;
  if (name == "existing") return ShareModel::kExisting;
  if (name == "phase") return ShareModel::kPhase;
  return std::nullopt;
}

std::optional<std::pair<std::string, std::uint64_t>> parse_limit(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) return std::nullopt;
  std::string_view rest = std::string_view(text).substr(equals + 1);
  if (rest.ends_with("/s")) rest.remove_suffix(2);
  std::pair<std::string, std::uint64_t> limit{text.substr(0, equals), 0};
  const char* const end = rest.data() + rest.size();
  const auto [unit, error] = std::from_chars(rest.data(), end, limit.second);
  if (error != std::errc() || limit.second == 0) return std::nullopt;
  if (unit == end) return limit;
  constexpr std::string_view kUnits = "kMGT";
  const std::size_t power = kUnits.find(*unit == 'K' ? 'k' : *unit);
  if (power == std::string_view::npos || unit + 1 != end) return std::nullopt;
  for (std::size_t i = 0; i <= power; ++i) {
    if (__builtin_mul_overflow(limit.second, std::uint64_t{1000}, &limit.second)) return std::nullopt;
  }
  return limit;
}

std::vector<std::string> given_options(const AnalysisOptions& options) {
  const CallOptions& calls = options.calls;
  const std::pair<const char*, bool> all[] = {
      {"--by", !options.by.empty()},
      {"--cost", options.cost_ps.has_value()},
      {"--subtract", options.subtract},
      {"--model", options.share.model != ShareModel()},
      {"--compare-models", options.share.compare},
      {"--limit", !options.limits.empty()},
      {"--thread", !calls.threads.empty()},
      {"--callers", !calls.callers.empty()},
      {"--callees", !calls.callees.empty()},
      {"--fold", calls.fold},
      {"--waiting", calls.waiting},
      {"--from-event", !options.pairs.from.empty()},
      {"--to-event", !options.pairs.to.empty()},
      {"--key", !options.pairs.key.empty()},
      {"--longest", options.longest > 0},
      {"--percentile", !options.percentiles.empty()},
  };
  std::vector<std::string> given;
  for (const auto& [name, is_given] : all) {
    if (is_given) given.emplace_back(name);
  }
  return given;
}

Status check_options(const std::vector<std::string>& analyses, const std::vector<std::string>& given,
                     const AnalysisOptions& options, OptionNames names) {
  const Sentences say(names);
  if (options.every && (analyses.empty() || has(analyses, kSummary)))
    return say.wrong("--every", "summary has no table over time");
  if (options.every && has(analyses, kOverview)) return say.wrong("--every", "overview has steps of its own");
  if (const Status known = check_known(analyses, given, say); !known.ok()) return known;
  if (options.every && *options.every <= 0) {
    return say.wrong("--every", fmt::format("expected a time like 10ms, found {} ns", *options.every));
  }
  if (options.cost_ps && !options.subtract && !has(analyses, "overhead")) {
    return say.wrong("--cost", "works with overhead, or with spans, calls and usage plus " + say.named("--subtract"));
  }
  if (options.share.compare && options.share.model != ShareModel()) {
    return say.wrong("--compare-models", "excludes " + say.named("--model"));
  }
  if (options.longest > kMaxLongest) {
    return say.wrong("--longest", fmt::format("expected 1 to {}, found {}", kMaxLongest, options.longest));
  }
  if (const Status by = check_by(analyses, options, say); !by.ok()) return by;
  if (const Status pairs = check_pairs(analyses, options, say); !pairs.ok()) return pairs;
  const CallOptions& calls = options.calls;
  if (calls.fold && options.every) {
    return say.wrong("--fold", fmt::format("excludes {}", say.named("--every")));
  }
  if (calls.fold && !(calls.callers.empty() && calls.callees.empty())) {
    return say.wrong("--fold", fmt::format("excludes {} and {}", say.named("--callers"), say.named("--callees")));
  }
  return {};
}

}  // namespace evt::report
