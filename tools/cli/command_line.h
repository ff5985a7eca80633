// The command line of evt: its subcommands, and what they are asked to do. CLI11 is known in this folder alone.
#pragma once

namespace evt::tools {

// The exit status. As evt: `evt SUBCOMMAND ...`.
int run_evt(int argc, char** argv);
// As tracedump, which is evt dump.
int run_tracedump(int argc, char** argv);

}  // namespace evt::tools
