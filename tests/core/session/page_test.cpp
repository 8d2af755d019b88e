// Pages of lessons and plots: their content, concealed numbers, and foreign texts, which remain
// texts.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <map>

#include "base/json.h"
#include "base/number_text.h"
#include "document/load/open.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "export/page/page_text.h"
#include "export/provenance.h"
#include "lesson/lesson.h"
#include "plot/kit/names.h"
#include "session/page_file.h"
#include "support/golden.h"
#include "support/paths.h"
#include "support/read_page.h"
#include "support/read_svg.h"
#include "support/sanitizers.h"

namespace attn {
namespace {

using test::data_of_page, test::svg_in_page;

TEST(PageText, HasIndicesAndExponentsOutsideOfCode) {
  EXPECT_EQ(html_of_markdown("W_O and `W_O`, e^(x), my_file"),
            "<p>W<sub>O</sub> and <code>W_O</code>, e<sup>x</sup>, my_file</p>");
}

std::vector<std::string> lesson_files() {
  std::vector<std::string> files;
  const std::string folder = test::source_folder() + "/assets/lessons";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files.push_back(entry.path().string());
  }
  std::ranges::sort(files);
  std::vector<std::string> some;
  for (std::size_t i = 0; i < files.size(); i += test::kEvery) some.push_back(files[i]);
  return some;
}

Document document_in(const std::string& file) { return open_document(file).value().document; }

std::string lesson_html(const Document& document) {
  return lesson_page(document, usual_lesson_paper(), {document.title, ""}).value();
}

// A lesson with the numbers of its steps, as expected of the page.
struct Expected {
  std::string text, after;
  std::vector<double> asked, told;  // cells that are concealed, and others of their matrices
};

std::vector<Expected> expected_steps(const Document& first) {
  std::vector<Expected> steps;
  Panes panes;
  Document document = first;
  for (std::size_t i = 0; i < first.lesson.size(); ++i) {
    const LessonStep& step = first.lesson[i];
    if (step.panes) panes = *step.panes;
    document = with_edit(document, step).value();
    const ResultPtr result = compute(make_problem(document)).value();
    const FormulaScope scope{document, result, focused_view(panes).options.at};
    Expected& expected = steps.emplace_back(
        Expected{filled_text(step.page_text.empty() ? step.text : step.page_text, scope),
                 filled_text(step.after, scope),
                 {},
                 {}});
    for (const NamedCells& cells : cells_of(step.ask, scope)) {
      const StageShape extents = result->stage_shape(cells.stage, cells.at);
      for (std::size_t r = 0; r < extents.rows; ++r) {
        for (std::size_t c = 0; c < extents.cols; ++c) {
          const bool asked =
              r - cells.range.row < cells.range.rows && c - cells.range.col < cells.range.cols;
          (asked ? expected.asked : expected.told)
              .push_back(static_cast<double>(result->value(cells.stage, cells.at, r, c)));
        }
      }
    }
  }
  return steps;
}

// Texts of numbers as figures and sentences have them.
std::vector<std::string> texts_of(double number) {
  return {">" + fixed_text(number, 2) + "<", percent_text(number) + "\u00A0%",
          fixed_text(100.0 * number, 0) + "\u00A0%", fixed_text(number, 5)};
}

bool has_word(const std::string& page, const std::string& word) {
  for (std::size_t at = page.find(word); at != page.npos; at = page.find(word, at + 1)) {
    if (at == 0 ||
        (std::isdigit(static_cast<unsigned char>(page[at - 1])) == 0 && page[at - 1] != '.'))
      return true;
  }
  return false;
}

TEST(LessonPages, TellNothingBeforeItsTime) {
  std::size_t questions = 0, numbers = 0;
  for (const std::string& file : lesson_files()) {
    const Document document = document_in(file);
    const std::string page = lesson_html(document);
    std::vector<std::string> told;  // by other cells
    for (const Expected& expected : expected_steps(document)) {
      for (const double other : expected.told) {
        for (const std::string& text : texts_of(other)) told.push_back(text);
      }
      for (const double number : expected.asked) {
        for (const std::string& text : texts_of(number)) {
          if (std::ranges::find(told, text) != told.end() || text.size() < 4) continue;
          ++numbers;
          EXPECT_FALSE(has_word(page, text)) << file << ": " << text;
        }
      }
      if (expected.after.empty()) continue;
      ++questions;
      EXPECT_EQ(page.find(expected.after), page.npos) << file;
    }
  }
  EXPECT_GT(questions, 10U / test::kEvery);
  EXPECT_GT(numbers, 100U / test::kEvery);
}

TEST(LessonPages, HaveTheTextsOfTheirStepsWithTheirNumbers) {
  for (const std::string& file : lesson_files()) {
    const Document document = document_in(file);
    const std::string page = lesson_html(document);
    const Json data = data_of_page(page);
    const std::vector<Expected> expected = expected_steps(document);
    ASSERT_EQ(data["steps"].size(), expected.size()) << file;
    EXPECT_NE(page.find("<title>" + document.title + "</title>"), page.npos) << file;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const Json step = data["steps"][i];
      EXPECT_EQ(step["text"], html_of_markdown(expected[i].text)) << file << " " << i;
      EXPECT_EQ(step["text"].get<std::string>().find('*'), std::string::npos)
          << file << " " << i << ": marks of emphasis that are not read as such";
      EXPECT_EQ(test::read_svg(svg_in_page(data, step["lines"])).error, "") << file << " " << i;
      EXPECT_EQ(step.contains("question"), !document.lesson[i].ask.empty()) << file << " " << i;
      if (!step.contains("question")) continue;
      const Json& question = step["question"];
      EXPECT_EQ(question["after"], html_of_markdown(expected[i].after)) << file << " " << i;
      EXPECT_EQ(question["truth"].size(), question["columns"].size());
      EXPECT_GT(question["truth"].size(), 0U) << file << " " << i;
      EXPECT_NE(svg_in_page(data, question["revealed"]["lines"]), svg_in_page(data, step["lines"]));
    }
  }
}

