// Documents for tests: small ones by hand, and random ones of every form.
#pragma once

#include <cstdint>
#include <string>

#include "base/random.h"
#include "document/document.h"
#include "document/load/read.h"

namespace attn::test {

// Reads `json`; fails the test, and gives an empty report, when it is refused.
Reading read_ok(const std::string& json);

// The first error for `json`; fails the test when it is accepted.
Error read_error(const std::string& json);

// A number in [low, high].
std::size_t between(Random& random, std::size_t low, std::size_t high);

// A consistent document of any form, with any of the keys that documents are written with, any
// masks and awkward numbers (−0, denormals, NaN, ±Inf).
Document random_document(std::uint64_t seed);

// The document with some of its tensors as if they were read from files, which are not there.
Document with_files(Document document, Random& random);

}  // namespace attn::test
