// Many documents and figures in one call: names of files, failures, and pages.
#include "cli/batch.h"

#include <gtest/gtest.h>
#include <sys/inotify.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "base/descriptor.h"
#include "base/files.h"
#include "base/json.h"
#include "cli/export_panels.h"
#include "support/paths.h"
#include "support/process.h"
#include "support/shared_data.h"
#include "tests/core/document/arrays/array_bytes.h"

namespace attn {
namespace {

using cli::PlaceValues;
using test::ProcessResult;
using test::run_attnscope;
using test::TemporaryFolder;

using Words = std::vector<std::string>;

void put(const std::string& path, const std::string& text) {
  ASSERT_TRUE(write_file_atomically(path, text, Overwrite::Replace).ok());
}

Words names_in(const std::string& folder) {
  Words names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; ++at) ++count;
  return count;
}

TEST(Batch, GlobsBecomeTheFilesThatMatchInOrder) {
  const TemporaryFolder folder;
  for (const char* name : {"b.json", "a.json", "c.npy", "x[1].json"}) put(folder.file(name), "");
  const auto matched = cli::matched_files(
      {"-", folder.file("[ab].json"), "example:x*", folder.file("x[1].json"), "missing.json"});
  ASSERT_TRUE(matched.ok());
  EXPECT_EQ(*matched, (Words{"-", folder.file("a.json"), folder.file("b.json"), "example:x*",
                             folder.file("x[1].json"), "missing.json"}));
  const auto none = cli::matched_files({folder.file("*.gguf")});
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().kind, ErrorKind::BadInput);
  EXPECT_NE(none.error().message.find("*.gguf"), std::string::npos);
}

TEST(Batch, NamesOfDocumentsHaveNeitherFolderNorEnding) {
  EXPECT_EQ(cli::stem_of("runs/cats.attn.json"), "cats");
  EXPECT_EQ(cli::stem_of("./run-0.9.npz"), "run-0.9");
  EXPECT_EQ(cli::stem_of("run-0.9"), "run-0.9");
  EXPECT_EQ(cli::stem_of("m.safetensors"), "m");
  EXPECT_EQ(cli::stem_of("example:four-heads"), "four-heads");
  EXPECT_EQ(cli::stem_of("-"), "stdin");
  EXPECT_EQ(cli::stem_of(".attn"), ".attn");
}

Words names_for(const std::string& pattern, const std::vector<PlaceValues>& outputs) {
  const auto named = cli::destinations({pattern, false}, outputs, {});
  if (!named) return {describe(named.error())};
  Words names;
  for (const cli::Destination& one : *named) names.push_back(one.path);
  return names;
}

TEST(Batch, PlacesAreFilledAndBracesDoubled) {
  const std::vector<PlaceValues> two{{{"name", "cats"}, {"head", "1"}},
                                     {{"name", "cats"}, {"head", "{2}"}}};
  EXPECT_EQ(names_for("{name}-{head}.x", two), (Words{"cats-1.x", "cats-{2}.x"}));
  EXPECT_EQ(names_for("{{{head}}}", two), (Words{"{1}", "{{2}}"}));
  const Words numbers = names_for("{number}", std::vector<PlaceValues>(10, two[0]));
  EXPECT_EQ(numbers.front(), "01");
  EXPECT_EQ(numbers.back(), "10");
  EXPECT_EQ(names_for("plain", {two[0]}), Words{"plain"});
  EXPECT_EQ(names_for("no/{head}", {two[0]}),
            Words{"no/1: there is no folder no; create it first: mkdir -p no"});
}

TEST(Batch, PatternsThatCannotNameAllAreRefused) {
  const std::vector<PlaceValues> two{{{"name", "a"}, {"layer", "1"}, {"head", "11"}, {"plot", ""}},
                                     {{"name", "a"}, {"layer", "11"}, {"head", "1"}, {"plot", ""}}};
  const std::pair<const char*, const char*> cases[] = {
      {"x-{head}.png",
       "lacks {layer}, by which 2 outputs differ; name them as in -o "
       "'x-{head}-{layer}.png'"},
      {"x.png", "lacks {layer} and {head}"},
      {"-", "standard output lacks {layer} and {head}"},
      {"{layer}{head}", "two outputs would have one name, 111; {number}"},
      {"{lyer}{head}", "place {lyer}, expected {name}, {layer}, {head}, {plot}, {number}"},
      {"{layer}{head}{plot}", "nothing says what {plot}"},
      {"{layer}{head", "has a { without its }"}};
  for (const auto& [pattern, words] : cases) {
    const auto named = cli::destinations({pattern, true}, two, {});
    ASSERT_FALSE(named.ok()) << pattern;
    EXPECT_EQ(named.error().kind, ErrorKind::Usage);
    EXPECT_NE(describe(named.error()).find(words), std::string::npos) << describe(named.error());
  }
}