// Pages do not name things that only the window has.
TEST(LessonPages, DoNotSpeakOfTheWindow) {
  for (const std::string& file : lesson_files()) {
    const Document document = document_in(file);
    for (const Expected& step : expected_steps(document)) {
      for (const char* words : {"inspector", "右边", "左下方", "⋯", "Paint mask"}) {
        EXPECT_EQ(step.text.find(words), std::string::npos) << file << ": " << step.text;
      }
      const bool is_for_window = step.text.find("**Scoring**") != std::string::npos ||
                                 step.text.find("**Blocks**") != std::string::npos ||
                                 step.text.find("**Positions**") != std::string::npos;
      if (is_for_window) EXPECT_NE(step.text.find("AttnScope"), std::string::npos) << step.text;
    }
  }
}

std::string without(std::string text, std::string_view begin, std::string_view end) {
  for (std::size_t at = text.find(begin); at != text.npos; at = text.find(begin, at)) {
    const std::size_t last = text.find(end, at);
    text.erase(at, last == text.npos ? text.npos : last + end.size() - at);
  }
  return text;
}

// Elements of HTML that stay open, and those that are closed without being open. Expressions of the
// standard library recurse once for each letter.
std::vector<std::string> badly_nested(std::string html) {
  html = without(without(std::move(html), "<script", "</script>"), "<style", "</style>");
  std::vector<std::string> open, bad;
  for (std::size_t at = html.find('<'); at != html.npos; at = html.find('<', at + 1)) {
    const bool closes = html.compare(at, 2, "</") == 0;
    const std::size_t first = at + (closes ? 2 : 1);
    std::size_t end = first;
    while (std::islower(static_cast<unsigned char>(html[end])) != 0 ||
           std::isdigit(static_cast<unsigned char>(html[end])) != 0) {
      ++end;
    }
    const std::string name = html.substr(first, end - first);
    if (name.empty() || name == "meta" || name == "br" || name == "hr") continue;
    if (!closes) {
      open.push_back(name);
    } else if (open.empty() || open.back() != name) {
      bad.push_back("/" + name);
    } else {
      open.pop_back();
    }
  }
  bad.insert(bad.end(), open.begin(), open.end());
  return bad;
}

TEST(LessonPages, AreNestedLoadNothingAndNameNoOtherPlace) {
  for (const std::string& file : lesson_files()) {
    const Document document = document_in(file);
    std::string page = lesson_html(document);
    const Json data = data_of_page(page);
    for (std::size_t i = 0; i < document.lesson.size(); ++i) {
      EXPECT_EQ(badly_nested(data["steps"][i]["text"]), std::vector<std::string>()) << file;
    }
    // Packed bytes may have any letters, so the template is replaced.
    page = without(std::move(page), "<template id=\"data\">", "</template>") + data.dump();
    for (const char* const of_svg :
         {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}) {
      page = without(std::move(page), of_svg, of_svg);
    }
    for (const char* foreign : {"http:", "https:", "//cdn", "fetch(", "import(", "@import"}) {
      EXPECT_EQ(page.find(foreign), page.npos) << file << ": " << foreign;
    }
    EXPECT_NE(page.find("default-src 'none'"), page.npos);
    EXPECT_LT(page.size(), 2'000'000U) << file;
  }
}

