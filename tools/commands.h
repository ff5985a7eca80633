// The subcommands of evt, each in a source file of its name: cmd_dump.cc. They return the exit status.
#pragma once

namespace evt::tools {

struct CheckArguments;
struct ConvertArguments;
struct CutArguments;
struct DumpArguments;
struct GrepArguments;
struct ListArguments;
struct MergeArguments;
struct RunArguments;
struct SqlArguments;
struct StatsArguments;
struct ViewArguments;

int run_check(CheckArguments& options);
int run_convert(ConvertArguments& options);
int run_cut(CutArguments& options);
int run_dump(DumpArguments& options);
int run_grep(GrepArguments& options);
int run_list(ListArguments& options);
int run_merge(MergeArguments& options);
int run_run(RunArguments& options);  // that of the program
int run_sql(SqlArguments& options);
int run_stats(StatsArguments& options);
int run_view(ViewArguments& options);

}  // namespace evt::tools
