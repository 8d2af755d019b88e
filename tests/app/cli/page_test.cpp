// attnscope export to HTML, and the page in a browser.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/files.h"
#include "base/json.h"
#include "export/provenance.h"
#include "support/browser.h"
#include "support/paths.h"
#include "support/process.h"
#include "support/read_page.h"
#include "support/read_png.h"
#include "support/shared_data.h"

namespace attn {
namespace {

using test::ProcessResult;
using test::run_attnscope;
using test::TemporaryFolder;

std::string lesson_path(const std::string& name) {
  return test::source_folder() + "/assets/lessons/lesson-" + name + ".attn.json";
}

ProcessResult exported(std::vector<std::string> words, const std::string& path) {
  words.insert(words.begin(), "export");
  words.insert(words.end(), {"-o", path});
  return run_attnscope(words);
}

TEST(Page, IsOfTheLessonUnlessPlotsAreNamed) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.html"), lesson = lesson_path("many-heads");
  ASSERT_EQ(exported({lesson}, path).exit_code, 0);
  const std::string page = test::read_text(path);
  EXPECT_EQ(test::data_of_page(page)["steps"].size(), 9U);
  EXPECT_EQ(provenance_in(page)->call, "attnscope export lesson-many-heads.attn.json");
  ASSERT_EQ(exported({lesson, "--plot", "heatmap,heads,links,measures", "-f"}, path).exit_code, 0);
  const Json plots = test::data_of_page(test::read_text(path));
  EXPECT_EQ(plots["steps"].size(), 0U);
  std::vector<std::string> tabs;
  for (const Json& tab : plots["tabs"]) tabs.push_back(tab["label"]);
  EXPECT_EQ(tabs, (std::vector<std::string>{"Heatmap", "Heads", "Links", "Measures"}));
  const ProcessResult info = run_attnscope({"info", path});
  EXPECT_NE(info.out.find("--plot heatmap,heads,links,measures"), info.out.npos) << info.out;
}

TEST(Page, OfAFaultyLessonIsWrittenWithAWarning) {
  const TemporaryFolder folder;
  const std::string lesson = folder.file("a.json");
  std::ofstream(lesson) << R"({"tokens": ["a", "b"],
    "lesson": [{"text": "{nothing}", "view": {"plot": "heatmop"}}]})";
  for (const char* name : {"a.html", "a.svg"}) {
    const ProcessResult made = exported({lesson}, folder.file(name));
    EXPECT_EQ(made.exit_code, 0) << made.err;
    EXPECT_NE(made.err.find("a.json:2:25: /lesson/0/text: {nothing}"), made.err.npos) << made.err;
  }
  const ProcessResult judged = run_attnscope({"validate", lesson});
  EXPECT_NE(judged.out.find("a.json:2:46: /lesson/0/view"), judged.out.npos) << judged.out;
}

std::size_t count_views(const std::string& path) {
  std::size_t count = 0;
  const Json data = test::data_of_page(test::read_text(path));
  for (const Json& tab : data["tabs"]) count += tab["views"].size();
  return count;
}

TEST(Page, HasAllHeadsOrThoseThatAreNamed) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.html"), document = "example:four-heads";
  ASSERT_EQ(exported({document}, path).exit_code, 0);
  EXPECT_EQ(count_views(path), 4U);
  ASSERT_EQ(exported({document, "--head", "1-2", "-f"}, path).exit_code, 0);
  EXPECT_EQ(count_views(path), 2U);
  ASSERT_EQ(
      exported({document, "--head", "0-1", "--plot", "heatmap,heads,links", "-f"}, path).exit_code,
      0);
  EXPECT_EQ(count_views(path), 4U) << "two heads, and a picture each of both";
  ASSERT_EQ(exported({document, "--stage", "scores", "--theme", "dark", "-f"}, path).exit_code, 0);
  EXPECT_NE(test::read_text(path).find("@media all"), std::string::npos);
}