TEST(LessonPages, TextsAreAsTheyWere) {
  const Document document = document_in(test::source_folder() +
                                        "/assets/lessons/lesson-what-attention-computes.attn.json");
  const Json data = data_of_page(lesson_html(document));
  std::string text;
  for (std::size_t i = 0; i < document.lesson.size(); ++i) {
    Json step = data["steps"][i];
    for (const char* of_figure : {"lines", "follows", "inputs", "task"}) step.erase(of_figure);
    if (step.contains("question")) step["question"].erase("revealed");
    text += json_text(step);
  }
  EXPECT_TRUE(test::matches_golden(text, "core/session/golden/lesson-page.txt"));
}

// Keys that a query does not see cannot be guessed.
TEST(LessonPages, AskForTheKeysThatAreSeenOrForOneNumber) {
  const auto question_of = [](const std::string& ask) {
    const Json json{{"tokens", {"a", "b", "a"}},
                    {"attention", {{0.5, 0, 0.5}, {0.25, 0, 0.75}, {0.5, 0, 0.5}}},
                    {"mask", {{"key_padding", {true, false, true}}}},
                    {"lesson", {{{"text", "?"}, {"ask", ask}}}}};
    const Document document = read_document(json.dump(), "asks.json").value().document;
    return data_of_page(lesson_html(document))["steps"][0]["question"];
  };
  const Json row = question_of("weights[2, :]"), cell = question_of("weights[2, 1]");
  EXPECT_EQ(row["labels"], Json({"a", "a"}));
  EXPECT_EQ(row["columns"], Json({0, 2}));
  EXPECT_EQ(row["truth"].size(), 2U);
  EXPECT_EQ(cell["labels"].size(), 0U);
  EXPECT_EQ(cell["truth"], Json({0.25}));
}

// A step may ask what decides all that its plot shows.
TEST(LessonPages, WaitWithPlotsThatTheAnswerDecides) {
  for (const char* plot : {"next", "lens", "atlas", "compare"}) {
    Document document = open_document("attnscope:stories-decoder")->document;
    LessonStep step;
    step.text = "Where does it look?";
    step.ask = {"weights[layer 1, head 1, 2, :]"};
    step.panes = Panes{};
    std::get<Pane>(step.panes->layout).view.plot = plot;
    document.lesson = {step};
    const Result<std::string> page =
        lesson_page(document, usual_lesson_paper(), {document.title, ""});
    ASSERT_TRUE(page.ok()) << plot << ": " << page.error().message;
    EXPECT_NE(data_of_page(*page).dump().find("The lesson asks about"), std::string::npos) << plot;
  }
}

TEST(Pages, TextsOfStrangersDoNothing) {
  const std::string token = "</script><img src=x onerror=\"alert(1)\">";
  const Json json{{"title", token},
                  {"tokens", {token, "b"}},
                  {"attention", {{1, 0}, {0.5, 0.5}}},
                  {"lesson",
                   {{{"text",
                      "<b>raw</b> [x](javascript:alert(1)) [y](https://a.b/?q=\"><i>) "
                      "![p](http://c/d.png)"},
                     {"ask", "weights[1, :]"},
                     {"after", "*{argmax(weights[1, :])}* <script>alert(2)</script>"}}}}};
  const Document document = read_document(json.dump(), "hostile.json").value().document;
  const ResultPtr result = compute(make_problem(document)).value();
  const std::string lesson = lesson_html(document);
  const std::string plots =
      plots_page(document, result, specs_for_page({"heatmap", {}}, result->shape()),
                 {document.title, provenance_text({"AttnScope", document.title, "", ""})})
          .value();
  for (const std::string& page : {lesson, plots}) {
    const auto count = [&](const std::string& text) {
      std::size_t found = 0;
      for (std::size_t at = page.find(text); at != page.npos; at = page.find(text, at + 1)) ++found;
      return found;
    };
    EXPECT_EQ(count("<script"), 1U);
    EXPECT_EQ(count("</script"), 1U);
    EXPECT_EQ(count("<img"), 0U);
    EXPECT_EQ(badly_nested(page), std::vector<std::string>());
  }
  const Json step = data_of_page(lesson)["steps"][0];
  EXPECT_EQ(step["text"],
            "<p>&lt;b&gt;raw&lt;/b&gt; x <a rel=\"noreferrer\" "
            "href=\"https://a.b/?q=&quot;&gt;&lt;i&gt;\">y</a> p</p>");
  const std::string after = step["question"]["after"];
  EXPECT_EQ(after.find("<script"), after.npos) << after;
  EXPECT_EQ(after.find("<img"), after.npos) << after;
  EXPECT_EQ(provenance_in(plots)->document, document.title);
}

