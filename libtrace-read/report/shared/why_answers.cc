#include "why_answers.h"

#include <algorithm>
#include <utility>

#include "analysis.h"
#include "thread_groups.h"
#include "why_tree.h"

namespace evt::report {

bool WhyAnswers::begin(Timeline& timeline) {
  if (!timeline.next_session()) return false;
  timeline.hand_out(Why::items());
  timeline.hand_out_rows(Why::rows());
  return true;
}

// A length is known when all lengths are.
void WhyAnswers::search() {
  if (search_once()) search_once();
}

// True: it is to be done again.
bool WhyAnswers::search_once() {
  Timeline timeline(*trace_, {});
  bool is_again = false;
  for (std::size_t i = 0; begin(timeline); ++i) {
    if (i == searched_.size()) searched_.emplace_back();
    WhySearch search(timeline, *asked_, searched_[i].length);
    while (const TimelineItem* const item = timeline.next()) search.take(*item);
    take_found(search, &searched_[i]);
    is_again |= search.length() && !search.found();
  }
  check(timeline.status());
  return is_again;
}

void WhyAnswers::take_found(WhySearch& search, WhySearched* searched) {
  search.finish();
  *searched = {search.found(), search.length(), search.found() ? "" : search.nothing(), search.take_lengths()};
  if (searched->lengths.size() < 2) searched->lengths.clear();
}

void WhyAnswers::explain(WhyTable::Form form, BesideWhy* beside, const std::function<void(WhyAnswer)>& take) {
  Timeline timeline(*trace_, {});
  const bool is_searched = !asked_->name.empty();
  for (std::size_t i = 0; (!is_searched || i < searched_.size()) && begin(timeline); ++i) {
    if (!is_searched) searched_.emplace_back();
    if (is_searched && !searched_[i].found) continue;
    if (auto answer = explained(timeline, form, beside, &searched_[i])) take(*std::move(answer));
  }
  check(timeline.status());
}

// What a thread does is searched while it is explained: its range is known before.
std::optional<WhyAnswer> WhyAnswers::explained(Timeline& timeline, WhyTable::Form form, BesideWhy* beside,
                                               WhySearched* searched) {
  const Session& session = timeline.actors().session();
  Why why(timeline, searched->found ? searched->found->range : asked_->range_in(session));
  const WhyWords words(timeline, why);
  if (beside != nullptr) beside->begin(timeline, why, words);
  searched->found ? read(timeline, why, searched->found->thread) : read_all(timeline, why, searched);
  if (!searched->found) return {};
  const WhyInterval& interval = *searched->found;
  WhyTree tree;
  why.divide(interval.thread, interval.range.from_ns, interval.range.to_ns,
             [&](std::int64_t from, std::int64_t to, const Why::Path& path) { tree.add(from, to, path); });
  WhyAnswer answer{&session, interval, words.thread(interval.thread), WhyTable(words, tree, form).causes(),
                   why.has_runs()};
  if (beside != nullptr) beside->finish(interval);
  if (why.status().ok()) return answer;
  if (status_.ok()) status_ = why.status();
  return {};
}

void WhyAnswers::read(Timeline& timeline, Why& why, std::uint32_t thread) {
  const TimelineItem* item = timeline.next();
  while (item != nullptr && why.take(*item)) item = timeline.next();
  // It may come up at the last moment.
  while (item != nullptr && timeline.actors().threads().size() <= thread) item = timeline.next();
}

void WhyAnswers::read_all(Timeline& timeline, Why& why, WhySearched* searched) const {
  WhySearch search(timeline, *asked_, {});
  bool is_needed = true;
  while (const TimelineItem* const item = timeline.next()) {
    search.take(*item);
    is_needed = is_needed && why.take(*item);
  }
  take_found(search, searched);
}

std::string WhyAnswers::nothing() const {
  if (std::ranges::any_of(searched_, &WhySearched::is_answer)) return "";
  return searched_.empty() ? "no event was recorded" : searched_.front().nothing;
}

// Damage is reported elsewhere.
void WhyAnswers::check(const Status& status) {
  if (status_.ok() && status.code() == Code::kIo) status_ = status;
}

Status check_spans_are_paired(const Trace& trace) {
  RunOptions pairs;
  pairs.kinds = {analysis_kind("spans")};
  const Sampled sampled = leave_out_pairing(trace, &pairs);
  return sampled.refused.empty() ? Status() : Status(Code::kInvalid, sampled.refused);
}

Result<Answer> why(Trace& trace, const WhyAsked& asked) {
  if (Status status = check_spans_are_paired(trace); !status.ok()) return status;
  WhyAnswers answers(trace, asked);
  if (!asked.name.empty()) answers.search();
  Answer all;
  bool has_runs = true;
  answers.explain({}, nullptr, [&](WhyAnswer answer) {
    Findings findings;
    findings.tables.push_back(std::move(answer.causes));
    all.sessions.push_back({answer.session, answer.interval.range, 0, {{"why", std::move(findings)}}});
    has_runs &= answer.has_runs;
  });
  if (!answers.status().ok()) return answers.status();
  if (const std::string nothing = answers.nothing(); !nothing.empty()) return Status(Code::kInvalid, nothing);
  if (!has_runs) all.notes.emplace_back(kWhyNoRuns);
  return all;
}

}  // namespace evt::report
