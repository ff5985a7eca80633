// All that a session describes, the rows that its strings hold too -> a union of several sessions.
#pragma once

#include "schema_union.h"

namespace evt {

// The same session again gives the same, whatever came between.
IdRemap take_session(const Session& session, SchemaUnion& schemas);

}  // namespace evt
