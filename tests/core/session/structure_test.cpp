// Changes of structure and tokens by commands, and undo.
#include <gtest/gtest.h>

#include "document/load/open.h"
#include "document/problem.h"
#include "session/reduce/handlers.h"
#include "support/examples.h"
#include "tests/core/session/session_driver.h"

namespace attn {
namespace {

using test::SessionDriver;

Document document_read(std::string_view text) {
  return read_document(text, "structure").value().document;
}

Structure with_value(const Document& document, const StructureField& field, std::size_t value) {
  Structure structure = structure_of(document);
  field.set(structure, value);
  return structure;
}

Structure with_kind(const Document& document, const KindInfo& kind) {
  Structure structure = structure_of(document);
  structure.kind = &kind;
  return structure;
}

TEST(SetStructure, SaysWhatBecameOfTheRest) {
  SessionDriver session;
  session.open(document_read(R"({"tokens": ["a", "b"], "heads": 2})"));
  Structure wanted = with_kind(session.state.document, BlockModel::kEncoder);
  session.send(command::SetStructure{wanted});
  EXPECT_EQ(structure_of(session.state.document).kind, &BlockModel::kEncoder);
  EXPECT_EQ(session.last_notice(), "Generated from seed 1: W_1, W_2");
  EXPECT_EQ(session.state.notices.back().level, Notice::Level::Info);
  EXPECT_EQ(session.state.history.past.back().label, "change to Encoder blocks");
  wanted = structure_of(session.state.document);
  wanted.heads = 0;
  session.send(command::SetStructure{wanted});
  EXPECT_EQ(session.last_notice(), "Heads must be from 1 to 4096");
  EXPECT_EQ(session.state.history.past.size(), 1U);
}

TEST(SetStructure, AsItIsChangesNothing) {
  SessionDriver session;
  session.open(test::two_heads());
  session.send(command::SetStructure{structure_of(session.state.document)});
  EXPECT_TRUE(session.state.history.past.empty());
  EXPECT_TRUE(session.state.notices.empty());
}

TEST(SetStructure, TakesNoMoreMemoryThanTheWindowMay) {
  SessionDriver session;
  session.open(document_read(R"({"tokens": ["a", "b", "c"], "heads": 4, "d_model": 12})"));
  session.send(command::LimitMemory{50'000});
  const Document before = session.state.document;
  Structure wanted = structure_of(before);
  wanted.d_model = 600;
  session.send(command::SetStructure{wanted});
  EXPECT_EQ(session.state.document, before);
  ASSERT_FALSE(session.state.notices.empty());
  EXPECT_NE(session.state.notices.back().text.find("more memory"), std::string::npos);
  const std::vector<std::string> many(2000, "word");
  session.send(command::SetTokens{Side::Query, many});
  EXPECT_EQ(session.state.document, before);
  session.send(command::LimitMemory{std::uint64_t{1} << 32U});
  session.send(command::SetStructure{wanted});
  EXPECT_EQ(structure_of(session.state.document).d_model, 600U);
}

TEST(SetStructure, BringsTheViewIntoBounds) {
  SessionDriver session;
  session.open(document_read(R"({"tokens": ["a", "b"], "heads": 4, "blocks": 3})"));
  session.send(command::SelectHead{{2, 0, 3}});
  session.send(command::Pin{{{Stage::Weights, {2, 0, 3}}, 1, 1}});
  Structure wanted = structure_of(session.state.document);
  wanted.heads = wanted.key_value_heads = 2;
  wanted.layers = 1;
  session.send(command::SetStructure{wanted});
  EXPECT_EQ(focused_view(session.state).options.at, (HeadAddress{0, 0, 1}));
  EXPECT_TRUE(session.state.pins.empty());
  session.settle();
  EXPECT_EQ(session.state.result->shape(), shape_of(session.state.document));
}

TEST(SetStructure, TakesTheResultThatIsThere) {
  SessionDriver session;
  session.open(test::two_heads());
  session.send(command::SetStructure{with_kind(session.state.document, GivenWeights::kInfo)});
  EXPECT_NE(session.last_notice().find("Keeps the computed weights"), std::string::npos);
  const Tensor weights = std::get<GivenWeights>(session.state.document.model).weights;
  session.send(command::StepEdit{-1});
  EXPECT_EQ(session.state.document, test::two_heads());
  session.settle();
  EXPECT_EQ(weights[1], session.state.result->value(Stage::Weights, {0, 0, 0}, 0, 1));
}

// Computing takes too long to wait for, and there is no result yet.
TEST(SetStructure, WaitsForAResultThatTakesLong) {
  SessionDriver session;
  Reading report;
  report.document = document_read(R"({"tokens": 3000, "d_model": 16})");
  session.send(command::Opened{{"/tmp/long.attn.json"}, std::move(report)});
  const Document before = session.state.document;
  session.send(command::SetStructure{with_kind(before, GivenQkv::kInfo)});
  EXPECT_NE(session.last_notice().find("still being computed"), std::string::npos);
  EXPECT_EQ(session.state.document, before);
}

void expect_undone(const Document& document, const Structure& wanted, const std::string& what) {
  SessionDriver session;
  session.open(document);
  session.send(command::SetStructure{wanted});
  ASSERT_TRUE(check(session.state.document).ok()) << what;
  const bool changed = structure_of(document) != normalised(document, wanted) &&
                       reason_against(document, wanted).empty();
  ASSERT_EQ(session.state.history.past.size(), changed ? 1U : 0U) << what << session.last_notice();
  const Document after = session.state.document;
  session.send(command::StepEdit{-1});
  ASSERT_EQ(session.state.document, document) << what;
  session.send(command::StepEdit{1});
  ASSERT_EQ(session.state.document, after) << what;
}

void expect_every_change_undone(const Document& document, const std::string& name) {
  for (const KindInfo* kind : all_kinds()) {
    expect_undone(document, with_kind(document, *kind), name + std::string(kind->name));
    if (testing::Test::HasFatalFailure()) return;
  }
  for (const StructureField& field : all_structure_fields()) {
    const std::size_t now = field.get(structure_of(document));
    for (const std::size_t value : {now + 1, std::max<std::size_t>(now, 2) - 1}) {
      const std::size_t wanted = field.is_flag ? 1 - now : value;
      expect_undone(document, with_value(document, field, wanted), name + std::string(field.name));
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(SetStructure, OfExamplesIsUndoneToTheLastBit) {
  for (const Example& example : test::short_examples()) {
    expect_every_change_undone(document_read(example.json), std::string(example.name) + ": ");
    if (HasFatalFailure()) return;
  }
}

constexpr const char* kOtherForms[] = {
    R"({"query_tokens": ["a", "b"], "key_tokens": ["x", "y", "z"], "d_model": 4,
        "mask": {"visible": [[true, false, true], [true, true, true]]}})",
    R"({"query_tokens": [["x", "y"], ["z"]], "key_tokens": [["a"], ["b", "c", "d"]], "d_model": 4,
        "blocks": 2, "self_mask": {"causal": true}})",
    R"({"query_tokens": ["a", "b"], "key_tokens": ["x"],
        "recurrent": {"hidden": 2, "bidirectional": true}, "features": {"d_k": ["x", "y", "z"]}})",
    R"({"tokens": ["a", "b"], "d_model": 4, "heads": 2,
        "features": {"d_model": ["p", "q", "", "s"], "d_k": ["x", "y"], "d_v": ["", "z"]}})",
    R"({"tokens": ["a", "b"], "d_model": 2, "blocks": 2,
        "features": {"d_model": ["p", "q"], "d_ff": ["x", "", "z"]}})",
    R"({"tokens": ["a", "b"], "attention": [[[1, 0], [0.5, 0.5]], [[1, 0], [0.25, 0.75]]]})",
};

