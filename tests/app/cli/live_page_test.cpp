// Pages whose numbers readers change: their script computes the numbers of the program.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "base/files.h"
#include "base/random.h"
#include "document/edit.h"
#include "document/load/read.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "export/page/page_inputs.h"
#include "support/browser.h"
#include "support/process.h"
#include "support/read_page.h"
#include "support/shared_data.h"

namespace attn {
namespace {

using test::TemporaryFolder;

// --- Random documents that a page can compute

// A number below `count`.
std::size_t one_of(Random& random, std::size_t count) { return random.next() % count; }

Json numbers_of(const Shape& shape, Random& random) {
  if (shape.empty()) return random.normal();
  Json list = Json::array();
  for (std::size_t i = 0; i < shape[0]; ++i) {
    list.push_back(numbers_of({shape.begin() + 1, shape.end()}, random));
  }
  return list;
}

// Random matrices, nested as documents nest them; `outer` are the axes before the matrices.
Json queries_keys_and_values(Random& random) {
  Json json;
  const std::size_t kv_heads = 1 + one_of(random, 2), heads = kv_heads * (1 + one_of(random, 2));
  const std::size_t n_q = 1 + one_of(random, 5), n_k = 1 + one_of(random, 5),
                    d = 2 * (1 + one_of(random, 3));
  Shape outer;
  if (one_of(random, 3) == 0) outer.push_back(2);                                // samples
  if (!outer.empty() && one_of(random, 2) == 0) outer.insert(outer.begin(), 3);  // layers
  const auto nested = [&](std::size_t of_heads, std::size_t rows, std::size_t cols) {
    Shape shape = outer;
    shape.insert(shape.end(), {of_heads, rows, cols});
    return numbers_of(shape, random);
  };
  json["query_tokens"] = n_q;
  json["key_tokens"] = n_k;
  json["q"] = nested(heads, n_q, d);
  json["k"] = nested(kv_heads, n_k, d);
  if (one_of(random, 4) != 0) json["v"] = nested(kv_heads, n_k, 1 + one_of(random, 3));
  if (one_of(random, 3) == 0) json["mask"]["visible"] = Json::array();
  for (std::size_t i = 0; json.contains("mask") && i < n_q; ++i) {
    json["mask"]["visible"].push_back(Json::array());
    for (std::size_t k = 0; k < n_k; ++k) {
      json["mask"]["visible"].back().push_back(one_of(random, 3) != 0);
    }
  }
  if (one_of(random, 3) == 0) json["mask"]["bias"] = numbers_of({n_q, n_k}, random);
  return json;
}

Json one_layer(Random& random) {
  Json json;
  const std::size_t n = 2 + one_of(random, 4), samples = 1 + one_of(random, 2),
                    kv_heads = 1 + one_of(random, 2), heads = kv_heads * (1 + one_of(random, 2));
  const std::size_t width = heads * 2 * (1 + one_of(random, 2));
  json["tokens"] = n;
  json["embeddings"] =
      numbers_of(samples == 1 ? Shape{n, width} : Shape{samples, n, width}, random);
  json["heads"] = heads;
  json["kv_heads"] = kv_heads;
  if (one_of(random, 2) == 0) json["projections"]["b_q"] = numbers_of({width}, random);
  if (one_of(random, 2) == 0) json["mask"]["causal"] = true;
  if (one_of(random, 3) == 0) json["mask"]["window"] = {1, 1};
  if (one_of(random, 3) == 0) json["mask"]["key_lengths"] = n - 1;
  if (one_of(random, 3) == 0) json["mask"]["causal_offset"] = 2;
  const Json positions[] = {
      "none",
      "sinusoidal",
      {{"kind", "sinusoidal"}, {"layout", "halves"}, {"base", 50.0}},
      {{"kind", "learned"}, {"table", numbers_of({n + 2, width}, random)}},
      "rope",
      {{"kind", "rope"}, {"layout", "interleaved"}, {"scaling", "linear"}, {"factor", 2.0}},
      {{"kind", "rope"}, {"scaling", "ntk"}, {"factor", 4.0}, {"rotary_dim", 2}}};
  json["position"] = positions[one_of(random, std::size(positions))];
  return json;
}

// Covers every scoring function with every normaliser within 18 seeds.
Json random_json(std::uint64_t seed) {
  Random random(seed);
  const auto functions = all_scoring_functions();
  const auto normalisers = all_normalisers();
  const NormaliserInfo& normaliser = normalisers[seed / functions.size() % normalisers.size()];
  Json json = seed / 18 % 2 == 0 ? queries_keys_and_values(random) : one_layer(random);
  Json& scoring = json["scoring"];
  scoring["function"] = functions[seed % functions.size()].name;
  scoring["normaliser"] = normaliser.name;
  if (one_of(random, 3) == 0) scoring["scale"] = 0.25F + random.uniform();
  if (one_of(random, 3) == 0) scoring["softcap"] = 0.5F + random.uniform();
  if (one_of(random, 3) == 0) scoring["temperature"] = 0.5F + random.uniform();
  if (one_of(random, 3) == 0 && normaliser.exponentials) scoring["sinks"] = random.normal();
  if (one_of(random, 4) == 0) json["mask"]["alibi"] = true;
  json["seed"] = seed;
  return json;
}

// --- Numbers of the program

Json cells_of(const AttentionResult& result, Stage stage, const HeadAddress& at) {
  const StageShape shape = result.stage_shape(stage, at);
  Json cells = Json::array();
  for (std::size_t i = 0; i < shape.rows * shape.cols; ++i) {
    cells.push_back(result.value(stage, at, i / shape.cols, i % shape.cols));  // null: infinite
  }
  return cells;
}

// All stages of all heads.
Json stages_of(const Document& document) {
  const AttentionProblem problem = make_problem(document);
  const Result<ResultPtr> result = compute(problem);
  Json all = Json::array();
  if (!result) ADD_FAILURE() << result.error().message;
  const AttentionShape& s = problem.shape;
  for (std::size_t i = 0; result && i < s.layers * s.samples * s.heads; ++i) {
    const std::size_t group = i / s.heads;
    const HeadAddress at{group / s.samples, group % s.samples, i % s.heads};
    for (const Stage stage : (*result)->stages()) {
      all.push_back({{"stage", stage_info(stage).name},
                     {"at", {{"layer", at.layer}, {"sample", at.sample}, {"head", at.head}}},
                     {"cells", cells_of(**result, stage, at)}});
    }
  }
  return all;
}

// A document and its numbers after the first number of each input is changed.
Json case_of(const Json& json) {
  const Result<Reading> read = read_document(json.dump(), "random.json");
  if (!read || !read->errors.empty()) {
    ADD_FAILURE() << json.dump() << (read ? read->errors.front().message : read.error().message);
    return {};
  }
  Document document = read->document;
  const AttentionProblem problem = make_problem(document);
  EXPECT_EQ(why_not_in_page(document, problem), "") << json.dump();
  Json made{{"inputs", inputs_of_page(document, problem)}, {"before", stages_of(document)}};
  for (const Json& input : made["inputs"]["inputs"]) {
    const Result<Document> edited = with_cell(document, {input["path"], {}}, 0, 0, 0.75F);
    EXPECT_TRUE(edited.ok()) << input["path"];
    if (edited) document = *edited;
  }
  made["after"] = stages_of(document);
  return made;
}

// Compares, and logs the number of cells, what differs and the largest difference.
constexpr const char* kCompare = R"(
  let count = 0, most = 0, wrong = [];
  const compare = (attention, all, name) => all.forEach(({stage, at, cells}) => {
    const made = attention.stage(stage, at);
    const off = Math.max(...cells.map((cell, i) => cell === null ? (isFinite(made.values[i]) ? Infinity : 0)
      : Math.abs(made.values[i] - cell) / Math.max(1, Math.abs(cell))));
    if (!(off < 1e-6) || made.values.length !== cells.length) wrong.push(`${name} ${stage} ${JSON.stringify(at)}: ${off}`);
    [count, most] = [count + cells.length, Math.max(most, off)];
  });
  const run = () => {
    if (!document.querySelector('main')) return setTimeout(run, 50);
    try {
      cases.forEach(({inputs, before, after}, i) => {
        const attention = attnscope.attentionOf(inputs);
        compare(attention, before, `${i} before`);
        attention.inputs.forEach((input) => { input.values[0] = 0.75; });
        attention.forget();
        compare(attention, after, `${i} after`);
      });
    } catch (error) { wrong.push(error.stack); }
    document.body.append(Object.assign(document.createElement('pre'), {id: 'log', textContent: JSON.stringify([count, wrong, most])}));
  };
  run();)";

TEST(LivePage, ComputesWhatTheProgramComputes) {
  if (test::browser().empty()) GTEST_SKIP() << "no Chromium is installed";
  Json cases = Json::array();
  for (std::uint64_t seed = 0; seed < 108; ++seed) cases.push_back(case_of(random_json(seed)));
  const TemporaryFolder folder;
  const std::string path = folder.file("a.html");
  ASSERT_EQ(test::run_attnscope({"export", "example:i-love-cats", "-o", path}).exit_code, 0);
  test::put_with_script(test::read_text(path), "const cases = " + cases.dump() + ";" + kCompare,
                        path);
  const Json log = test::logged(folder, "file://" + path);
  ASSERT_TRUE(log.is_array());
  EXPECT_GT(log[0], 20'000);
  EXPECT_EQ(log[1], Json::array()) << log[2];
}

// --- Actions of a reader

constexpr const char* kTools = R"(
  const log = [], note = (text) => log.push(text), one = (name) => document.querySelector('.shown ' + name);
  const all = (name) => [...document.querySelectorAll(name)], wait = () => new Promise((done) => setTimeout(done, 50));
  const cells = () => all('.sheet [tabindex]'), numbers = () => all('.shown .cells text').map((text) => text.textContent).join(' ');
  const point = (element, type, x, y) => element.dispatchEvent(new PointerEvent(type, {bubbles: true, pointerId: 1,
    pointerType: 'mouse', buttons: 1, clientX: x, clientY: y}));
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };
  const drag = (element, up) => {
    const [x, y] = middle(element);
    point(element, 'pointerdown', x, y);
    point(element, 'pointermove', x, y - up);
    point(element, 'pointerup', x, y - up);
  };
  const press = (key, more = {}, element = document.activeElement) =>
    element.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true, ...more}));
  Element.prototype.setPointerCapture = () => {};
  const run = async (steps) => {
    while (!document.querySelector('main')) await wait();
    try { await steps(); } catch (error) { note(error.stack); }
    document.body.append(Object.assign(document.createElement('pre'), {id: 'log', textContent: JSON.stringify(log)}));
  };)";

