// Lists of types, and the type-erased Command, which is enough for code that only passes commands
// on.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace attn {

// A list of types.
template <class... Kinds>
struct KindList {
  template <class Kind>
  static constexpr bool contains() {
    return (std::is_same_v<Kind, Kinds> || ...);
  }
};

// One command of a kind that session/command.h lists, shared by copies. A std::variant would take
// seconds to compile.
class Command {
 public:
  template <class Kind>
  requires requires(const Kind& kind) { is_command(kind); }
  Command(Kind command) : kind_(&kTag<Kind>), held_(new Kind(std::move(command))) {}

  // Its value, or null if it is a command of another kind.
  template <class Kind>
  const Kind* get_if() const {
    return kind_ == &kTag<Kind> ? static_cast<const Kind*>(held_.get()) : nullptr;
  }

 private:
  template <class Kind>
  static inline const char kTag = 0;  // its address identifies the kind
  const void* kind_;
  std::shared_ptr<const void> held_;
};

}  // namespace attn
