// Fields that have no counterpart, as text.
#pragma once

#include "field_reader.h"

namespace evt::ctf {

// As babeltrace2 prints it, all of it in one line; of more than FieldReader::kMaxText bytes the first. False as
// FieldReader.
bool append_text(FieldReader* reader, const FieldClass& field, bool is_tsdl, std::string* out);

}  // namespace evt::ctf
