// Timelines that are drawn: on standard output, and in a file of the format that its name has.
#pragma once

#include <evt/status.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/output_mode.h"
#include "libtrace-view/rows/panel.h"

namespace evt::tools {

// Of the terminal's width, those that are of rows.
std::uint32_t columns_of_terminal();
// On standard output. With colours, of which the terminal has as many as its environment states.
Status print_panels(const std::vector<view::Panel>& panels, bool has_color);

// An error if it is none of .svg, .pdf and .png.
Status check_picture_name(const std::string& path);
// Replaces what is there when it is complete.
Status write_picture(const std::string& path, const OutputMode& mode, const std::string& svg);

}  // namespace evt::tools