TEST(SetStructure, OfEveryFormIsUndoneToTheLastBit) {
  for (const char* text : kOtherForms) {
    expect_every_change_undone(document_read(text), text);
    if (HasFatalFailure()) return;
  }
}

TEST(SetTokens, ReplacesASideAndIsUndone) {
  SessionDriver session;
  session.open(test::two_heads());
  session.send(command::SetTokens{Side::Query, {"a", "new", "c", "d"}});
  EXPECT_EQ(session.state.document.query_tokens.front(), (TokenList{"a", "new", "c", "d"}));
  EXPECT_EQ(session.state.history.past.back().label, "change tokens");
  session.send(command::StepEdit{-1});
  EXPECT_EQ(session.state.document, test::two_heads());
  session.send(command::SetTokens{Side::Query, {}});
  EXPECT_NE(session.last_notice().find("a document needs a token"), std::string::npos);
  EXPECT_TRUE(session.state.history.past.empty());
}

// Three matrices of 1300 × 1300.
Structure large_structure(const Document& document) {
  Structure wanted = structure_of(document);
  wanted.d_model = wanted.d_k = wanted.d_v = 1300;
  return wanted;
}

SessionDriver of_one_layer() {
  SessionDriver session;
  session.open(document_read(R"({"tokens": ["a", "b"], "heads": 1, "d_model": 4})"));
  return session;
}

