// The kinds of values that documents are made of. Internal to core/document. Each function reads
// one value; false with an error in cursor.errors() otherwise.
#pragma once

#include <cstdint>
#include <vector>

#include "attention/mask.h"
#include "base/tensor.h"
#include "document/document.h"
#include "text/cursor.h"

namespace attn {

struct DepthRange {
  std::size_t low = 1;
  std::size_t high = 1;
};

// Nested lists of numbers or of flags, straight into one flat array, or a reference to a file that
// has them. Refuses ragged and empty lists and depths out of range.
bool read_tensor(JsonCursor& cursor, DepthRange depths, Tensor& tensor);
bool read_tensor(JsonCursor& cursor, DepthRange depths, BoolTensor& tensor);

// true and false; 1 and 0 mean the same.
bool read_flag(JsonCursor& cursor, bool& value);

// A whole number, also as 7.0 or 1e3.
bool read_count(JsonCursor& cursor, std::uint64_t minimum, std::uint64_t& value);
bool read_integer(JsonCursor& cursor, std::int64_t& value);

// A JSON number, not one of the strings for those that are not finite; above 0.
bool read_finite(JsonCursor& cursor, float& value);
bool read_positive(JsonCursor& cursor, float& value);

bool read_texts(JsonCursor& cursor, std::vector<std::string>& texts);

// One list, or a list of lists; the lists may differ in length.
bool read_padding(JsonCursor& cursor, PaddingLists& lists);
bool read_segments(JsonCursor& cursor, SegmentLists& lists);

// One number, or a list of them.
bool read_integers(JsonCursor& cursor, std::vector<std::int64_t>& values);
bool read_counts(JsonCursor& cursor, std::vector<std::uint64_t>& values);
bool read_numbers(JsonCursor& cursor, std::vector<float>& values);

}  // namespace attn
