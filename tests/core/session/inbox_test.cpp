// Requests to open a document are taken once, and only whole ones.
#include "session/inbox.h"

#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>

#include "base/files.h"
#include "support/process.h"

namespace attn {
namespace {

class InboxTest : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = folder_.file(name);
    EXPECT_TRUE(write_file_atomically(path, text, Overwrite::Replace).ok());
    return path;
  }

  test::TemporaryFolder folder_;
};

TEST_F(InboxTest, ARequestIsTakenOnce) {
  const std::string file = write("1.json", R"({"open": "/tmp/a b.npz"})");
  const auto request = take_request(file);
  ASSERT_TRUE(request.has_value());
  EXPECT_EQ(request->path, "/tmp/a b.npz");
  EXPECT_EQ(request->input.text, std::nullopt);
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_FALSE(take_request(file).has_value());
}

TEST_F(InboxTest, ARequestMayHaveATextForAModel) {
  const auto request = take_request(write("1.json", R"({"open": "/tmp/gpt2", "text": "a cat"})"));
  ASSERT_TRUE(request.has_value());
  EXPECT_EQ(request->path, "/tmp/gpt2");
  EXPECT_EQ(request->input.text, "a cat");
  const auto built_in = take_request(write("3.json", R"({"open": "attnscope:stories-decoder"})"));
  ASSERT_TRUE(built_in.has_value());
  EXPECT_EQ(built_in->path, "attnscope:stories-decoder");
  for (const char* text : {"3", "[]", "null", "\"\""}) {
    const auto plain =
        take_request(write("2.json", R"({"open": "/a", "text": )" + std::string(text) + "}"));
    ASSERT_TRUE(plain.has_value()) << text;
    EXPECT_EQ(plain->input.text, std::nullopt) << text;
  }
}

TEST_F(InboxTest, WhatIsNoRequestOpensNothing) {
  for (const char* text : {"", "{", "[]", R"({"open": 3})", R"({"open": "a.npz"})",
                           R"({"close": "/a"})", R"({"open": "other:rope"})"}) {
    const std::string file = write("2.json", text);
    EXPECT_FALSE(take_request(file).has_value()) << text;
    EXPECT_FALSE(std::filesystem::exists(file)) << text;
  }
  const std::string part = write(".3.json", R"({"open": "/a"})");
  EXPECT_FALSE(take_request(part).has_value());
  EXPECT_TRUE(std::filesystem::exists(part)) << "somebody still writes it";
}

TEST_F(InboxTest, OthersSeeThatSomebodyTakesRequests) {
  const std::string folder = folder_.file("");
  const Descriptor other(::open(folder.c_str(), O_RDONLY));
  {
    const Descriptor first = lock_shared(folder), second = lock_shared(folder);
    EXPECT_NE(::flock(other.get(), LOCK_EX | LOCK_NB), 0);
  }
  EXPECT_EQ(::flock(other.get(), LOCK_EX | LOCK_NB), 0);
}

TEST_F(InboxTest, WhatHasNoEndIsNotOpened) {
  for (const char* device : {"/dev/zero", "/dev/null", "/dev/full"}) {
    const std::string file = write("4.json", "{\"open\": \"" + std::string(device) + "\"}");
    EXPECT_FALSE(take_request(file).has_value()) << device;
    EXPECT_FALSE(std::filesystem::exists(file)) << "it is taken";
  }
  std::filesystem::create_symlink("/dev/zero", folder_.file("link"));
  const std::string link = write("5.json", "{\"open\": \"" + folder_.file("link") + "\"}");
  EXPECT_FALSE(take_request(link).has_value());
  EXPECT_TRUE(take_request(write("6.json", R"({"open": "/not/there.json"})")).has_value());
}

TEST_F(InboxTest, RequestsOfOthersAreLeft) {
  const std::string file = write("7.json", R"({"open": "/tmp/a.npz"})");
  if (::chown(file.c_str(), 12345, static_cast<gid_t>(-1)) != 0)
    GTEST_SKIP() << "may not give files away";
  EXPECT_FALSE(take_request(file).has_value());
  EXPECT_TRUE(std::filesystem::exists(file));
}

}  // namespace
}  // namespace attn