const effect::Restructure& only_restructure(const SessionDriver& session) {
  EXPECT_EQ(session.effects.size(), 1U);
  return std::get<effect::Restructure>(session.effects.front());
}

effect::Restructure large_structure_asked(SessionDriver& session) {
  session.send(command::SetStructure{large_structure(session.state.document)});
  return only_restructure(session);
}

// Answers the job with another document than it would make.
Document made_by(const effect::Restructure& job, SessionDriver& session) {
  const Document changed = document_read(R"({"tokens": ["a", "b"], "heads": 2, "d_model": 4})");
  session.send(command::StructureMade{job, Restructured{changed, {}}});
  return changed;
}

TEST(LargeStructure, IsMadeByAJobAndIsOneStep) {
  SessionDriver session = of_one_layer();
  const Document before = session.state.document;
  const Structure wanted = large_structure(before);
  session.send(command::SetStructure{wanted});
  EXPECT_EQ(session.state.document, before);
  Progress progress;
  const auto made = run_effect(only_restructure(session), &progress);
  EXPECT_GT(progress.fraction, 0.5F);
  session.send(*made);
  EXPECT_EQ(structure_of(session.state.document), wanted);
  EXPECT_EQ(session.state.document, with_structure(before, wanted)->document);
  ASSERT_EQ(session.state.history.past.size(), 1U);
  EXPECT_EQ(session.state.history.past.back().label, "change structure");
  session.send(command::StepEdit{-1});
  EXPECT_EQ(session.state.document, before);
}

TEST(LargeStructure, OfADocumentThatWasEditedMeanwhileIsDropped) {
  SessionDriver session = of_one_layer();
  const effect::Restructure job = large_structure_asked(session);
  session.send(command::RenameToken{Side::Query, 0, 0, "c"});
  const Document edited = session.state.document;
  session.send(
      command::StructureMade{job, Restructured{document_read(R"({"tokens": ["x"]})"), {}}});
  EXPECT_EQ(session.state.document, edited);
  EXPECT_EQ(session.last_notice(),
            "The structure was not changed, as the document was edited meanwhile");
}

TEST(LargeStructure, IsGivenUpWhenNobodyWantsIt) {
  SessionDriver session = of_one_layer();
  const Document before = session.state.document;
  session.send(command::SetStructure{large_structure(before)});
  Progress progress;
  progress.cancelled = true;
  session.send(*run_effect(only_restructure(session), &progress));
  EXPECT_EQ(session.state.document, before);
  EXPECT_TRUE(session.state.history.past.empty());
  EXPECT_EQ(session.state.restructuring, 0U);
  EXPECT_EQ(session.state.notices.back().level, Notice::Level::Warning);
}

