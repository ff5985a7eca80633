#include <fmt/core.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>
#include <vector>

#include "base/help_text.h"
#include "cli/command_options.h"
#include "cli/common_options.h"

namespace evt::tools {
namespace {

// What evt view makes.
bool is_of_view(const std::string& path) {
  constexpr const char* kPictures[] = {".html", ".svg", ".pdf", ".png"};
  return std::ranges::find(kPictures, suffix_of(path)) != std::end(kPictures);
}

// What the output's name and --format say together, or why they cannot be.
void set_format(ConvertArguments* options) {
  if (!options->form.empty()) options->format = format_called(options->form);
  if (options->output != "-" && !suffix_of(options->output).empty()) {
    const auto by_suffix = format_by_suffix(options->output);
    refuse_if(!by_suffix && !options->format && is_of_view(options->output), "--output",
              fmt::format("pictures are made by evt view -o {}", options->output));
    refuse_if(!by_suffix && !options->format, "--output",
              fmt::format("expected a name that ends in one of {}, or --format, found {}", format_suffixes(),
                          options->output));
    refuse_if(options->format && !may_be(*options->format, options->output), "--format",
              fmt::format("{} is not a name for {}", options->output, options->form));
    if (!options->format) options->format = by_suffix;
  }
}

// Options that are for outputs of other formats.
void check_format(const ConvertArguments& options) {
  const OutputFormat format = options.format.value_or(OutputFormat::kTrace);
  for (const auto& [name, is_given] : {std::pair("--columns", options.columns), std::pair("--rows", options.rows)}) {
    refuse_if(is_given && format != OutputFormat::kTrace, name, "works only if the output is a trace");
  }
  refuse_if(format == OutputFormat::kCtf && options.output == "-", "--output",
            "expected the name of a folder for the CTF trace");
  refuse_if(format == OutputFormat::kParquet && options.output == "-", "--output",
            "expected the name of a folder for the Parquet files");
  refuse_if((format == OutputFormat::kParquet || is_for_clickhouse(format)) && options.selection.leaves_out_events(),
            "file",
            "tables cannot be filtered by --stream, --thread, --process, --event and --where, only by --from and --to");
  const bool has_table = format == OutputFormat::kRowBinary || format == OutputFormat::kClickHouseInsert;
  refuse_if(has_table && options.table.empty(), "--format",
            fmt::format("{} writes one table: expected --table NAME too", options.form));
  refuse_if(!has_table && !options.table.empty(), "--table", "works only with rowbinary and clickhouse-insert");
  const bool has_database = format == OutputFormat::kClickHouseTables || format == OutputFormat::kClickHouseInsert;
  refuse_if(!has_database && options.place.database != ClickHousePlace().database, "--database",
            "works only with clickhouse-ddl and clickhouse-insert");
  refuse_if(format != OutputFormat::kClickHouseTables && !options.place.cluster.empty(), "--cluster",
            "works only with clickhouse-ddl");
  refuse_if(options.kernel_names && format != OutputFormat::kCtf, "--kernel-names", "works only with CTF");
  const bool has_weight =
      format == OutputFormat::kFolded || format == OutputFormat::kSpeedscope || format == OutputFormat::kPprof;
  refuse_if(options.weight && !has_weight, "--weight", "works only with folded stacks, speedscope and pprof");
  refuse_if(format == OutputFormat::kTrace && options.selection.is_limited(), "--from",
            "and other filters do not apply if the output is a trace; evt cut makes a part of a trace");
}

void take_format(const std::string& name, ConvertArguments* options) {
  refuse_if(!format_called(name), "--format", none_of(format_names(), name));
  options->form = name;
}

const std::vector<std::pair<std::string, PathWeight>> kWeights = {
    {"wall", PathWeight::kWall},   {"running", PathWeight::kRunning}, {"share", PathWeight::kShare},
    {"count", PathWeight::kCount}, {"samples", PathWeight::kSamples}, {"waiting", PathWeight::kWaiting}};

}  // namespace

void add_options(CLI::App& app, const std::shared_ptr<ConvertArguments>& options) {
  app.add_option("input", options->inputs,
                 "a trace, its text form, a GHC eventlog, Chrome's JSON, perf script's text, a pprof profile or\n"
                 "folded stacks, each also compressed by gzip, zstd or xz; or a CTF folder; - is standard input;\n"
                 "several for tables")
      ->required();
  app.add_option("-o,--output", options->output,
                 "write to this file, whose suffix chooses the format (see below); - is standard output")
      ->type_name("FILE");
  app.add_option_function<std::string>("--format",
                                       [options](const std::string& name) { take_format(name, options.get()); })
      ->description("choose the format, for standard output or a name with another suffix")
      ->type_name(fmt::format("{}", fmt::join(format_names(), "|")));
  add_selection(app, &options->selection);
  app.get_option("--to")->check([](const std::string& text) {
    return format_called(text) ? fmt::format("expected a time; --format {} chooses the form", text) : "";
  });
  auto* const columns = app.add_flag("--columns", options->columns, "write a trace with compressed events");
  app.add_flag("--rows", options->rows, "write a trace with events as they were recorded")->excludes(columns);
  app.add_option_function<std::string>(
         "--weight",
         [options](const std::string& name) {
           const auto known = std::ranges::find_if(kWeights, [&](const auto& each) { return each.first == name; });
           refuse_if(known == kWeights.end(), "--weight",
                     none_of({"wall", "running", "share", "count", "samples", "waiting"}, name));
           options->weight = known->second;
         },
         "choose what stack weights mean. If the trace has stacks: processor time of samples (the default if\n"
         "there are samples) or time of waits. For spans and calls: wall time (the default without stacks),\n"
         "running time, share of the time (evt stats share) or count")
      ->type_name("samples|waiting|wall|running|share|count");
  app.add_flag("--kernel-names", options->kernel_names,
               "write thread events as Linux's sched_switch and sched_waking in CTF");
  app.add_option("--table", options->table, "rowbinary, clickhouse-insert: write this table (docs/TABLES.md)")
      ->type_name("NAME");
  app.add_option("--database", options->place.database,
                 "clickhouse-ddl, clickhouse-insert: use tables of this database")
      ->type_name("NAME")
      ->capture_default_str();
  app.add_option("--cluster", options->place.cluster,
                 "clickhouse-ddl: replicate and distribute the tables over this cluster")
      ->type_name("NAME");
  add_reading(app, &options->reading);
  add_color(app);
  add_quiet(app);
  app.footer(help_text("evt-convert"));
  app.parse_complete_callback([options] {
    set_format(options.get());
    check_format(*options);
  });
}

}  // namespace evt::tools