Json done_in(const std::vector<std::string>& words, const std::string& steps,
             const std::string& hash = "") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.html");
  std::vector<std::string> call{"export"};
  call.insert(call.end(), words.begin(), words.end());
  call.insert(call.end(), {"-o", path});
  EXPECT_EQ(test::run_attnscope(call).exit_code, 0);
  test::put_with_script(test::read_text(path), kTools + ("run(async () => {" + steps + "});"),
                        path);
  return test::logged(folder, "file://" + path + hash);
}

TEST(LivePage, FollowsNumbersThatAreDraggedTypedAndTakenBack) {
  if (test::browser().empty()) GTEST_SKIP() << "no Chromium is installed";
  EXPECT_EQ(done_in({"example:i-love-cats"}, R"(
    drag(cells()[0], 200); note(cells()[0].textContent + ' ' + cells()[0].title); note(numbers());
    press('z', {ctrlKey: true}, document.body); note(cells()[0].textContent + ' ' + numbers());
    press('Z', {ctrlKey: true, shiftKey: true}, document.body); note(cells()[0].textContent);
    cells()[1].focus(); press('-'); const field = document.activeElement; note(field.value);
    field.value = '-2.5'; press('Enter'); note(cells()[1].textContent); note(document.activeElement === cells()[3]);
    press('ArrowUp'); press('ArrowUp', {shiftKey: true}); note(cells()[1].textContent);
    press('Delete'); note(cells()[1].textContent);
    all('.undo button')[2].click(); note(cells().map((cell) => cell.textContent).join(' ') + numbers());
    all('.undo button')[0].click(); note(cells()[0].textContent);)"),
            Json({"3 was 1", "0.68 0.08 0.24 0.22 0.46 0.32 0.33 0.33 0.33", "1 ", "3", "-", "−2.5",
                  true, "−2.4", "0", "1 0 0 1 1 1", "3"}));
}