TEST(Page, RefusesWhatItHasNotAndSaysSo) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.html"), lesson = lesson_path("many-heads");
  const std::pair<std::vector<std::string>, const char*> calls[] = {
      {{lesson, "--head", "2"}, "the views of its steps, not --head"},
      {{lesson, "--dpi", "200"}, "--dpi is for pictures"},
      {{lesson, "--transparent"}, "--transparent is for pictures"},
      {{"example:four-heads", "--plot", "heatmap", "--head", "9"}, "there is no head 9"},
      {{"example:four-heads", "--plot", "measures", "--head", "1"}, "has no option --head"}};
  for (const auto& [words, said] : calls) {
    const ProcessResult result = exported(words, path);
    EXPECT_EQ(result.exit_code, 2) << said;
    EXPECT_NE(result.err.find(said), result.err.npos) << result.err;
    EXPECT_FALSE(std::filesystem::exists(path)) << said;
  }
}

TEST(Page, OfSeveralDocumentsHasAPageEach) {
  const TemporaryFolder folder;
  const ProcessResult result =
      exported({"example:four-heads", "example:i-love-cats"}, folder.file("{name}.html"));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(std::filesystem::exists(folder.file("four-heads.html")));
  EXPECT_TRUE(std::filesystem::exists(folder.file("i-love-cats.html")));
  EXPECT_EQ(
      exported({"example:four-heads", "example:i-love-cats"}, folder.file("one.html")).exit_code,
      2);
}

// --- In a browser

constexpr const char* kUse = R"(
  const log = [], say = (text) => log.push(text), shown = (name) => document.querySelector('.shown ' + name);
  const wait = () => new Promise((done) => setTimeout(done, 50));
  (async () => {
    while (!document.querySelector('footer')) await wait();
    const [back, next] = document.querySelectorAll('footer button'), place = document.querySelector('.place');
    say(place.textContent);
    next.click(); await wait(); say(place.textContent);
    back.click(); await wait(); say(place.textContent);
    dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'})); await wait(); say(place.textContent);
    location.hash = 'step=4'; await wait(); say(place.textContent);
    const image = shown('image'), box = image.getBoundingClientRect();
    const at = (type, col, row) => image.dispatchEvent(new PointerEvent(type, {bubbles: true,
      clientX: box.left + (col + 0.5) * box.width / 10, clientY: box.top + (row + 0.5) * box.height / 10}));
    at('pointermove', 5, 7); say(shown('.reading').textContent);
    scrollTo(0, 0);
    const hit = document.elementFromPoint(box.left + 5.5 * box.width / 10, box.top + 7.5 * box.height / 10);
    say(hit === image ? 'the image' : hit.outerHTML);
    at('click', 5, 7); say(shown('.verdict').textContent);
    image.focus();
    image.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowUp', bubbles: true, cancelable: true}));
    say(shown('.reading').textContent);
    const slider = document.querySelectorAll('.shown .bar input')[1];
    slider.value = 60; slider.dispatchEvent(new Event('input')); say(shown('.bar output').textContent);
    shown('.reveal').click(); await wait();
    say(shown('.verdict').textContent); say(shown('.after').textContent);
    document.body.append(Object.assign(document.createElement('pre'), {id: 'log', textContent: JSON.stringify(log)}));
  })();)";

TEST(PageInABrowser, IsWalkedThroughAndAnswered) {
  if (test::browser().empty()) GTEST_SKIP() << "no Chromium is installed";
  const TemporaryFolder folder;
  const std::string path = folder.file("a.html");
  ASSERT_EQ(exported({lesson_path("many-heads")}, path).exit_code, 0);
  test::put_with_script(test::read_text(path), kUse, path);
  EXPECT_EQ(test::logged(folder, "file://" + path),
            Json({"1 of 9", "2 of 9", "1 of 9", "2 of 9", "4 of 9",
                  "query 8 “it”, key 6 “mat”: concealed", "the image", "You chose “mat”.",
                  "query 7 “because”, key 6 “mat”: 0.1", "4.4 %",
                  "You chose “mat”; the largest is “cat”. Your guess was 0.29 nats off (KL).",
                  "cat, with 87&nbsp;%. mat is a noun as well, but not alive: 9&nbsp;%."}));
}

