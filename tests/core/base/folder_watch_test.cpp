// Files that other programs finish writing are noticed, each when it is complete.
#include "base/folder_watch.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <vector>

#include "support/process.h"

namespace attn {
namespace {

class FolderWatchTest : public testing::Test {
 protected:
  FolderWatch::OnFile keeping() {
    return [this](const std::string& path) {
      const std::lock_guard lock(mutex_);
      seen_.push_back(path);
      news_.notify_all();
    };
  }

  // The next `count` paths, once they have arrived.
  std::vector<std::string> seen(std::size_t count) {
    std::unique_lock lock(mutex_);
    news_.wait(lock, [&] { return seen_.size() >= count; });
    return seen_;
  }

  test::TemporaryFolder folder_;
  std::mutex mutex_;
  std::condition_variable news_;
  std::vector<std::string> seen_;
};

TEST_F(FolderWatchTest, TellsOfFilesThatWereWrittenOrMovedThere) {
  const auto watch = FolderWatch::start(folder_.path(), keeping());
  ASSERT_NE(watch, nullptr);
  std::ofstream(folder_.file("a.json")) << "one";
  EXPECT_EQ(seen(1), std::vector<std::string>{folder_.file("a.json")});
  std::filesystem::rename(folder_.file("a.json"), folder_.file("b.json"));
  EXPECT_EQ(seen(2).back(), folder_.file("b.json"));
  std::ofstream(folder_.file("b.json"), std::ios::app) << "two";
  EXPECT_EQ(seen(3).back(), folder_.file("b.json"));
}

TEST_F(FolderWatchTest, EndsWithItsFolderAndStartsInNoneThatIsNot) {
  EXPECT_EQ(FolderWatch::start(folder_.file("none"), keeping()), nullptr);
  const std::string inner = folder_.file("inner");
  std::filesystem::create_directory(inner);
  const auto watch = FolderWatch::start(inner, keeping());
  ASSERT_NE(watch, nullptr);
  std::filesystem::remove(inner);
}

}  // namespace
}  // namespace attn
