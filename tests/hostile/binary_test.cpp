// Protection of the built program against misuse of memory.
#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "support/paths.h"
#include "support/sanitizers.h"
#include "support/shared_data.h"

namespace attn::test {
namespace {

#ifdef ATTNSCOPE_SANITIZED_ALLOCATOR
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif

class Binary {
 public:
  Binary() : bytes_(read_text(program_path())) {
    std::memcpy(&header_, bytes_.data(), sizeof header_);
  }

  const Elf64_Ehdr& header() const { return header_; }

  // The first segment of a type; null without one.
  const Elf64_Phdr* segment(std::uint32_t type) {
    for (std::size_t i = 0; i < header_.e_phnum; ++i) {
      std::memcpy(&found_, &bytes_[header_.e_phoff + i * sizeof found_], sizeof found_);
      if (found_.p_type == type) return &found_;
    }
    return nullptr;
  }

  std::uint64_t dynamic_value(std::int64_t tag) {
    const Elf64_Phdr* dynamic = segment(PT_DYNAMIC);
    if (dynamic == nullptr) return 0;
    Elf64_Dyn entry{};
    for (std::uint64_t at = 0; at < dynamic->p_filesz; at += sizeof entry) {
      std::memcpy(&entry, &bytes_[dynamic->p_offset + at], sizeof entry);
      if (entry.d_tag == tag) return entry.d_un.d_val;
    }
    return 0;
  }

  bool names(const std::string& symbol) const {
    return bytes_.find('\0' + symbol + '\0') != std::string::npos;
  }

 private:
  std::string bytes_;
  Elf64_Ehdr header_{};
  Elf64_Phdr found_{};
};

TEST(Binary, IsHardened) {
  if (kIsSanitized) GTEST_SKIP() << "sanitizers check more";
  Binary binary;
  ASSERT_EQ(std::memcmp(binary.header().e_ident, ELFMAG, SELFMAG), 0);
  if (binary.header().e_ident[EI_CLASS] != ELFCLASS64) GTEST_SKIP() << "not of 64 bits";
  EXPECT_EQ(binary.header().e_type, ET_DYN) << "position independent";
  EXPECT_NE(binary.dynamic_value(DT_FLAGS_1) & DF_1_PIE, 0U);
  EXPECT_NE(binary.segment(PT_GNU_RELRO), nullptr);
  EXPECT_NE(binary.dynamic_value(DT_FLAGS_1) & DF_1_NOW, 0U) << "all of it is bound at the start";
  const Elf64_Phdr* stack = binary.segment(PT_GNU_STACK);
  ASSERT_NE(stack, nullptr);
  EXPECT_EQ(stack->p_flags & PF_X, 0U) << "no code on the stack";
  EXPECT_TRUE(binary.names("__stack_chk_fail"));
}

}  // namespace
}  // namespace attn::test
