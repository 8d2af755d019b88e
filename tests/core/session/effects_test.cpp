// Answers of effects that throw.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <new>
#include <stdexcept>

#include "base/files.h"
#include "engine/compute.h"
#include "session/command.h"
#include "support/process.h"
#include "support/sanitizers.h"
#include "tests/core/session/session_driver.h"

namespace attn {
namespace {

template <class Exception>
Error error_from(const Effect& effect, const Exception& exception) {
  return error_of(effect, std::make_exception_ptr(exception));
}

TEST(Effects, MemoryThatIsNotToBeHadIsSaidWithTheTaskTheFileAndARemedy) {
  const Error load = error_from(effect::Load{"/tmp/big.json"}, std::bad_alloc());
  EXPECT_EQ(load.kind, ErrorKind::OverMemoryLimit);
  EXPECT_EQ(load.message, "there is not enough memory to open this document");
  EXPECT_EQ(load.file, "/tmp/big.json");
  EXPECT_EQ(load.hint, "use a smaller document");
  EXPECT_EQ(error_from(effect::Reload{"/tmp/big.json", 1}, std::bad_alloc()).file, "/tmp/big.json");
  const Error compute =
      error_from(effect::Compute{test::two_heads(), 1}, std::length_error("vector"));
  EXPECT_EQ(compute.kind, ErrorKind::OverMemoryLimit);
  EXPECT_EQ(compute.hint, "use fewer tokens, heads or samples");
}

TEST(Effects, AnyOtherExceptionIsAnInternalErrorWithItsWords) {
  const effect::Store store{"/tmp/x.attn.json", nullptr, 1};
  const Error error = error_from(store, std::runtime_error("the moon is full"));
  EXPECT_EQ(error.kind, ErrorKind::Internal);
  EXPECT_EQ(error.file, "/tmp/x.attn.json");
  EXPECT_EQ(error.found, "the moon is full");
  EXPECT_FALSE(error.hint.empty());
  EXPECT_EQ(error_from(store, 7).kind, ErrorKind::Internal);
}

unsigned priority(std::uint64_t steps, bool awaited) {
  Need need;
  need.nanoseconds = steps;
  need.awaited = awaited;
  return priority_of(effect::Derive{nullptr, nullptr, std::move(need)});
}

TEST(Effects, LetShorterOnesGoFirstAndWhatPicturesWaitFor) {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  EXPECT_EQ(priority_of(effect::Store{"/tmp/x.attn.json", nullptr, 1}), 0U);
  EXPECT_EQ(priority(kSecond / 3, false), 0U) << "is soon done";
  EXPECT_GT(priority(kSecond, false), 0U);
  EXPECT_GT(priority(20 * kSecond, false), priority(kSecond, false));
  EXPECT_LT(priority(20 * kSecond, true), priority(20 * kSecond, false));
}

TEST(Effects, SayWhenTheyWereStopped) {
  EXPECT_TRUE(was_stopped(command::DerivationDone{{}, stopped()}));
  EXPECT_FALSE(was_stopped(command::DerivationDone{{}, Error{}}));
  EXPECT_FALSE(was_stopped(command::StepEdit{-1}));
}

#ifndef ATTNSCOPE_SANITIZED_ALLOCATOR
std::size_t bytes_in_use() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

// Exits with 0 if opening `path` with little memory reports a failure to open.
void open_with_little_memory(const std::string& path) {
  const rlim_t limit = bytes_in_use() + (rlim_t{8} << 20U);
  const struct rlimit little = {limit, limit};
  ::setrlimit(RLIMIT_AS, &little);
  const std::optional<Command> answer = run_effect(effect::Load{path}, nullptr);
  const auto* opened = answer ? answer->get_if<command::Opened>() : nullptr;
  const bool failed = opened != nullptr && !opened->made;
  if (failed) std::fputs(describe(opened->made.error()).c_str(), stderr);
  ::_exit(failed ? 0 : 1);
}

TEST(Effects, OpeningWithoutEnoughMemoryIsAnErrorNotTheEnd) {
  if (bytes_in_use() == 0) GTEST_SKIP() << "this system has no /proc";
  const test::TemporaryFolder folder;
  const std::string path = folder.file("big.json");
  // Large enough that malloc returns it to the system at once; otherwise it would remain available.
  std::string text(std::size_t{64} << 20U, 'x');
  text.replace(0, 2, "[\"").replace(text.size() - 2, 2, "\"]");
  ASSERT_TRUE(write_file_atomically(path, text, Overwrite::Refuse));
  EXPECT_EXIT(open_with_little_memory(path), testing::ExitedWithCode(0), "not enough memory");
}
#endif

}  // namespace
}  // namespace attn
