// Messages of the window on how files of arrays and tables were read.
#include <gtest/gtest.h>

#include "base/files.h"
#include "document/load/array_reading.h"
#include "support/process.h"
#include "tests/core/document/npy_bytes.h"
#include "tests/core/session/session_driver.h"

namespace attn {
namespace {

using test::SessionDriver;

// Flags are for the command line; the window has a dialog.
TEST(ForeignFiles, TheWindowSaysHowAnArrayWasReadWithoutFlags) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("heads.npy");
  const std::string bytes =
      test::float_npy("(2, 2, 2)", {0.5, 0.5, 0.5, 0.5, 0.1F, 0.9F, 0.25, 0.75});
  ASSERT_TRUE(write_file_atomically(path, bytes, Overwrite::Refuse));
  SessionDriver session;
  session.send(command::Open{path});
  session.settle();
  EXPECT_NE(session.last_notice().find("; as well 2 samples"), std::string::npos);
  EXPECT_EQ(session.last_notice().find("--arrays"), std::string::npos);
  ASSERT_FALSE(session.state.reading_notes.empty());
  EXPECT_EQ(session.state.reading_notes.front().find("--arrays"), std::string::npos);
  EXPECT_NE(session.state.arrays->sentence().find("--arrays"), std::string::npos);
}

TEST(ForeignFiles, ATableIsReadTheOtherWayAndBack) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("w.csv");
  ASSERT_TRUE(write_file_atomically(path, "0.5,0.5\n0.25,0.75\n", Overwrite::Replace));
  SessionDriver session;
  session.send(command::Open{path});
  session.settle();
  const Document weights = session.state.document;
  EXPECT_EQ(session.state.notices.back().offer, Notice::Offer::Text);
  EXPECT_EQ(session.state.reading_notes.front().find("--arrays"), std::string::npos);
  session.send(command::AskArrays{});
  session.settle();
  EXPECT_NE(session.last_notice().find("as embeddings X of 2 tokens"), std::string::npos);
  EXPECT_NE(session.state.document, weights);
  session.send(command::AskArrays{});
  session.settle();
  EXPECT_EQ(session.state.document.model, weights.model);
  session.send(command::StepEdit{-1});
  EXPECT_NE(session.state.document.model, weights.model) << "each is a step of undo";
}

// A file that opens in its own tab does not answer questions about others.
TEST(ForeignFiles, AnErrorStaysWhileOtherFilesOpen) {
  const test::TemporaryFolder folder;
  for (const auto& [name, text] : {std::pair{"a.json", "{"}, {"b.csv", "0.5,0.5\n0.25,0.75\n"}}) {
    ASSERT_TRUE(write_file_atomically(folder.file(name), text, Overwrite::Replace));
  }
  SessionDriver session;
  session.send(command::Open{folder.file("a.json")});
  session.settle();
  session.send(command::Open{folder.file("b.csv"), true});
  session.settle();
  EXPECT_EQ(open_documents(session.state).size(), 2U);
  const auto is_of_a = [](const Notice& notice) {
    return notice.level == Notice::Level::Error && notice.text.find("a.json") != notice.text.npos;
  };
  EXPECT_TRUE(std::ranges::any_of(session.state.notices, is_of_a));
}

}  // namespace
}  // namespace attn
