#include <evt/report.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "libtrace-read/report/shared/analysis.h"
#include "libtrace-read/report/shared/analysis_options.h"
#include "libtrace-read/report/shared/described_tables.h"
#include "libtrace-read/text/near_names.h"
#include "libtrace-read/text/session_texts.h"

namespace evt::report {
namespace {

void add_note(const std::string& sentence, std::vector<std::string>* notes) {
  const bool is_known = std::ranges::find(*notes, sentence) != notes->end();
  if (!sentence.empty() && !is_known) notes->push_back(sentence);
}

}  // namespace

std::vector<std::string> analysis_names() {
  std::vector<std::string> names = {kSummary};
  for (const AnalysisKind& kind : analysis_kinds()) names.emplace_back(kind.name);
  return names;
}

Status ask(const std::vector<std::string>& analyses, RunOptions* options) {
  if (analyses.empty()) return {Code::kInvalid, "no analysis is asked for"};
  const std::vector<std::string> known = analysis_names();
  for (const std::string& name : analyses) {
    if (std::ranges::find(known, name) != known.end()) continue;
    const std::string near = did_you_mean(name, known);
    return {Code::kInvalid, fmt::format("there is no analysis `{}`{}", name,
                                        near.empty() ? fmt::format("; there are {}", fmt::join(known, ", ")) : near)};
  }
  if (const Status status =
          check_options(analyses, given_options(options->analysis), options->analysis, OptionNames::kPlain);
      !status.ok())
    return status;
  for (const std::string& name : analyses) {
    const AnalysisKind* const kind = analysis_kind(name);
    const bool is_new = std::ranges::find(options->kinds, kind) == options->kinds.end();
    if (kind == nullptr) options->summary = true;
    if (kind != nullptr && is_new) options->kinds.push_back(kind);
  }
  return {};
}

Sampled leave_out_pairing(const Trace& trace, RunOptions* options) {
  const auto& sessions = trace.sessions();
  const auto sampled = std::ranges::find_if(
      sessions, [](const Session& session) { return session.left_out && session.left_out->separates_events(); });
  if (sampled == sessions.end()) return {};
  std::vector<std::string> refused;
  std::erase_if(options->kinds, [&](const AnalysisKind* kind) {
    if (kind->pairs_events) refused.emplace_back(kind->name);
    return kind->pairs_events;
  });
  const std::string what = sampling_text(*sampled->left_out);
  Sampled found;
  found.counts = "only the events that sampling kept are counted: it left out " + what;
  if (!refused.empty()) {
    found.refused = fmt::format("{}: not computed, because events were sampled, which leaves out {}",
                                fmt::join(refused, ", "), what);
  }
  return found;
}

std::vector<std::string> unmet_in(const std::vector<SessionFindings>& sessions) {
  struct Everywhere {
    std::size_t times = 0;
    std::string name;
    std::vector<std::string> known;
  };
  std::map<std::string, Everywhere> all;
  for (const SessionFindings& session : sessions) {
    for (const auto& [kind, findings] : session.by_analysis) {
      for (const Unmet& unmet : findings.unmet) {
        Everywhere& everywhere = all[unmet.sentence];
        ++everywhere.times;
        everywhere.name = unmet.name;
        everywhere.known.insert(everywhere.known.end(), unmet.known.begin(), unmet.known.end());
      }
    }
  }
  std::vector<std::string> sentences;
  for (const auto& [sentence, everywhere] : all) {
    if (everywhere.times < sessions.size()) continue;
    sentences.push_back(sentence + did_you_mean(everywhere.name, everywhere.known));
  }
  return sentences;
}

Result<Answer> answer(Trace& trace, const std::vector<std::string>& analyses, RunOptions options) {
  if (const Status status = ask(analyses, &options); !status.ok()) return status;
  const Sampled sampled = leave_out_pairing(trace, &options);
  if (!sampled.refused.empty() && options.kinds.empty() && !options.summary)
    return Status(Code::kInvalid, sampled.refused);
  if (const Status status = check_stretches(trace, options); !status.ok()) return status;
  Answer found;
  options.not_kept = [&, report = options.not_kept](const std::string& sentence) {
    add_note(sentence, &found.notes);
    if (report) report(sentence);
  };
  found.sessions = run_sessions(trace, options);
  if (const Status read = trace.status(); read.code() == Code::kIo) return read;
  for (const std::string* const sentence : {&sampled.refused, &sampled.counts}) add_note(*sentence, &found.notes);
  for (const SessionFindings& session : found.sessions) {
    for (const auto& [name, findings] : session.by_analysis) {
      for (const std::string& note : findings.notes) add_note(note, &found.notes);
    }
  }
  for (const std::string& sentence : unmet_in(found.sessions)) add_note(sentence, &found.notes);
  return found;
}

ColumnMeaning meaning_of(std::string_view analysis, const Table& table, const Table::Column& column) {
  const DescribedTable* const described = described_table(analysis, table.name());
  if (described == nullptr) return {};
  const Column meaning = described_column(*described, column);
  return {meaning.unit, meaning.description};
}

}  // namespace evt::report
