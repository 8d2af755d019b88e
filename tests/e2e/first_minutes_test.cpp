// A new user's first five minutes in the real window: open, edit, hide, compare, export; once by
// mouse, and once more without it.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "document/load/open.h"
#include "document/load/read.h"
#include "e2e/desktop.h"
#include "support/read_png.h"
#include "support/shared_data.h"

namespace attn::test {
namespace {

using Json = nlohmann::json;

class FirstMinutes : public Desktop {
 protected:
  Document document_in(const std::string& name) const {
    Result<Reading> report = read_document(read_text(file(name)), name);
    EXPECT_TRUE(report) << (report ? "" : describe(report.error()));
    return report ? report->document : Document{};
  }
  // Both ways have the same outcome.
  void expect_done(const std::string& example) {
    ASSERT_TRUE(std::filesystem::exists(file("mine.attn.json")));
    const Document saved = document_in("mine.attn.json");
    EXPECT_TRUE(saved.mask.causal);
    EXPECT_FALSE(saved.model == open_document(example)->document.model);
    ASSERT_TRUE(saved.panes.has_value());
    const ReadPng picture = read_png(read_text(file("figure.png")));
    EXPECT_GT(picture.width, 1000U);
    const Json state = Json::parse(read_text(file("state.txt")));
    EXPECT_FALSE(state.at("unsaved").get<bool>());
    for (const Json& notice : state.at("notices")) EXPECT_NE(notice.at("level"), "error") << notice;
  }
};

TEST_F(FirstMinutes, ByMouse) {
  const std::string script =
      "wait\nclick menu/File\nwait\nclick menu/File/open\nwait\n"
      "wheel files/example/lesson-what-attention-computes -3\nwait\n"
      "click files/example/random-batch\nwait\n"
      // A cell is dragged, later keys are hidden, two heads are compared.
      "drag inputs/grid/cell/0,0 60 0\nwait\n"
      "click masks/causal\nwait\n"
      "click plot/tab\nwait\nclick plot/tab/Heads\nwait\n"
      "shift-click plot/heads/head/1\nwait\n"
      "click menu/File\nwait\nclick menu/File/export\nwait\n"
      "click export/format/svg\nwait\nclick export/format/png\nwait\n"
      "click export/path\nkey Ctrl+A\ntype " +
      file("figure.png") +
      "\nclick export/accept\nwait\n"
      "click menu/File\nwait\nclick menu/File/save_as\nwait\nkey Ctrl+A\ntype " +
      file("mine.attn.json") + "\nclick files/accept\nwait\nstate " + file("state.txt") +
      "\nquit\n";
  replay("example:i-love-cats", script);
  ASSERT_NO_FATAL_FAILURE(expect_done("example:random-batch"));
  EXPECT_EQ(panes_of(document_in("mine.attn.json").panes->layout).size(), 3U)
      << "all heads in place of the map and below it, and the difference";
}

TEST_F(FirstMinutes, ByKeyboardAlone) {
  const auto palette = [](const std::string& words) {
    return "key Ctrl+Shift+P\nwait\ntype " + words + "\nwait\nkey Enter\nwait\n";
  };
  const std::string script =
      "wait\n" + palette("Four heads, four habits") +
      "key Ctrl+G\nwait\ntype 3, 2\nkey Enter\nwait\nkey Down\nkey Right\nwait\n" +
      palette("Keep as reference") + palette("Fill at random") + "type c\nwait\n" +
      palette("Split right") + palette("Difference") + "key Ctrl+E\nwait\nkey Ctrl+A\ntype " +
      file("figure.png") +
      "\nkey Enter\nwait\n"
      "key Ctrl+Shift+S\nwait\nkey Ctrl+A\ntype " +
      file("mine.attn.json") + "\nkey Enter\nwait\nstate " + file("state.txt") + "\nquit\n";
  replay("example:i-love-cats", script);
  expect_done("example:four-heads");
}

}  // namespace
}  // namespace attn::test
