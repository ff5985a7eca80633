// Errors as the caller gets them: a code and a sentence.
#pragma once

#include <evt/evt.h>

#include <cstddef>

namespace evt {

void set_error(evt_error* error, int code, const char* format, ...) __attribute__((format(printf, 3, 4)));

// Appends a sentence to existing ones, if there is room, with code EVT_OK: nothing has failed.
void add_notice(evt_error* notice, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Shortens a path for a sentence: of a long one it keeps the end, which helps most. Leaves room for a sentence around
// one path, or two.
void show_path(const char* path, char* shown, std::size_t size);
constexpr std::size_t kPathShown = 112;
constexpr std::size_t kPathOfTwoShown = 98;

}  // namespace evt
