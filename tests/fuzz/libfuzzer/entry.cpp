// Entry of libFuzzer, for the one target that it was built for.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "../fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    attn::fuzz::ATTNSCOPE_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  } catch (const attn::fuzz::BrokenPromise& broken) {
    std::fprintf(stderr, "%s\n", broken.what());
    std::abort();
  }
  return 0;
}