constexpr const char* kAnswer = R"(
  const log = [], shown = (name) => document.querySelector('.shown ' + name);
  const wait = () => new Promise((done) => setTimeout(done, 50));
  (async () => {
    while (!document.querySelector('footer')) await wait();
    location.hash = 'step=4'; await wait();
    shown('.number').value = -0.5;
    location.hash = 'step=9'; await wait(); log.push(shown('blockquote').textContent);
    location.hash = 'step=4'; await wait(); log.push(shown('.number').value);
    shown('.reveal').click(); await wait(); log.push(shown('.verdict').textContent);
    document.body.append(Object.assign(document.createElement('pre'), {id: 'log', textContent: JSON.stringify(log)}));
  })();)";

TEST(PageInABrowser, TakesANumberAndSaysHowFarOffItIs) {
  if (test::browser().empty()) GTEST_SKIP() << "no Chromium is installed";
  const TemporaryFolder folder;
  const std::string path = folder.file("a.html");
  ASSERT_EQ(exported({lesson_path("a-transformer-block")}, path).exit_code, 0);
  test::put_with_script(test::read_text(path), kAnswer, path);
  EXPECT_EQ(test::logged(folder, "file://" + path),
            Json({"This page shows its numbers and cannot change them: for that, open "
                  "lesson-a-transformer-block.attn.json in AttnScope.",
                  "-0.5", "You said −0.5, it is −0.512: 0.012 off."}));
}

TEST(PageInABrowser, RunsUnderItsPolicy) {
  if (test::browser().empty()) GTEST_SKIP() << "no Chromium is installed";
  const TemporaryFolder folder;
  const std::string path = folder.file("a.html");
  ASSERT_EQ(exported({lesson_path("many-heads")}, path).exit_code, 0);
  const std::string dom = test::browsed(folder, {"--dump-dom", "file://" + path + "#step=3"}).out;
  EXPECT_NE(dom.find(">3 of 9<"), dom.npos);
}

constexpr const char* kMeasure = R"(
  const measure = () => {
    const svg = document.querySelector('svg');
    if (!svg) return setTimeout(measure, 50);
    const box = svg.getBoundingClientRect();
    document.body.append(Object.assign(document.createElement('pre'), {id: 'log',
      textContent: JSON.stringify([box.left, box.top, box.width, box.height])}));
  };
  measure();)";

// Compares colours at places spread over the figure.
TEST(PageInABrowser, ShowsTheColoursOfThePicture) {
  if (test::browser().empty()) GTEST_SKIP() << "no Chromium is installed";
  const TemporaryFolder folder;
  const std::string path = folder.file("a.html"), png = folder.file("a.png");
  const std::vector<std::string> words = {"example:four-heads", "--plot", "heatmap", "--head", "2"};
  ASSERT_EQ(exported(words, path).exit_code, 0);
  ASSERT_EQ(
      exported({words[0], words[1], words[2], words[3], words[4], "--dpi", "96"}, png).exit_code,
      0);
  test::put_with_script(test::read_text(path), kMeasure, path);
  const Json box = test::logged(folder, "file://" + path);
  const std::string shot = folder.file("shot.png");
  test::browsed(folder, {"--screenshot=" + shot, "file://" + path});
  ASSERT_TRUE(box.is_array() && std::filesystem::exists(shot));
  const test::ReadPng picture = test::read_png(test::read_text(png)),
                      seen = test::read_png(test::read_text(shot));
  const auto color = [](const test::ReadPng& of, double x, double y) {
    const auto at = 4 * (static_cast<std::size_t>(y) * of.width + static_cast<std::size_t>(x));
    return &of.rgba[at];
  };
  int same = 0, all = 0;
  for (double x = 0.01; x < 1.0; x += 0.02) {
    for (double y = 0.01; y < 1.0; y += 0.02) {
      const double left = box[0].get<double>() + x * box[2].get<double>(),
                   top = box[1].get<double>() + y * box[3].get<double>();
      if (top >= seen.height) continue;
      const auto *one = color(picture, x * picture.width, y * picture.height),
                 *other = color(seen, left, top);
      int most = 0;
      for (int c = 0; c < 3; ++c) most = std::max(most, std::abs(one[c] - other[c]));
      ++all;
      same += most <= 3 ? 1 : 0;
    }
  }
  EXPECT_GT(all, 1500);
  EXPECT_GT(same, all * 9 / 10) << same << " of " << all << ": letters alone differ";
}

}  // namespace
}  // namespace attn
