// References of differences: stored, opened, dropped, with their notes.
#include <gtest/gtest.h>

#include "base/files.h"
#include "document/load/open.h"
#include "plot/all_plots.h"
#include "support/process.h"
#include "tests/core/session/session_driver.h"

namespace attn {
namespace {

using test::SessionDriver;
using test::set_cell;
using test::two_heads;

SessionDriver kept() {
  SessionDriver session;
  session.open(two_heads());
  session.send(command::KeepReference{});
  return session;
}

TEST(Reference, KeepsTheNumbersAsTheyAreWhateverIsEditedThen) {
  SessionDriver session = kept();
  const ReferencePtr reference = session.state.reference;
  ASSERT_NE(reference, nullptr);
  EXPECT_EQ(reference->label, "“two_heads.attn.json” as it was kept");
  EXPECT_EQ(reference->remark, "");
  EXPECT_EQ(*reference->document, two_heads());
  session.send(set_cell(0, 0, 5.0F));
  session.settle();
  EXPECT_EQ(session.state.reference->result, reference->result);
  EXPECT_EQ(session.state.reference->key, reference->key);
  EXPECT_EQ(session.state.reference->remark, "the document was edited since");
  EXPECT_EQ(plot_options(session.state).reference, session.state.reference);
  session.send(command::StepEdit{-1});
  EXPECT_EQ(session.state.reference->remark, "");
}

TEST(Reference, SaysThatItsDocumentWasMoved) {
  SessionDriver session = kept();
  const test::TemporaryFolder folder;
  session.send(command::SaveAs{folder.file("elsewhere.attn.json")});
  session.settle();
  EXPECT_EQ(session.state.reference->remark, "the document was saved under another name since");
}

TEST(Reference, IsAnotherOpenDocumentAndSaysThatItWasClosed) {
  SessionDriver session;
  session.open(two_heads());
  const std::uint64_t first = session.state.id;
  session.open(two_heads(), "/tmp/second.attn.json");
  ASSERT_NE(session.state.id, first);
  session.send(command::KeepReference{first});
  session.settle();
  ASSERT_NE(session.state.reference, nullptr);
  EXPECT_EQ(session.state.reference->label, "two_heads.attn.json");
  EXPECT_EQ(session.state.reference->remark, "");
  session.send(command::CloseTab{first});
  session.settle();
  EXPECT_EQ(session.state.path, "/tmp/second.attn.json");
  ASSERT_NE(session.state.reference, nullptr);
  EXPECT_EQ(session.state.reference->remark, "the document was closed since");
}

TEST(Reference, IsAnotherDocumentOnceItIsReadAndComputed) {
  SessionDriver session;
  session.open(two_heads());
  session.send(command::CompareWith{"example:four-heads"});
  EXPECT_EQ(session.state.reference, nullptr);
  session.settle();
  ASSERT_NE(session.state.reference, nullptr);
  EXPECT_EQ(session.state.reference->label, "example:four-heads");
  EXPECT_EQ(session.state.reference->result->shape().heads, 4U);
  session.send(command::ForgetReference{});
  EXPECT_EQ(session.state.reference, nullptr);
}

TEST(Reference, ThatCannotBeReadIsSaidAndTheOldOneStays) {
  SessionDriver session = kept();
  const ReferencePtr before = session.state.reference;
  session.send(command::CompareWith{"/nonexistent/b.json"});
  session.settle();
  EXPECT_EQ(session.state.notices.back().level, Notice::Level::Error);
  EXPECT_NE(session.last_notice().find("/nonexistent/b.json"), std::string::npos);
  EXPECT_EQ(session.state.reference->result, before->result);
}

TEST(Reference, ALaterOneWinsOverOneThatIsStillBeingRead) {
  SessionDriver session;
  session.open(two_heads());
  session.send(command::CompareWith{"example:four-heads"});
  const Effect first = session.effects.front();
  session.send(command::KeepReference{});
  session.send(*run_effect(first, nullptr));
  EXPECT_EQ(session.state.reference->label, "“two_heads.attn.json” as it was kept");
}

Result<Figure> shown_difference(const SessionDriver& session) {
  const PlotInput input{*session.state.result_document, *session.state.result,
                        &session.state.derivations};
  return draw_plot(*plot_named("difference"), input, plot_options(session.state), pango_metrics());
}

TEST(Reference, ThatADocumentNamesIsNeverReplacedInSilence) {
  SessionDriver session;
  Document document = two_heads();
  document.reference = "/nonexistent/gone.json";
  session.open(document);
  session.send(command::SelectPlot{"difference"});
  session.settle();
  const Result<Figure> refused = shown_difference(session);
  ASSERT_FALSE(refused.ok()) << "two heads could be compared instead";
  EXPECT_EQ(refused.error().kind, ErrorKind::Usage);
  EXPECT_NE(refused.error().message.find("gone.json"), std::string::npos);
  EXPECT_EQ(refused.error().file, "/nonexistent/gone.json");
  EXPECT_FALSE(refused.error().hint.empty());
  session.send(command::SetOption{"minus", "document"});
  session.settle();
  EXPECT_TRUE(shown_difference(session).ok()) << "requested by a person";
  session.send(command::SetOption{"minus", "auto"});
  session.send(command::ForgetReference{});
  session.settle();
  EXPECT_TRUE(shown_difference(session).ok()) << "is named no more";
}

TEST(Reference, IsWaitedFor) {
  SessionDriver session;
  session.open(two_heads());
  session.send(command::SelectPlot{"difference"});
  session.settle();
  session.send(command::CompareWith{"example:four-heads"});
  const Result<Figure> waiting = shown_difference(session);
  ASSERT_FALSE(waiting.ok());
  EXPECT_NE(waiting.error().message.find("still being opened"), std::string::npos);
}

TEST(Reference, OfAFileSaysWhatBecameOfTheFile) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("b.attn.json");
  const auto put = [&](const std::string& text) {
    ASSERT_TRUE(write_file_atomically(path, text, Overwrite::Replace).ok());
  };
  put(R"({"tokens": ["a", "b", "c"], "heads": 2, "seed": 1})");
  SessionDriver session;
  session.open(two_heads());
  session.send(command::CompareWith{path});
  session.settle();
  ASSERT_NE(session.state.reference, nullptr);
  const auto checked_remark = [&] {
    session.send(command::CheckFiles{});
    session.settle();
    return session.state.reference->remark;
  };
  EXPECT_EQ(checked_remark(), "");
  put(R"({"tokens": ["a", "b", "c"], "heads": 2, "seed": 2})");
  EXPECT_EQ(checked_remark(), "its file has changed on disk since it was read");
  ASSERT_EQ(std::remove(path.c_str()), 0);
  EXPECT_EQ(checked_remark(), "its file no longer exists");
  put(R"({"tokens": ["a", "b", "c"], "heads": 2, "seed": 1})");
  EXPECT_EQ(checked_remark(), "") << "the same bytes again";
}

TEST(Reference, AFileThatChangedIsSaidInAnExportedPicture) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("b.attn.json"), picture = folder.file("d.svg");
  const auto put = [&](const char* seed) {
    const std::string text = R"({"tokens": ["a", "b", "c"], "heads": 2, "seed": )";
    ASSERT_TRUE(write_file_atomically(path, text + seed + "}", Overwrite::Replace).ok());
  };
  put("1");
  SessionDriver session;
  session.open(two_heads());
  session.send(command::SelectPlot{"difference"});
  session.send(command::CompareWith{path});
  session.settle();
  put("2");
  session.send(command::Export{picture});
  session.settle();
  const Result<std::string> drawn = read_file(picture, 1U << 24U);
  ASSERT_TRUE(drawn.ok());
  EXPECT_NE(drawn->find("its file has changed on disk"), std::string::npos);
}

TEST(Reference, ThatFailsLeavesTheOldOneWithItsOwnRemark) {
  SessionDriver session = kept();
  session.send(command::CompareWith{"/nonexistent/b.json"});
  session.settle();
  session.send(set_cell(0, 0, 5.0F));
  session.settle();
  EXPECT_EQ(session.state.reference->remark, "the document was edited since");
}

TEST(Reference, TheDifferencePlotShowsWhatAnEditChanged) {
  SessionDriver session = kept();
  session.send(command::SelectPlot{"difference"});
  session.settle();
  session.send(set_cell(0, 0, 5.0F));
  session.settle();
  const Result<Figure> figure = shown_difference(session);
  ASSERT_TRUE(figure.ok()) << describe(figure.error());
  const MatrixItem* map = find_matrix(*figure);
  ASSERT_NE(map, nullptr);
  const HeadAddress head = plot_options(session.state).at;
  for (std::size_t col = 0; col < 3; ++col) {
    EXPECT_EQ(map->cells->values[col],
              session.state.result->value(Stage::Weights, head, 0, col) -
                  session.state.reference->result->value(Stage::Weights, head, 0, col));
  }
}

}  // namespace
}  // namespace attn