TEST(Batch, WhatExistsIsRefusedBeforeTheWork) {
  const TemporaryFolder folder;
  put(folder.file("b.x"), "");
  const std::vector<PlaceValues> two{{{"name", "a"}}, {{"name", "b"}}};
  const std::string pattern = folder.file("{name}.x");
  const auto refused = cli::destinations({pattern, false}, two, {});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::CannotWrite);
  EXPECT_EQ(refused.error().file, folder.file("b.x"));
  EXPECT_TRUE(cli::destinations({pattern, true}, two, {}).ok());
  EXPECT_FALSE(cli::destinations({pattern, true}, two, {folder.file("b.x")}).ok());
  std::filesystem::permissions(folder.file("b.x"), std::filesystem::perms::owner_read);
  const auto is_protected = cli::destinations({pattern, true}, two, {});
  ASSERT_FALSE(is_protected.ok());
  EXPECT_NE(is_protected.error().message.find("write-protected"), std::string::npos);
}

TEST(Batch, EachCombinationOfListsIsAFigure) {
  const auto field = [](std::string_view name) { return plot_option_named(name); };
  FigureRequest request;
  request.plot = "heatmap,links";
  request.settings = {{field("head"), "0-1,3"}, {field("layer"), "all"}, {field("width"), "300"}};
  EXPECT_TRUE(cli::needs_shape(cli::lists_of(request)));
  AttentionShape shape;
  shape.layers = 2;
  const auto lists = [&] {
    PlaceValues all = cli::lists_of(request);
    all.front().second = "cats";
    return all;
  };
  const auto files = cli::expanded(request, lists(), shape);
  ASSERT_TRUE(files.ok());
  ASSERT_EQ(files->size(), 2U * 2U * 3U);
  EXPECT_EQ(cli::output_name(files->front().places), "cats, heatmap, layer 0, head 0");
  EXPECT_EQ(cli::output_name((*files)[2].places), "cats, heatmap, layer 0, head 3");
  EXPECT_EQ(cli::output_name(files->back().places), "cats, links, layer 1, head 3");
  EXPECT_EQ(files->back().request.plot, "links");
  EXPECT_EQ(files->back().request.settings[0].text, "3");
  EXPECT_EQ(files->back().request.settings[2].text, "300");
  request.settings = {{field("head"), "-1"}};
  EXPECT_FALSE(cli::needs_shape(cli::lists_of(request)));
  EXPECT_EQ(cli::expanded(request, lists(), {})->size(), 2U) << "one value is judged later";
  request.settings = {{field("head"), "0-9999"}, {field("layer"), "0-99"}};
  EXPECT_FALSE(cli::expanded(request, lists(), {}).ok()) << "too many figures";
}

TEST(Batch, FiguresOfACallEqualThoseOfCallsOfTheirOwn) {
  const TemporaryFolder folder;
  for (const std::string end : {".svg", ".pdf", ".png"}) {
    const ProcessResult all =
        run_attnscope({"export", "example:four-heads", "-o", folder.file("{plot}-{head}" + end),
                       "--head", "all", "--plot", "heatmap,links", "--jobs", "3"});
    EXPECT_EQ(all.exit_code, 0) << all.err;
    const std::string one = folder.file("one" + end);
    run_attnscope({"export", "example:four-heads", "-o", one, "--plot", "links", "--head", "3"});
    EXPECT_EQ(test::read_text(one), test::read_text(folder.file("links-3" + end))) << end;
  }
  EXPECT_EQ(names_in(folder.path()).size(), 3U * (2U * 4U + 1U));
}

