// Base of exports of paths of spans and calls or of sampled stacks, thread by thread: each session's after its last
// item.
#pragma once

#include <evt/analysis/call_paths.h>
#include <evt/analysis/stack_paths.h>
#include <evt/export/timeline_export.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace evt {

class PathExport : public TimelineExport {
 public:
  explicit PathExport(PathWeight weight) : weight_(weight) {}

  void begin_session(TextBuffer& out, Timeline& timeline) override;
  void take(TextBuffer&, const TimelineItem& item) override { samples_ ? samples_->take(item) : paths_->take(item); }
  std::vector<std::string> left_out() const override;

 protected:
  // For the session.
  const std::vector<CallPaths::Node>& nodes() const { return samples_ ? samples_->nodes() : paths_->nodes(); }
  std::uint64_t weight_of(const CallPaths::Node& node) const;
  std::string_view name_of(const CallPaths::Node& node) const;
  // The path of its program or library; empty: unknown.
  std::string module_of(const CallPaths::Node& node) const { return samples_ ? samples_->module_of(node.name) : ""; }
  // The root's name: with its process, if there are several.
  std::string thread_name(const CallPaths::Node& root) const;
  // Called before anything below.
  void finish_session();
  PathWeight weight() const { return weight_; }
  bool is_of_stacks() const { return weight_ == PathWeight::kSamples || weight_ == PathWeight::kWaiting; }

 private:
  void find_shares();

  PathWeight weight_;
  Timeline* timeline_ = nullptr;
  std::optional<CallPaths> paths_;
  std::optional<StackPaths> samples_;  // in place of those
  std::vector<std::uint64_t> shares_;  // by nodes
  bool has_others_ = false;
  bool has_paths_ = false;
  std::uint64_t no_time_ = 0;  // samples
  std::uint64_t no_stack_ = 0;
};

}  // namespace evt
