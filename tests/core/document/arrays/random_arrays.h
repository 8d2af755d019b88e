// Files of arrays of known meaning, made at random as people's programs write them.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "base/tensor.h"
#include "tests/core/document/arrays/array_bytes.h"

namespace attn::test {

// A mask of a random file, and its meaning.
struct KnownMask {
  std::string name;
  bool true_hides = false;
};

struct RandomFile {
  std::vector<ZipEntry> entries;     // members of an archive
  std::vector<std::string> names;    // of its arrays, in their order
  std::vector<std::string> numbers;  // of those that are attention, or q
  std::string axes;                  // "layer3 head4 query5 key5", without extents of 1
  std::size_t layers = 1;
  bool is_stack = false;
  std::vector<KnownMask> masks;
  std::string summary;  // for messages
};

// `seed` determines everything.
RandomFile random_file(std::uint32_t seed);

// Returns the file with the flags of all masks negated.
RandomFile with_masks_turned(const RandomFile& file);

}  // namespace attn::test