TEST(Batch, FiguresOfLayersAreChosenAndNamedByTheNumbersTheyHave) {
  const TemporaryFolder folder;
  put(folder.file("h.json"), R"({"tokens": ["a"], "axes": ["layer", "query", "key"],
      "layer_numbers": [3, 7, 11], "attention": [[[1]], [[1]], [[1]]]})");
  const auto exported = [&](const char* layers, const char* name) {
    return run_attnscope(
        {"export", folder.file("h.json"), "--layer", layers, "-o", folder.file(name)});
  };
  const ProcessResult all = exported("all", "{layer}.svg");
  ASSERT_EQ(all.exit_code, 0) << all.err;
  EXPECT_EQ(names_in(folder.file("")), (Words{"11.svg", "3.svg", "7.svg", "h.json"}));
  const std::string figure = test::read_text(folder.file("7.svg"));
  EXPECT_NE(figure.find("layer 7"), std::string::npos);
  EXPECT_NE(figure.find("--layer 7"), std::string::npos) << "the call that it records";
  const ProcessResult none = exported("1", "none.svg");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("there is no layer 1"), std::string::npos) << none.err;
  EXPECT_NE(none.err.find("--layer 3, 7, 11"), std::string::npos) << none.err;
  const ProcessResult heads = run_attnscope({"export", folder.file("h.json"), "--plot", "heads",
                                             "--layer", "11", "-o", folder.file("heads.svg")});
  ASSERT_EQ(heads.exit_code, 0) << heads.err;
  EXPECT_NE(test::read_text(folder.file("heads.svg")).find("<title>layer 11, head 1"),
            std::string::npos);
}

TEST(Batch, FilesOfNumbersAreNamedByWhatTheyHold) {
  const TemporaryFolder folder;
  const std::string whole = folder.file("whole.csv"), heads = folder.file("{stage}-{head}.csv");
  const auto wrote = [&](Words words) {
    words.insert(words.begin() + 1, "example:four-heads");
    return run_attnscope(words).exit_code;
  };
  ASSERT_EQ(wrote({"compute", "--stage", "weights", "--head", "2", "-o", whole}), 0);
  ASSERT_EQ(wrote({"compute", "--stage", "weights,scores", "--head", "all", "-o", heads}), 0);
  EXPECT_EQ(names_in(folder.path()).size(), 9U);
  EXPECT_EQ(test::read_text(folder.file("weights-2.csv")), test::read_text(whole));
  ASSERT_EQ(wrote({"export", "--head", "1,2", "-o", folder.file("c{head}.csv")}), 0);
  EXPECT_EQ(test::read_text(folder.file("c2.csv")), test::read_text(whole));
  ASSERT_EQ(wrote({"export", "--plot", "difference", "--head", "all", "--minus-head", "2", "-o",
                   folder.file("d{head}.npy")}),
            0);
  EXPECT_EQ(names_in(folder.path()).size(), 15U);
  put(folder.file("w-3.npz"), "mine");
  EXPECT_EQ(wrote({"compute", "--head", "all", "-o", folder.file("w-{head}.npz")}), 5);
  EXPECT_EQ(names_in(folder.path()).size(), 16U) << "refused before anything is written";
  EXPECT_EQ(wrote({"compute", "--stage", "rollout,weights", "--head", "0", "-o",
                   folder.file("{stage}.npz")}),
            2)
      << "a rollout has no heads";
}

TEST(Batch, FiguresBecomePagesOfOnePdfInTheOrderOfTheCall) {
  const TemporaryFolder folder;
  const std::string path = folder.file("all.pdf"), again = folder.file("again.pdf");
  Words call{"export", "example:four-heads", "example:i-love-cats", "-o", path,
             "--plot", "heatmap,dimensions"};
  const ProcessResult drawn = run_attnscope(call);
  EXPECT_EQ(drawn.exit_code, 0) << drawn.err;
  const std::string bytes = test::read_text(path);
  EXPECT_EQ(count_of(bytes, "/MediaBox"), 4U);
  const std::size_t first = bytes.find("(four-heads, heatmap)");
  EXPECT_NE(first, bytes.npos);
  EXPECT_LT(first, bytes.find("(i-love-cats, dimensions)"));
  call[4] = again;
  call.insert(call.end(), {"--jobs", "2"});
  EXPECT_EQ(run_attnscope(call).exit_code, 0);
  EXPECT_EQ(bytes, test::read_text(again));
  const std::string said = run_attnscope({"info", path}).out;
  EXPECT_NE(said.find("attnscope export example:four-heads example:i-love-cats --plot "
                      "heatmap,dimensions -o all.pdf"),
            std::string::npos)
      << said;
}

