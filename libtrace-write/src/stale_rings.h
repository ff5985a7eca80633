// Rings that dead writers left, which nothing else would ever remove.
#pragma once

namespace evt {

// Of those of this user in a folder all but a few go. What they hold goes into their traces, the oldest first, and then
// they are removed. Of those that no trace needs, because it is gone or was no file, the newest eight stay, within an
// eighth of the folder's space, for seven days; a ring whose trace may be anywhere stays as long.
void reap_stale_rings(const char* folder);

}  // namespace evt