// Jobs of one revision may end in any order: the newest request counts.
TEST(LargeStructure, OfAnOlderWishIsDropped) {
  SessionDriver session = of_one_layer();
  const effect::Restructure older = large_structure_asked(session);
  Structure wanted = older.wanted;
  wanted.d_v = 1400;
  session.send(command::SetStructure{wanted});
  const effect::Restructure newer = only_restructure(session);
  ASSERT_EQ(newer.revision, older.revision);
  session.send(*run_effect(newer, nullptr));
  session.send(*run_effect(older, nullptr));
  EXPECT_EQ(structure_of(session.state.document), wanted);
  EXPECT_EQ(session.state.history.past.size(), 1U);
  EXPECT_TRUE(session.state.notices.empty() ||
              session.state.notices.back().level != Notice::Level::Warning);
}

TEST(LargeStructure, ThatComesBackBeforeTheNewerOneIsDroppedToo) {
  SessionDriver session = of_one_layer();
  const Document before = session.state.document;
  const effect::Restructure older = large_structure_asked(session);
  Structure wanted = older.wanted;
  wanted.d_v = 1400;
  session.send(command::SetStructure{wanted});
  const effect::Restructure newer = only_restructure(session);
  session.send(*run_effect(older, nullptr));
  EXPECT_EQ(session.state.document, before);
  session.send(*run_effect(newer, nullptr));
  EXPECT_EQ(structure_of(session.state.document), wanted);
  EXPECT_EQ(session.state.history.past.size(), 1U);
}

// An immediate change, here to the present structure, supersedes a running job.
TEST(LargeStructure, IsDroppedForASmallOneThatWasAskedForLater) {
  SessionDriver session = of_one_layer();
  const Document before = session.state.document;
  const effect::Restructure job = large_structure_asked(session);
  session.send(command::SetStructure{structure_of(before)});
  session.send(*run_effect(job, nullptr));
  EXPECT_EQ(session.state.document, before);
}

// A made structure shows its document, but not while a question is open.
TEST(LargeStructure, LeavesTheDocumentThatIsAskedAbout) {
  SessionDriver session = of_one_layer();
  session.send(command::SetTitle{"Made in a job"});
  const std::uint64_t made = session.state.id;
  const effect::Restructure job = large_structure_asked(session);
  session.send(command::NewDocument{});
  session.send(command::SetTitle{"Asked about"});
  const std::uint64_t first_id = session.state.id;
  session.send(command::CloseTab{first_id});
  ASSERT_TRUE(session.state.question);
  const Document changed = made_by(job, session);
  EXPECT_EQ(session.state.id, first_id);
  EXPECT_EQ(session.state.document.title, "Asked about");
  session.send(command::AnswerQuestion{command::Answer::Cancel});
  session.send(command::SelectTab{made});
  EXPECT_EQ(session.state.document, changed);
}

TEST(LargeStructure, BringsItsDocumentBack) {
  SessionDriver session = of_one_layer();
  session.send(command::SetTitle{"Keeps its tab"});
  const std::uint64_t first_id = session.state.id;
  const effect::Restructure job = large_structure_asked(session);
  session.send(command::NewDocument{});
  ASSERT_NE(session.state.id, first_id);
  const Document changed = made_by(job, session);
  EXPECT_EQ(session.state.id, first_id);
  EXPECT_EQ(session.state.document, changed);
}

Document described() {
  Document document = test::two_heads();
  document.title = "Letters";
  document.description = "The query of “a” gives 0.5 to “b”.";
  return document;
}

