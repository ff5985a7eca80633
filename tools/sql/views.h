// views.sql, which is a part of evt.
#pragma once

#include <string>
#include <vector>

namespace evt::tools {

const char* sql_views();
// The names of its views.
std::vector<std::string> sql_view_names();

}  // namespace evt::tools
