// What the choices of a document are called in JSON, for reading and for writing. Internal to
// core/document.
#pragma once

#include <cstddef>
#include <string_view>

#include "attention/block.h"
#include "attention/position.h"

namespace attn {

// One choice and its name.
template <class T>
struct Choice {
  std::string_view name;
  T value;
};

inline constexpr Choice<NormOrder> kNormOrders[] = {{"post", NormOrder::Post},
                                                    {"pre", NormOrder::Pre}};
inline constexpr Choice<NormKind> kNormKinds[] = {{"layer", NormKind::Layer},
                                                  {"rms", NormKind::Rms}};
inline constexpr Choice<PositionLayout> kLayouts[] = {{"interleaved", PositionLayout::Interleaved},
                                                      {"halves", PositionLayout::Halves}};
inline constexpr Choice<RopeScaling> kScalings[] = {
    {"none", RopeScaling::None}, {"linear", RopeScaling::Linear}, {"ntk", RopeScaling::Ntk}};
// Whether matrices are stored as (outputs, inputs).
inline constexpr Choice<bool> kMatrixOrders[] = {{"in_out", false}, {"out_in", true}};

// The name of a value. Precondition: the table has it.
template <class T, std::size_t Count>
std::string_view name_of(const Choice<T> (&choices)[Count], T value) {
  const Choice<T>* choice = choices;
  while (choice->value != value) ++choice;
  return choice->name;
}

}  // namespace attn