std::string tokens_json(std::size_t count) {
  Json tokens;
  for (std::size_t i = 0; i < count; ++i) tokens.push_back("t" + std::to_string(i));
  return tokens.dump();
}

TEST(Pages, TwelveLayersOfTwelveHeadsAreSmall) {
  std::string more_blocks;
  for (int i = 1; i < 12; ++i) more_blocks += ", {}";
  const std::string json = R"({"title": "Large", "d_model": 192, "heads": 12, "tokens": )" +
                           tokens_json(64) + R"(, "blocks": [{})" + more_blocks + "]}";
  const Document document = read_document(json, "large.json").value().document;
  const ResultPtr result = compute(make_problem(document)).value();
  std::vector<FigureSpec> specs = specs_for_page({"heatmap", {}}, result->shape());
  EXPECT_EQ(specs.size(), 144U);
  specs.push_back({.plot = "heads", .options = {}, .place = {.tab = "Heads"}});
  std::ranges::move(specs_for_page({"links", {}}, result->shape()), std::back_inserter(specs));
  const std::string page = plots_page(document, result, specs, {"Large", ""}).value();
  EXPECT_LT(page.size(), 1'000'000U);
  const Json data = data_of_page(page);
  EXPECT_EQ(data["numbers"].size(), 144U) << "the numbers of each head once";
  EXPECT_EQ(data["tabs"][0]["views"].size(), 144U);
}

// Few tokens are drawn, too, whose weights take several pixels of a thumbnail.
TEST(Pages, ThumbnailsAreMapsWithTheirTokens) {
  const Document document =
      read_document(R"({"tokens": ["I", "love", "cats"], "heads": 2, "d_model": 4})", "small.json")
          .value()
          .document;
  const ResultPtr result = compute(make_problem(document)).value();
  const Json data =
      data_of_page(plots_page(document, result, {{.plot = "heads", .options = {}}}, {}).value());
  EXPECT_EQ(data["numbers"].size(), 2U);
  EXPECT_EQ(data["names"], Json({{"I", "love", "cats"}}));
  const Json& view = data["tabs"][0]["views"][0];
  EXPECT_EQ(view["follows"], true);
  EXPECT_EQ(view["inputs"], 0);
  EXPECT_EQ(data["inputs"].size(), 1U);
}

TEST(Pages, SayWhichFiguresFollowNumbers) {
  const Document document =
      read_document(R"({"tokens": 3, "d_model": 4})", "small.json").value().document;
  const ResultPtr result = compute(make_problem(document)).value();
  FigureSpec with_histogram{"heatmap", {}};
  with_histogram.options.histogram = true;
  std::vector<bool> follow;
  for (const FigureSpec& spec :
       {FigureSpec{"heatmap", {}}, FigureSpec{"links", {}}, with_histogram}) {
    const Json data = data_of_page(plots_page(document, result, {spec}, {}).value());
    follow.push_back(data["tabs"][0]["views"][0]["follows"]);
  }
  EXPECT_EQ(follow, std::vector<bool>({true, false, false}));
}

TEST(Pages, TooManyCellsAreRefusedBeforeTheyAreDrawn) {
  const Document document =
      read_document(R"({"tokens": )" + tokens_json(1024) + R"(, "d_model": 4})", "huge.json")
          .value()
          .document;
  const ResultPtr result = compute(make_problem(document)).value();
  const std::vector<FigureSpec> specs(
      40, {.plot = "heatmap", .options = {}, .place = {.tab = "Heatmap"}});
  const auto page = plots_page(document, result, specs, {"Huge", ""});
  ASSERT_FALSE(page.ok());
  EXPECT_EQ(page.error().kind, ErrorKind::OverMemoryLimit);
  EXPECT_NE(page.error().hint.find("--head"), std::string::npos);
}

}  // namespace
}  // namespace attn
