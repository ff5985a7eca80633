// What an object has and its header does not show.
#pragma once

#include <memory>
#include <utility>

#pragma GCC visibility push(default)
namespace evt {

// Is copied and moved with the object. Only who makes it needs to know T.
template <typename T>
class Opaque {
 public:
  explicit Opaque(std::unique_ptr<T> of)
      : of_(of.release(), [](T* gone) { delete gone; }), copied_([](const T& from) { return new T(from); }) {}
  Opaque(const Opaque& other) : of_(other.copied_(*other), other.of_.get_deleter()), copied_(other.copied_) {}
  Opaque(Opaque&&) noexcept = default;
  Opaque& operator=(Opaque other) noexcept {
    std::swap(of_, other.of_);
    return *this;
  }
  ~Opaque() = default;

  T& operator*() const { return *of_; }
  T* operator->() const { return of_.get(); }

 private:
  std::unique_ptr<T, void (*)(T*)> of_;
  T* (*copied_)(const T&);
};

}  // namespace evt
#pragma GCC visibility pop