TEST(SetTokens, AnotherTextTakesTitleAndDescriptionAway) {
  SessionDriver session;
  session.open(described());
  session.send(command::SetTokens{Side::Query, {"It", "rains"}, 0, "It\nrains"});
  EXPECT_EQ(session.state.document.title, "It rains");
  EXPECT_EQ(session.state.document.description, "");
  session.send(command::StepEdit{-1});
  EXPECT_EQ(session.state.document.title, "Letters");
  EXPECT_TRUE(is_described(session.state)) << "in one step";
  session.send(command::SetTokens{Side::Query, {"pasted", "words"}});
  EXPECT_EQ(session.state.document.title, "pasted words");
}

TEST(SetTokens, ATextThatKeepsATokenKeepsTheTitle) {
  SessionDriver session;
  session.open(described());
  session.send(command::SetTokens{Side::Query, {"a", "new", "one"}, 0, "a new one"});
  EXPECT_EQ(session.state.document.title, "Letters");
  EXPECT_FALSE(is_described(session.state));
  ASSERT_FALSE(session.state.notices.empty());
  EXPECT_EQ(session.state.notices.back().text,
            "The numbers of 2 new tokens come from seed 1, not from a trained model");
  const std::size_t notices = session.state.notices.size();
  session.send(command::SetTokens{Side::Query, {"a", "one"}, 0, "a one"});
  EXPECT_EQ(session.state.notices.size(), notices) << "none is new";
}

TEST(Description, OfOtherNumbersIsSavedAsSuch) {
  SessionDriver session;
  session.open(described());
  session.send(command::SetCell{{"/q", {}}, 0, 0, 7.0F});
  session.send(command::SaveAs{"/tmp/letters.json"});
  ASSERT_NE(session.effect<effect::Store>(), nullptr);
  const Document stored = *session.effect<effect::Store>()->document;
  EXPECT_TRUE(stored.description.starts_with("Written for different numbers: "));
  EXPECT_EQ(session.state.document.description, described().description);
}

TEST(Description, ThatIsMarkedIsNotMarkedOnceMore) {
  for (const char* prefix : {"Written for different numbers: ", "Written for other numbers: "}) {
    SessionDriver session;
    Document marked = described();
    marked.description = prefix + marked.description;
    session.open(marked);
    session.send(command::SetCell{{"/q", {}}, 0, 0, 7.0F});
    session.send(command::SaveAs{"/tmp/letters.json"});
    ASSERT_NE(session.effect<effect::Store>(), nullptr);
    EXPECT_EQ(session.effect<effect::Store>()->document->description, marked.description);
  }
}

TEST(Description, WithoutNumbersIsNotOfOtherOnes) {
  SessionDriver session;
  Document wordy = described();
  wordy.description = "Every query looks at its neighbours.";
  session.open(wordy);
  session.send(command::SetCell{{"/q", {}}, 0, 0, 7.0F});
  EXPECT_FALSE(has_past_numbers(session.state));
  EXPECT_EQ(document_to_write(session.state).description, wordy.description);
}

TEST(Description, IsOfTheNumbersItWasReadWith) {
  const Command edits[] = {command::SetCell{{"/q", {}}, 0, 0, 7.0F}, command::SetCausal{true},
                           command::RenameToken{Side::Query, 0, 0, "z"},
                           command::ScaleMatrix{{"/v", {}}, 2.0F}};
  for (const Command& edit : edits) {
    SessionDriver session;
    session.open(described());
    EXPECT_TRUE(is_described(session.state));
    session.send(edit);
    EXPECT_FALSE(is_described(session.state));
    session.send(command::StepEdit{-1});
    EXPECT_TRUE(is_described(session.state));
    session.send(command::StepEdit{1});
    EXPECT_FALSE(is_described(session.state));
  }
  SessionDriver session;
  session.open(described());
  session.send(command::SetTitle{"Another"});
  EXPECT_TRUE(is_described(session.state)) << "no number changed";
  session.send(command::SetCell{{"/q", {}}, 0, 0, 7.0F});
  session.send(command::SetCell{{"/q", {}}, 0, 0, 1.0F});
  EXPECT_TRUE(is_described(session.state)) << "typed back";
}

}  // namespace
}  // namespace attn