TEST(LivePage, FollowsTheMaskAndTheScale) {
  if (test::browser().empty()) GTEST_SKIP() << "no Chromium is installed";
  EXPECT_EQ(done_in({"example:i-love-cats"}, R"(
    all('.matrices button').at(-1).click();
    const [x, y] = middle(cells()[1]); point(cells()[1], 'pointerdown', x, y); cells()[1].click();
    note(numbers()); note(cells()[1].getAttribute('aria-label'));
    cells()[1].focus(); press(' '); note(numbers());
    one('image') && all('.setting')[0].focus(); press('Enter'); document.activeElement.value = '0'; press('Enter');
    note(numbers());)"),
            Json({"0.59 0.41 0.22 0.46 0.32 0.33 0.33 0.33", "Mask, I, love: hidden", "",
                  "0.33 0.33 0.33 0.33 0.33 0.33 0.33 0.33 0.33"}));
}

// Hatching by the reason, which one more hidden cell does not change, and the signs of rows that
// see nothing.
TEST(LivePage, KeepsTheHatchingOfEachReasonAndTheSignsOfEmptyRows) {
  if (test::browser().empty()) GTEST_SKIP() << "no Chromium is installed";
  const TemporaryFolder folder;
  const std::string path = folder.file("a.attn.json");
  const Json document{{"tokens", {"a", "b", "c"}},
                      {"q", {{1, 0}, {0, 1}, {1, 1}}},
                      {"k", {{1, 0}, {0, 2}, {1, 1}}},
                      {"mask", {{"causal", true}, {"key_padding", {true, false, false}}}}};
  ASSERT_TRUE(write_file_atomically(path, document.dump(), Overwrite::Replace).ok());
  EXPECT_EQ(done_in({path}, R"(
    const hatched = () => all('.shown .cells path').map((path) =>
      `${path.getAttribute('fill')} ${path.getAttribute('d').split('z').length - 1}`).join(', ');
    const signs = () => all('.shown svg text').filter((text) => text.textContent === '∅' && !text.closest('.past')).length;
    note(hatched()); note(signs());
    all('.matrices button').at(-1).click();
    const turn = (i) => { point(cells()[i], 'pointerdown', ...middle(cells()[i])); cells()[i].click(); };
    turn(4); note(hatched()); note(signs());
    turn(4); turn(1); note(hatched()); note(signs());
    turn(1); note(hatched()); note(signs()); note(cells()[1].classList.contains('changed'));)"),
            Json({"", 1, "url(#hatch-1) 3, url(#hatch-2) 3, url(#hatch-4) 1", 2,
                  "url(#hatch-1) 2, url(#hatch-2) 3", 0, "", 1, false}));
}

