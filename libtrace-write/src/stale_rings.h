// Rings that dead writers left, which nothing else would ever remove.
#pragma once

namespace evt {

// Removes all but a few of this user's stale rings in a folder. First their rows go into their traces, the oldest
// first. Of rings that no trace needs, because it is gone or was not a file, the newest eight stay, within an eighth of
// the folder's space, for seven days; a ring whose trace may be anywhere stays as long.
void reap_stale_rings(const char* folder);

}  // namespace evt
