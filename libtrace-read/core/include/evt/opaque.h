// What an object has and its header does not show.
#pragma once

#include <evt/cpp20.h>

#include <memory>
#include <utility>

#pragma GCC visibility push(default)
namespace evt {

// Is moved with the object, and ends with it. Only who makes it needs to know T.
template <typename T>
class Hidden {
 public:
  explicit Hidden(std::unique_ptr<T> of) : of_(of.release(), [](T* gone) { delete gone; }) {}

  T& operator*() const { return *of_; }
  T* operator->() const { return of_.get(); }

 protected:
  using End = void (*)(T*);
  Hidden(T* of, End ended) : of_(of, ended) {}
  End end() const { return of_.get_deleter(); }

 private:
  std::unique_ptr<T, End> of_;
};

// Is copied with the object, too.
template <typename T>
class Opaque : public Hidden<T> {
 public:
  explicit Opaque(std::unique_ptr<T> of)
      : Hidden<T>(std::move(of)), copied_([](const T& from) { return new T(from); }) {}
  Opaque(const Opaque& other) : Hidden<T>(other.copied_(*other), other.end()), copied_(other.copied_) {}
  Opaque(Opaque&&) noexcept = default;
  Opaque& operator=(const Opaque& other) { return *this = Opaque(other); }
  Opaque& operator=(Opaque&&) noexcept = default;
  ~Opaque() = default;

 private:
  T* (*copied_)(const T&);
};

}  // namespace evt
#pragma GCC visibility pop
