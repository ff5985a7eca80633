// What the command line of each subcommand is: adds all its options, of which `options` has the values when the command
// line was read.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cmd/commands.h"

namespace CLI {
class App;
}  // namespace CLI

namespace evt::tools {

void add_options(CLI::App& app, const std::shared_ptr<CheckArguments>& options);
void add_options(CLI::App& app, const std::shared_ptr<ConvertArguments>& options);
void add_options(CLI::App& app, const std::shared_ptr<CutArguments>& options);
void add_options(CLI::App& app, const std::shared_ptr<DumpArguments>& options);
void add_options(CLI::App& app, const std::shared_ptr<GrepArguments>& options);
void add_options(CLI::App& app, const std::shared_ptr<CollectArguments>& options);
void add_options(CLI::App& app, const std::shared_ptr<ListArguments>& options);
void add_options(CLI::App& app, const std::shared_ptr<SwitchArguments>& options);
void add_options(CLI::App& app, const std::shared_ptr<MergeArguments>& options);
void add_options(CLI::App& app, const std::shared_ptr<RunArguments>& options);
void add_options(CLI::App& app, const std::shared_ptr<SnapshotArguments>& options);
void add_options(CLI::App& app, const std::shared_ptr<SqlArguments>& options);
void add_options(CLI::App& app, const std::shared_ptr<TestArguments>& options);
void add_options(CLI::App& app, const std::shared_ptr<ViewArguments>& options);
void add_options(CLI::App& app, const std::shared_ptr<WhyArguments>& options);

// Whether a subcommand of this name has its options though it is not chosen; empty: none has.
using NeedsOptions = std::function<bool(const std::string&)>;
// Also a subcommand for each analysis. One that does not need its own options gets them when the command line chooses
// it.
void add_options(CLI::App& app, const std::shared_ptr<StatsArguments>& options, const NeedsOptions& needs);

// What evt run --calls takes, beside all and none.
std::vector<std::string> call_groups();

}  // namespace evt::tools
