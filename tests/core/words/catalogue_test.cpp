// The words of the window in other languages: what a phrase leaves open, and what files may hold.
#include "words/catalogue.h"

#include <gtest/gtest.h>

#include "base/json.h"

namespace attn {
namespace {

TEST(Phrase, LeavesNumbersOpen) {
  EXPECT_EQ(phrase_of("3 of 25 cells hidden"), "{1} of {2} cells hidden");
  EXPECT_EQ(phrase_of("1,024.5 to −3, 1e-38 or 1.2e+04"), "{1} to {2}, {3} or {4}");
  EXPECT_EQ(phrase_of("(-2, 5)."), "({1}, {2}).");
  EXPECT_EQ(phrase_of("A width of 0.5"), "A width of {1}");
}

TEST(Phrase, TakesUnitsWithTheirNumbers) {
  EXPECT_EQ(phrase_of("computed in 3.5 ms"), "computed in {1}");
  EXPECT_EQ(phrase_of("2 MiB of 4 bytes each"), "{1} of {2} each");
  EXPECT_EQ(phrase_of("3 states, 4 samples"), "{1} states, {2} samples");
}

TEST(Phrase, KeepsDigitsOfNames) {
  for (const char* words : {"W_1", "As T5 does", "RoPE, softmax1", "Fit", ""}) {
    EXPECT_EQ(phrase_of(words), words);
  }
}

TEST(Phrase, LeavesOpenWhatIsQuoted) {
  EXPECT_EQ(phrase_of("Deleted “cats 3”"), "Deleted “{1}”");
  EXPECT_EQ(phrase_of("“a” and “b “c””"), "“{1}” and “{2}”");
  EXPECT_EQ(phrase_of("“never closed 7"), "“never closed {1}");
  EXPECT_EQ(phrase_of("“”"), "“”");
}

TEST(Translation, PutsIntoItWhatWasOpen) {
  const Catalogue german{{{"{1} of {2} cells hidden", "Von {2} Zellen sind {1} verborgen"},
                          {"Deleted “{1}”", "„{1}“ gelöscht"},
                          {"Fit", "Einpassen"}}};
  EXPECT_EQ(translated(german, "3 of 25 cells hidden"), "Von 25 Zellen sind 3 verborgen");
  EXPECT_EQ(translated(german, "Deleted “{1} of 9”"), "„{1} of 9“ gelöscht");
  EXPECT_EQ(translated(german, "Fit"), "Einpassen");
  EXPECT_EQ(translated(german, "Fit all"), std::nullopt);
  EXPECT_EQ(spoken(&german, "Fit"), "Einpassen");
  EXPECT_EQ(spoken(&german, "Fit all"), "Fit all");
  EXPECT_EQ(spoken(nullptr, "Fit"), "Fit");
}

TEST(Translation, KeepsBracesThatAreNoPlaces) {
  const Catalogue braces{{{"{1} and {}", "{} {2} {x} {1} {"}}};
  EXPECT_EQ(translated(braces, "5 and {}"), "{} {2} {x} 5 {");
}

std::string first_phrase() { return all_phrases().front(); }

Result<Catalogue> of(const Json& json) { return read_catalogue(json.dump(), "de.json"); }

TEST(CatalogueFile, IsReadAsItWasWritten) {
  const Catalogue words{{{first_phrase(), "Ein Wort"}}};
  const Result<Catalogue> read = read_catalogue(catalogue_text(words), "de.json");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->translations, words.translations);
}

TEST(CatalogueFile, HasEveryPhraseToBeginWith) {
  const Json table = Json::parse(catalogue_text());
  EXPECT_EQ(table.size(), all_phrases().size());
  EXPECT_GT(table.size(), 500U);
  for (const auto& [phrase, text] : table.items()) EXPECT_EQ(text, "") << phrase;
  EXPECT_TRUE(std::ranges::is_sorted(all_phrases()));
}

TEST(CatalogueFile, MayHavePhrasesThatTheTableLacks) {
  const Result<Catalogue> read = of({{"Rarely said", "x"}, {first_phrase(), ""}});
  ASSERT_TRUE(read);
  EXPECT_EQ(read->translations, (Catalogue{{{"Rarely said", "x"}}}.translations));
  EXPECT_FALSE(Json::parse(catalogue_text(*read)).contains("Rarely said"));
}

TEST(CatalogueFile, IsRefusedWithWhatIsWrong) {
  const auto expect_refused = [](const Result<Catalogue>& read, const char* why) {
    ASSERT_FALSE(read) << why;
    EXPECT_EQ(read.error().kind, ErrorKind::BadInput);
    EXPECT_EQ(read.error().file, "de.json");
    EXPECT_NE(read.error().message.find(why), std::string::npos) << read.error().message;
  };
  expect_refused(read_catalogue("{", "de.json"), "no JSON object");
  expect_refused(of(Json::array({"Fit"})), "no JSON object");
  expect_refused(of({{first_phrase(), 5}}), "is no text");
  expect_refused(of({{first_phrase(), "a##b"}}), "has ## in it");
  expect_refused(of({{first_phrase(), "Nr. #"}}), "ends with #");
  expect_refused(of({{first_phrase(), "\n"}}), "line break");
  expect_refused(of({{first_phrase(), "{19}"}}), "speaks of {19}");
}

TEST(CatalogueFile, ThatIsNotThereIsSaid) {
  const Result<Catalogue> none = load_catalogue("/nowhere/de.json");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().file, "/nowhere/de.json");
}

}  // namespace
}  // namespace attn