TEST(Batch, OneFailureDoesNotStopTheRest) {
  const TemporaryFolder folder;
  const std::string bad = folder.file("bad.json");
  put(bad, "{");
  const ProcessResult drawn =
      run_attnscope({"export", bad, "example:i-love-cats", "example:four-heads", "-o",
                     folder.file("{name}-{head}.svg"), "--head", "0,3"});
  EXPECT_EQ(drawn.exit_code, 3);
  EXPECT_NE(drawn.err.find("example:i-love-cats: there is no head 3"), std::string::npos);
  EXPECT_NE(drawn.err.find("error: 2 of 3 documents failed: " + bad + ", example:i-love-cats\n"),
            std::string::npos)
      << drawn.err;
  EXPECT_EQ(names_in(folder.path()), (Words{"bad.json", "four-heads-0.svg", "four-heads-3.svg"}));
  const ProcessResult computed =
      run_attnscope({"compute", "example:i-love-cats", bad, "-o", folder.file("{name}.npz")});
  EXPECT_EQ(computed.exit_code, 3);
  EXPECT_NE(computed.err.find("1 of 2 documents failed"), std::string::npos) << computed.err;
  EXPECT_TRUE(std::filesystem::exists(folder.file("i-love-cats.npz")));
}

TEST(Batch, AWrongCallEndsBeforeAnythingIsWritten) {
  const TemporaryFolder folder;
  std::vector<Words> calls;
  for (const Words& wrong : {Words{"--colormap", "blue"}, Words{"--plot", "heatmap,none"},
                             Words{"--layout", "heatmap |"}, Words{"--stage", "weights,none"}}) {
    calls.push_back({"export", "-o", folder.file("{name}-{number}.svg"), wrong[0], wrong[1]});
  }
  calls.push_back({"compute", "-o", folder.file("{name}.png")});
  for (Words& call : calls) {
    call.insert(call.end(), {"example:i-love-cats", "example:four-heads"});
    const ProcessResult refused = run_attnscope(call);
    EXPECT_EQ(refused.exit_code, 2) << refused.err;
    EXPECT_EQ(count_of(refused.err, "\n"), 1U) << refused.err;
  }
  EXPECT_TRUE(names_in(folder.path()).empty());
}

TEST(Batch, WritingThatFailsEndsTheCall) {
  const TemporaryFolder folder;
  for (const char* name : {"{head}.png", "all.pdf"}) {
    const ProcessResult full = test::run_process(
        {"sh", "-c", "ulimit -f 16; exec \"$0\" \"$@\"", test::program_path(), "export",
         "example:four-heads", "-o", folder.file(name), "--head", "all", "--dpi", "1200"});
    EXPECT_EQ(full.exit_code, 5) << full.err;
    EXPECT_EQ(count_of(full.err, "error"), 1U) << full.err;
    EXPECT_TRUE(names_in(folder.path()).empty()) << "no partial files";
  }
}

TEST(Batch, InfoOfSeveralIsAListOfThem) {
  const auto parsed = [](Words files) {
    files.insert(files.begin(), {"info", "--json"});
    return Json::parse(run_attnscope(files).out);
  };
  const Json list = parsed({"example:i-love-cats", "example:four-heads"});
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[1]["file"], "example:four-heads");
  EXPECT_TRUE(parsed({"example:i-love-cats"}).is_object());
  EXPECT_EQ(parsed({"missing", "example:four-heads"}).size(), 1U);
  EXPECT_EQ(parsed({"missing", "none"}), Json::array());
  const std::string text = run_attnscope({"info", "example:i-love-cats", "example:four-heads"}).out;
  EXPECT_NE(text.find("\n\nexample:four-heads: "), std::string::npos);
}

