// The count of opened files, by which the tests of sessions see that no command opens one.
#include "support/opened_files.h"

#include <gtest/gtest.h>

#include "base/descriptor.h"
#include "base/files.h"
#include "base/mapped_file.h"
#include "support/process.h"

namespace attn {
namespace {

TEST(OpenedFiles, AreCountedHoweverTheProgramOpensThem) {
  const test::TemporaryFolder folder;
  unsigned count = test::opened_files();
  ASSERT_TRUE(open_to_read("/dev/null").ok());
  EXPECT_EQ(test::opened_files(), ++count);
  ASSERT_TRUE(write_file_atomically(folder.file("a"), "text", Overwrite::Refuse).ok());
  EXPECT_GT(test::opened_files(), count);
  count = test::opened_files();
  EXPECT_TRUE(MappedFile::open(folder.file("a")).ok());
  EXPECT_GT(test::opened_files(), count);
}

}  // namespace
}  // namespace attn
