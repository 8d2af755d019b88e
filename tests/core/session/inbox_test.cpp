// Requests to open a document are taken once, and only whole ones.
#include "session/inbox.h"

#include <gtest/gtest.h>

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
  EXPECT_EQ(take_request(file), "/tmp/a b.npz");
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_EQ(take_request(file), std::nullopt);
}

TEST_F(InboxTest, WhatIsNoRequestOpensNothing) {
  for (const char* text : {"", "{", "[]", R"({"open": 3})", R"({"open": "a.npz"})",
                           R"({"close": "/a"})", R"({"open": "example:rope"})"}) {
    const std::string file = write("2.json", text);
    EXPECT_EQ(take_request(file), std::nullopt) << text;
    EXPECT_FALSE(std::filesystem::exists(file)) << text;
  }
  const std::string part = write(".3.json", R"({"open": "/a"})");
  EXPECT_EQ(take_request(part), std::nullopt);
  EXPECT_TRUE(std::filesystem::exists(part)) << "somebody still writes it";
}

}  // namespace
}  // namespace attn
