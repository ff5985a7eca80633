// Switches event types of another program on or off while it runs. FORMAT.md, section 12.1.
#pragma once

#include <evt/rings.h>
#include <evt/status.h>

#include <string>

#pragma GCC visibility push(default)
namespace evt {

// Asks the writer of this ring to record types whose names match the pattern from now on, or no longer, also those that
// it declares later. Waits up to a second for it. Returns true if it has done so; false if it does not work now, as it
// is stopped: it does when it works again. Errors: kInvalid, the writer is dead, the pattern has not 1 to 471 bytes, or
// too many switches wait already; kIo.
Result<bool> switch_types(const RingInfo& ring, const std::string& glob, bool on);

}  // namespace evt
#pragma GCC visibility pop
