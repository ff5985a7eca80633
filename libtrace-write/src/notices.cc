#include "notices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "holding.h"

namespace evt {
namespace {

void print_notice(const char* sentence) { fprintf(stderr, "evtrace: %s\n", sentence); }

}  // namespace

void Notices::choose(const evt_options& options, Printing printing) {
  function_ = options.on_notice;
  context_ = options.on_notice_context;
  prints_always_ = printing == Printing::kAlways;
}

void Notices::add(evt_notice_kind kind, const char* sentence, bool is_expected) {
  if (*sentence == '\0') return;
  const Holding holding(mutex_);
  for (std::size_t i = 0; i < count_; ++i) {
    if (strcmp(kept_[i].sentence, sentence) == 0) return;
  }
  auto* const grown = static_cast<Kept*>(realloc(kept_, (count_ + 1) * sizeof(Kept)));
  if (grown == nullptr) return print_notice(sentence);
  kept_ = grown;
  kept_[count_].kind = kind;
  kept_[count_].is_expected = is_expected;
  snprintf(kept_[count_].sentence, sizeof kept_[count_].sentence, "%s", sentence);
  ++count_;
}

bool Notices::next(Kept* out) {
  const Holding holding(mutex_);
  if (delivered_ == count_) return false;
  *out = kept_[delivered_++];
  return true;
}

void Notices::hand_over(const Kept& kept) const {
  const evt_notice notice = {kept.kind, 0, kept.sentence};
  if (function_ != nullptr) function_(context_, &notice);
  const bool always = prints_always_ && !kept.is_expected;
  const bool on_terminal = prints_always_ || function_ == nullptr;
  if (always || (on_terminal && isatty(STDERR_FILENO) != 0)) print_notice(kept.sentence);
}

void Notices::deliver() {
  for (Kept kept; next(&kept);) hand_over(kept);
}

std::size_t Notices::copy(char* out, std::size_t size) const {
  const Holding holding(mutex_);
  std::size_t all = 0;
  const auto put = [&](char c) {
    if (all + 1 < size) out[all] = c;
    ++all;
  };
  for (std::size_t i = 0; i < count_; ++i) {
    for (const char* p = kept_[i].sentence; *p != '\0'; ++p) put(*p);
    put('\n');
  }
  if (size > 0) out[all < size ? all : size - 1] = '\0';
  return all;
}

void Notices::release() {
  free(kept_);
  kept_ = nullptr;
  count_ = delivered_ = 0;
}

}  // namespace evt
