// Readers of values, and of objects by a table of their keys. Internal to core/document. Each
// function reads one value; false with an error in json.reader().errors() on failure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "attention/block.h"
#include "attention/mask.h"
#include "attention/position.h"
#include "base/tensor.h"
#include "document/document.h"
#include "text/reader.h"

namespace attn {

struct DepthRange {
  std::size_t low = 1;
  std::size_t high = 1;
};

// Reads nested lists of numbers or flags into one flat array, or a reference to a file of them.
// Refuses ragged and empty lists and depths out of range.
bool read_tensor(JsonValue json, DepthRange depths, Tensor& tensor);
bool read_tensor(JsonValue json, DepthRange depths, BoolTensor& tensor);

// true or false, or 1 or 0.
bool read_flag(JsonValue json, bool& value);

// A whole number, also as 7.0 or 1e3.
bool read_count(JsonValue json, std::uint64_t minimum, std::uint64_t& value);
bool read_integer(JsonValue json, std::int64_t& value);

// A JSON number, not one of the strings for those that are not finite; above 0.
bool read_finite(JsonValue json, float& value);
bool read_positive(JsonValue json, float& value);

bool read_texts(JsonValue json, std::vector<std::string>& texts);

// One list, or a list of lists; the lists may differ in length.
bool read_padding(JsonValue json, PaddingLists& lists);
bool read_segments(JsonValue json, SegmentLists& lists);

// One number, or a list of them.
bool read_integers(JsonValue json, std::vector<std::int64_t>& values);
bool read_counts(JsonValue json, std::vector<std::uint64_t>& values);
bool read_numbers(JsonValue json, std::vector<float>& values);

// --- objects

// A key of an object and the reader of its value into `T`.
template <class T>
struct Row {
  std::string_view key;
  bool (*read)(JsonValue, T&);
};

// Row that reads into a member.
template <auto Member, auto Read, class T>
bool into(JsonValue json, T& out) {
  return Read(json, out.*Member);
}

// Row that reads into an optional member.
template <auto Member, auto Read, class T>
bool into_optional(JsonValue json, T& out) {
  return Read(json, (out.*Member).emplace());
}

// Adds an error about the key of a member. Returns false.
bool refuse_unknown_key(JsonValue json, const std::string& key,
                        std::span<const std::string_view> known);

// Adds an error about a text that is not among the names. Returns false.
bool refuse_unknown_name(JsonValue json, const std::string& what, const std::string& name,
                         std::span<const std::string_view> known);

// Reads an object by its table of keys. After a refused value the others are still read.
template <class T>
bool read_object(JsonValue json, std::span<const Row<T>> rows, T& out) {
  return json.each_member([&](const std::string& key, JsonValue member) {
    const auto row = std::ranges::find(rows, key, &Row<T>::key);
    if (row != rows.end()) return row->read(member, out);
    std::vector<std::string_view> names;
    for (const Row<T>& known : rows) names.push_back(known.key);
    return refuse_unknown_key(member, key, names);
  });
}

// Forms of members: lists within bounds of depth, null for none, a count with a minimum.
template <std::size_t Low, std::size_t High, class T>
bool tensor(JsonValue json, BasicTensor<T>& numbers) {
  return read_tensor(json, {Low, High}, numbers);
}

template <std::size_t Low, std::size_t High>
bool tensor_or_null(JsonValue json, Tensor& numbers) {
  if (json.kind() == JsonValue::Kind::Null) return json.read_null();
  return read_tensor(json, {Low, High}, numbers);
}

template <std::uint64_t Minimum>
bool count_from(JsonValue json, std::uint64_t& count) {
  return read_count(json, Minimum, count);
}

// A text that names an entry of a table; `what` is the message if it does not.
template <class Table, class Info, class T>
bool read_named(JsonValue json, const Table& table, const std::string& what, T Info::*member,
                T& value) {
  std::string name;
  if (!json.read_text(name)) return false;
  std::vector<std::string_view> names;
  for (const Info& info : table) {
    names.push_back(info.name);
    if (info.name == name) {
      value = info.*member;
      return true;
    }
  }
  return refuse_unknown_name(json, what, name, names);
}

// Values by name, for reading and writing.
template <class T, std::size_t Count>
struct Choices {
  struct Choice {
    std::string_view name;
    T value;
  };
  const char* what;
  Choice all[Count];
};

inline constexpr Choices<NormOrder, 2> kNormOrders = {
    "order of norms", {{"post", NormOrder::Post}, {"pre", NormOrder::Pre}}};
inline constexpr Choices<NormKind, 2> kNormKinds = {
    "norm", {{"layer", NormKind::Layer}, {"rms", NormKind::Rms}}};
inline constexpr Choices<PositionLayout, 2> kLayouts = {
    "layout", {{"interleaved", PositionLayout::Interleaved}, {"halves", PositionLayout::Halves}}};
inline constexpr Choices<RopeScaling, 3> kScalings = {
    "scaling",
    {{"none", RopeScaling::None}, {"linear", RopeScaling::Linear}, {"ntk", RopeScaling::Ntk}}};
// True if matrices are stored as (outputs, inputs).
inline constexpr Choices<bool, 2> kMatrixOrders = {"order of inputs and outputs",
                                                   {{"in_out", false}, {"out_in", true}}};

template <const auto& kChoices>
bool choice(JsonValue json, decltype(kChoices.all[0].value)& value) {
  using Choice = std::remove_cvref_t<decltype(kChoices.all[0])>;
  return read_named(json, kChoices.all, kChoices.what, &Choice::value, value);
}

// Name of a value. Precondition: it has one.
template <class T, std::size_t Count>
std::string_view name_of(const Choices<T, Count>& choices, T value) {
  return std::ranges::find(choices.all, value, &Choices<T, Count>::Choice::value)->name;
}

}  // namespace attn