TEST(LivePage, OffersSamplesThatItHasPicturesOf) {
  if (test::browser().empty()) GTEST_SKIP() << "no Chromium is installed";
  EXPECT_EQ(done_in({"example:random-batch"}, R"(
    note([...all('.matrices select')[0].options].map((option) => option.textContent).join(', '));)"),
            Json({"sample 1, head 1, sample 1, head 2"}));
}

TEST(LivePage, KeepsAFieldWithoutANumberOpenAndSaysWhatNoPictureShows) {
  if (test::browser().empty()) GTEST_SKIP() << "no Chromium is installed";
  EXPECT_EQ(done_in({"example:i-love-cats"}, R"(
    const shows = () => !all('.inputs .note')[0].textContent.includes('No picture here shows the change');
    cells()[0].focus(); press('-'); const field = document.activeElement; field.value = 'abc'; press('Enter');
    note(document.activeElement === field && field.getAttribute('aria-invalid'));
    field.value = '2'; press('Enter'); note(cells()[0].textContent); note(shows());
    all('.undo button')[2].click(); all('.matrices button')[2].click(); drag(cells()[0], 200); note(shows());)"),
            Json({"true", "2", true, false}));
}

TEST(LivePage, SaysWhyANumberIsRefusedUntilItIsMended) {
  if (test::browser().empty()) GTEST_SKIP() << "no Chromium is installed";
  EXPECT_EQ(
      done_in({"example:i-love-cats"}, R"(
    const [, temperature] = all('.setting'), said = () => note(all('.inputs .note')[0].textContent);
    const type = (text) => {
      document.activeElement.value = text;
      document.activeElement.dispatchEvent(new InputEvent('input', {bubbles: true}));
    };
    temperature.focus(); press('-'); type('-1'); press('Enter'); said();
    type('-'); said(); type('1e39'); press('Enter'); said();
    type('1'); said(); note(document.activeElement.getAttribute('aria-invalid'));
    type('-1'); document.activeElement.blur(); said(); note(temperature.textContent);
    temperature.focus(); press('Enter'); type(''); document.activeElement.blur(); said();
    temperature.focus(); press('Delete'); said(); press('Enter'); type('x'); press('Enter'); press('Escape'); said();)"),
      Json({"Type a number above 0.", "Type a number above 0.",
            "Type a number between −3.4e38 and 3.4e38.", "", nullptr,
            "“-1” is not taken. Type a number above 0.", "1", "", "Type a number above 0.", ""}));
}