// Counts how often other processes open files. Watches reading and closing too, as the kernel
// merges equal events that follow one another.
class Opens {
 public:
  explicit Opens(const Words& files) {
    for (const std::string& file : files) {
      constexpr std::uint32_t kEvents = IN_OPEN | IN_ACCESS | IN_CLOSE;
      names_[::inotify_add_watch(events_.get(), file.c_str(), kEvents)] = file_name(file);
    }
  }

  // Counts since the last call, by file that was opened.
  std::map<std::string, std::size_t> taken() {
    std::map<std::string, std::size_t> counts;
    alignas(inotify_event) std::array<char, 65536> buffer{};
    for (ssize_t size = 0; (size = ::read(events_.get(), buffer.data(), buffer.size())) > 0;) {
      for (const char* at = buffer.data(); at < buffer.data() + size;) {
        const auto* event = reinterpret_cast<const inotify_event*>(at);
        if ((event->mask & IN_OPEN) != 0) ++counts[names_[event->wd]];
        at += sizeof(inotify_event) + event->len;
      }
    }
    return counts;
  }

 private:
  Descriptor events_{::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)};
  std::map<int, std::string> names_;
};

// Documents whose numbers stay in the file, are converted, stacked, split or unpacked.
Words documents_of_all_formats(const TemporaryFolder& folder) {
  const std::string map = test::float_npy("(1, 2, 2)", {0.75F, 0.25F, 0.5F, 0.5F});
  const std::string side = test::float_npy("(2, 4)", {1, 2, 3, 4, 5, 6, 7, 8});
  const std::vector<test::ZipEntry> layers{{"layers.0.attn.npy", map}, {"layers.1.attn.npy", map}};
  const std::string floats = test::bytes_of(std::vector<float>{0.75F, 0.25F, 0.5F, 0.5F});
  const std::string shard = R"({"attn":{"dtype":"F32","shape":[1,2,2],"data_offsets":[0,16]}})";
  const std::string header = R"({"attn":{"dtype":"F16","shape":[1,2,2],"data_offsets":[0,8]}})";
  const std::vector<std::pair<std::string, std::string>> all{
      {"mapped.npy", map},
      {"converted.npy", test::npy("<f8", "(1, 1)", std::string(8, '\0'))},
      {"stacked.npz", test::zip_of(layers)},
      {"packed.npz", test::zip_of({{"attn.npy", map, true}})},
      {"parts.npz", test::zip_of({{"q.npy", side}, {"k.npy", side}})},
      {"half.safetensors", test::safetensors(header, std::string(8, '\0'))},
      {"model.gguf", test::gguf({{"attn", {2, 2, 1}, 0, floats}})},
      {"numbers.attn.json", R"({"attention": [[1, 0], [0.5, 0.5]]})"},
      {"shard.safetensors", test::safetensors(shard, floats)},
      {"all.safetensors.index.json", R"({"weight_map": {"attn": "shard.safetensors"}})"}};
  Words files;
  for (const auto& [name, bytes] : all) {
    files.push_back(folder.file(name));
    put(files.back(), bytes);
  }
  return files;
}

TEST(Batch, EachFileIsOpenedOnceByEveryCommand) {
  const TemporaryFolder folder, out;
  const Words files = documents_of_all_formats(folder);
  Opens opens(files);
  // The shard is a document of the call too, and one that stays open.
  for (const Words& command :
       {Words{"info"}, Words{"info", "--measures"}, Words{"validate"},
        Words{"compute", "--stage", "weights", "-o", out.file("{number}.csv")},
        Words{"export", "-o", out.file("{number}.svg")},
        Words{"export", "-o", out.file("all-{number}-{layer}-{head}.svg"), "--head", "all",
              "--layer", "all", "--plot", "heatmap"}}) {
    Words call = command;
    call.insert(call.end(), files.begin(), files.end());
    const ProcessResult result = run_attnscope(call);
    EXPECT_EQ(result.exit_code, 0) << command.front() << ": " << result.err;
    const auto counts = opens.taken();
    EXPECT_EQ(counts.size(), files.size()) << command.front();
    for (const auto& [name, count] : counts) EXPECT_EQ(count, 1U) << command.front() << " " << name;
  }
}

}  // namespace
}  // namespace attn