// A hidden cell has no number, which could differ: of a causal map either.
TEST(LivePage, SaysThatNoPictureShowsAChangeWhereCellsAreHidden) {
  if (test::browser().empty()) GTEST_SKIP() << "no Chromium is installed";
  const TemporaryFolder folder;
  const std::string path = folder.file("a.attn.json");
  const Json causal{{"tokens", {"a", "b"}},
                    {"q", {{1, 0}, {0, 1}}},
                    {"k", {{1, 0}, {0, 2}}},
                    {"v", {{1, 0}, {0, 1}}},
                    {"mask", {{"causal", true}}}};
  ASSERT_TRUE(write_file_atomically(path, causal.dump(), Overwrite::Replace).ok());
  const std::string steps = R"(
    const shows = () => !all('.inputs .note')[0].textContent.includes('No picture here shows the change');
    all('.matrices button')[2].click(); drag(cells()[0], 200); note(shows());
    all('.undo button')[2].click(); all('.matrices button')[0].click(); drag(cells()[2], 200); note(shows());)";
  EXPECT_EQ(done_in({path, "--stage", "weights"}, steps), Json({false, true}));
  EXPECT_EQ(done_in({path, "--stage", "masked"}, steps), Json({false, true}));
}

TEST(LivePage, FramesTheNumberThatALessonAsksToChangeAndTicksIt) {
  if (test::browser().empty()) GTEST_SKIP() << "no Chromium is installed";
  const TemporaryFolder folder;
  const std::string path = folder.file("a.attn.json");
  const Json lesson{{"tokens", {"a", "b"}},
                    {"q", {{1, 0}, {0, 1}}},
                    {"k", {{1, 0}, {0, 2}}},
                    {"lesson",
                     {{{"text", "Look."}, {"view", {{"plot", "heatmap"}}}},
                      {{"text", "Change it."}, {"input", "/k/1/1"}}}}};
  ASSERT_TRUE(write_file_atomically(path, lesson.dump(), Overwrite::Replace).ok());
  EXPECT_EQ(done_in({path}, R"(
    note(one('.asked') === null); location.hash = 'step=2'; await wait();
    note(one('.asked').getAttribute('aria-label')); note(one('.task').textContent);
    drag(one('.asked'), -100); note(one('.asked').textContent); note(one('.task').textContent); note(numbers());
    press('z', {ctrlKey: true}, document.body); note(one('.task').textContent);)"),
            Json({true, "K, b, 2: 2", "Change the framed number", "0", "Done",
                  "0.67 0.33 0.50 0.50", "Change the framed number"}));
}

}  // namespace
}  // namespace attn
