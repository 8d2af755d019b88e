// Autosave: written while editing, deleted on saving, found after a crash.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utime.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/random.h"
#include "document/json/write.h"
#include "document/load/open.h"
#include "session/preferences.h"
#include "support/process.h"
#include "tests/core/session/session_driver.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
using test::SessionDriver;
using test::set_cell;
using test::TemporaryFolder;
using test::two_heads;

const std::int64_t kNow = std::time(nullptr);

Document with_cell(float value) {
  Document document = two_heads();
  auto& q = std::get<GivenQkv>(document.model).q;
  q = q.with(0, value);
  return document;
}

Document document_of(const UnsavedWork& work) {
  return open_document(document_file(work))->document;
}

mode_t mode_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 0777U;
}

void set_time(const UnsavedWork& work, std::int64_t seconds) {
  const utimbuf times{seconds, seconds};
  EXPECT_EQ(::utime(document_file(work).c_str(), &times), 0);
}

TEST(UnsavedWork, IsFoundAsItWasWhenTheRunIsOver) {
  const TemporaryFolder parent;
  std::vector<UnsavedWork> kept;
  {
    const auto run = RunFolder::make(parent.path());
    ASSERT_TRUE(run);
    for (const Example& example : all_examples()) {
      const Document document =
          open_document(std::string(kExamplePrefix) + std::string(example.name))->document;
      UnsavedWork work{run->path, kept.size() + 1, std::string(example.name), "/a/b.attn.json"};
      work.file_version = FileVersion{12, 0xFFFFFFFFFFFFFFFFU};
      if (kept.empty()) work.path = "/a/not \xff text.json";
      work.edits = kept.size();
      ASSERT_TRUE(autosave_work(work, document));
      EXPECT_EQ(document_of(work), document) << work.name;
      kept.push_back(work);
    }
    EXPECT_TRUE(find_unsaved(parent.path(), kNow).work.empty()) << "the run is not over";
  }
  for (const UnsavedWork& work : kept) set_time(work, kNow - static_cast<int>(work.document));
  const FoundWork found = find_unsaved(parent.path(), kNow);
  ASSERT_EQ(found.work.size(), kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    kept[i].written = kNow - static_cast<int>(kept[i].document);
    kept[i].offered = kNow;
    EXPECT_EQ(found.work[i], kept[i]);
  }
}

TEST(UnsavedWork, IsForNobodyElseToRead) {
  const TemporaryFolder parent;
  const auto run = RunFolder::make(parent.path() + "/made/on/the/way");
  ASSERT_TRUE(run);
  const UnsavedWork work{run->path, 1, "a", ""};
  ASSERT_TRUE(autosave_work(work, two_heads()));
  EXPECT_EQ(mode_of(run->path), 0700U);
  for (const auto& file : fs::directory_iterator(run->path)) {
    EXPECT_EQ(mode_of(file.path().string()), 0600U) << file.path();
  }
}

TEST(UnsavedWork, OfTwoRunsNeverMixes) {
  const TemporaryFolder parent;
  const auto first = RunFolder::make(parent.path());
  {
    const auto second = RunFolder::make(parent.path());
    ASSERT_TRUE(first && second);
    EXPECT_NE(first->path, second->path);
    ASSERT_TRUE(autosave_work({first->path, 1, "first", ""}, with_cell(1.0F)));
    ASSERT_TRUE(autosave_work({second->path, 1, "second", ""}, with_cell(2.0F)));
  }
  const FoundWork found = find_unsaved(parent.path(), kNow);
  ASSERT_EQ(found.work.size(), 1U);
  EXPECT_EQ(found.work[0].name, "second");
  EXPECT_EQ(document_of(found.work[0]), with_cell(2.0F));
}

TEST(UnsavedWork, ThatIsForgottenLeavesNothing) {
  const TemporaryFolder parent;
  std::string folder;
  {
    const auto run = RunFolder::make(parent.path());
    folder = run->path;
    ASSERT_TRUE(autosave_work({folder, 1, "a", ""}, two_heads()));
    ASSERT_TRUE(autosave_work({folder, 2, "b", ""}, two_heads()));
    remove_autosave(folder, 1);
    EXPECT_TRUE(fs::exists(folder)) << "the run goes on";
  }
  const FoundWork found = find_unsaved(parent.path(), kNow);
  ASSERT_EQ(found.work.size(), 1U);
  EXPECT_EQ(found.work[0].name, "b");
  remove_autosave(folder, 2);
  EXPECT_FALSE(fs::exists(folder));
}

TEST(UnsavedWork, WithABrokenNoteIsStillFound) {
  const TemporaryFolder parent;
  std::string folder;
  {
    const auto run = RunFolder::make(parent.path());
    folder = run->path;
    ASSERT_TRUE(autosave_work({folder, 1, "a", "/a"}, two_heads()));
  }
  for (const char* note : {"", "{", "[]", R"({"name": 5, "path": {}, "edits": -1, "file": 1})"}) {
    std::ofstream(folder + "/1.note.json") << note;
    const FoundWork found = find_unsaved(parent.path(), kNow);
    ASSERT_EQ(found.work.size(), 1U) << note;
    EXPECT_EQ(found.work[0].name, "");
    EXPECT_EQ(document_of(found.work[0]), two_heads());
  }
}

TEST(UnsavedWork, IsNothingThatNoRunHasWritten) {
  const TemporaryFolder parent;
  const std::string run = parent.path() + "/4194305-0";
  fs::create_directories(run + "/2.attn.json");
  for (const char* name : {"0.attn.json", "-5.attn.json", "007.attn.json", "a.attn.json",
                           "99999999999999999999.attn.json", "3.json"}) {
    std::ofstream(run + "/" + name) << "{}";
  }
  std::ofstream(parent.path() + "/file") << "";
  fs::create_directory_symlink(parent.path(), parent.path() + "/loop");
  EXPECT_TRUE(find_unsaved(parent.path(), kNow).work.empty());
  EXPECT_FALSE(fs::exists(parent.path() + "/lock")) << "nothing is followed";
  EXPECT_FALSE(fs::exists(run + "/lock"));
}

std::vector<std::string> tree(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    paths.push_back(entry.path().string());
  }
  std::ranges::sort(paths);
  return paths;
}

TEST(UnsavedWork, NothingOfOthersIsEverRemoved) {
  const TemporaryFolder parent;
  for (const char* other : {"thesis", "12-x", "12", "4194305-1", "4194305-2"}) {
    fs::create_directories(parent.path() + "/" + other + "/deep");
    std::ofstream(parent.path() + "/" + other + "/t.txt") << "mine";
  }
  std::ofstream(parent.path() + "/4194305-1/lock") << "mine";
  std::ofstream(parent.path() + "/4194305-2/lock") << "";
  std::ofstream(parent.path() + "/4194305-2/1.note.json") << "{}";
  const std::vector<std::string> before = tree(parent.path());
  EXPECT_TRUE(find_unsaved(parent.path(), kNow).work.empty());
  EXPECT_EQ(tree(parent.path()), before);
}

TEST(UnsavedWork, ARunsFolderGoesWithItsOwnFilesOnly) {
  const TemporaryFolder parent;
  std::string empty, shared;
  {
    const auto first = RunFolder::make(parent.path()), second = RunFolder::make(parent.path());
    ASSERT_TRUE(first && second && list_open_files(first->path, {"/a"}));
    empty = first->path;
    shared = second->path;
    std::ofstream(empty + "/.1.attn.json.4194305-0") << "cut short by a kill";
    std::ofstream(shared + "/t.txt") << "mine";
  }
  EXPECT_TRUE(find_unsaved(parent.path(), kNow).work.empty());
  EXPECT_FALSE(fs::exists(empty));
  EXPECT_EQ(tree(shared), std::vector{shared + "/t.txt"});
}

// Version 0.1.0 wrote this state, with an empty lock file.
TEST(UnsavedWork, WithoutAMarkIsOfferedAsLongAsNobodyTookIt) {
  constexpr std::int64_t kYear = std::int64_t{365} * 24 * 3600;
  const TemporaryFolder parent;
  const std::string run = parent.path() + "/4194305-0";
  fs::create_directories(run);
  ASSERT_TRUE(autosave_work({run, 1, "old", ""}, two_heads()));
  std::ofstream(run + "/lock") << "";
  for (const std::int64_t later : {std::int64_t{0}, kYear, 2 * kYear}) {
    const FoundWork found = find_unsaved(parent.path(), kNow + later);
    ASSERT_EQ(found.work.size(), 1U) << later;
    EXPECT_EQ(found.work[0].name, "old");
  }
  remove_autosave(run, 1);
  EXPECT_FALSE(fs::exists(run));
}

TEST(OpenElsewhere, IsKnownByTheFileAsLongAsTheOtherRunLives) {
  const TemporaryFolder parent, files;
  const std::string file = files.file("a.json"), link = files.file("b.json");
  std::ofstream(file) << "{}";
  fs::create_symlink(file, link);
  const Result<RunFolder> own = RunFolder::make(parent.path());
  ASSERT_TRUE(own && list_open_files(own->path, {file}));
  EXPECT_FALSE(is_open_elsewhere(own->path, file)) << "it is open here";
  {
    const Result<RunFolder> other = RunFolder::make(parent.path());
    ASSERT_TRUE(other && list_open_files(other->path, {files.file("c.json"), link}));
    EXPECT_TRUE(is_open_elsewhere(own->path, file));
    EXPECT_FALSE(is_open_elsewhere(own->path, files.file("d.json")));
    ASSERT_TRUE(list_open_files(other->path, {}));
    EXPECT_FALSE(is_open_elsewhere(own->path, file));
    ASSERT_TRUE(list_open_files(other->path, {file}));
  }
  EXPECT_FALSE(is_open_elsewhere(own->path, file)) << "that run is over";
  EXPECT_TRUE(find_unsaved(parent.path(), kNow).work.empty());
}

TEST(UnsavedWork, GoesWhenItWasOfferedForLongOrIsTooMuch) {
  constexpr std::int64_t kDay = 24 * 3600;
  const TemporaryFolder parent;
  const auto keep = [&](const std::string& name, std::int64_t days, std::uintmax_t bytes) {
    const auto run = RunFolder::make(parent.path());
    const UnsavedWork work{run->path, 1, name, ""};
    ASSERT_TRUE(autosave_work(work, two_heads()));
    if (bytes > 0) fs::resize_file(document_file(work), bytes);
    set_time(work, kNow - days * kDay);
  };
  const auto names_at = [&](std::int64_t days) {
    std::vector<std::string> names;
    for (const UnsavedWork& work : find_unsaved(parent.path(), kNow + days * kDay).work) {
      names.push_back(work.name);
    }
    return names;
  };
  using Kept = std::vector<std::string>;
  keep("large", 1, std::uintmax_t{90} << 20U);
  keep("larger", 29, std::uintmax_t{95} << 20U);
  keep("of a clock that was wrong", kNow / kDay, 0);
  const Kept all{"large", "larger", "of a clock that was wrong"};
  EXPECT_EQ(names_at(0), all) << "nothing goes that was never offered";
  EXPECT_EQ(names_at(1), all) << "nor what was offered just now";
  keep("new", -1, std::uintmax_t{150} << 20U);
  EXPECT_EQ(names_at(2), (Kept{"new", "large", "of a clock that was wrong"}))
      << "what is new does not count";
  fs::resize_file(document_file(find_unsaved(parent.path(), kNow + 2 * kDay).work.front()), 1);
  EXPECT_EQ(names_at(30).size(), 3U);
  EXPECT_EQ(find_unsaved(parent.path(), kNow + 31 * kDay).removed, 2U);
  EXPECT_EQ(names_at(31), Kept{"new"}) << "days count from the first offer";
}

// Edits cell after cell and writes which one was autosaved, until it is killed.
[[noreturn]] void edit_until_killed(const std::string& parent, int said) {
  const auto run = RunFolder::make(parent);
  for (std::uint32_t i = 1; run; ++i) {
    const Status kept = autosave_work({run->path, 1, "killed", ""}, with_cell(float(i)));
    if (!kept || ::write(said, &i, sizeof i) != sizeof i) break;
  }
  ::_exit(1);
}

// Last number written.
std::uint32_t last_said(int from) {
  std::uint32_t last = 0;
  for (std::uint32_t next = 0; ::read(from, &next, sizeof next) == sizeof next;) last = next;
  return last;
}

TEST(UnsavedWork, SurvivesAKillAtAnyMoment) {
  Random random(5);
  for (int round = 0; round < 200; ++round) {
    const TemporaryFolder parent;
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    const pid_t child = ::fork();
    if (child == 0) edit_until_killed(parent.path(), pipe[1]);
    ::close(pipe[1]);
    std::this_thread::sleep_for(std::chrono::microseconds(1000 + random.next() % 9000));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const std::uint32_t said = last_said(pipe[0]);
    ::close(pipe[0]);
    const FoundWork found = find_unsaved(parent.path(), kNow);
    if (said == 0 && found.work.empty()) continue;
    ASSERT_EQ(found.work.size(), 1U) << said;
    const Document document = document_of(found.work[0]);
    EXPECT_TRUE(document == with_cell(float(said)) || document == with_cell(float(said + 1)))
        << said;
  }
}

// ---- The session.

struct Keeping {
  explicit Keeping(Document document = two_heads(), const std::string& path = "/tmp/a.attn.json")
      : run(RunFolder::make(parent.path()).value()) {
    session.send(command::SetAutosaveFolder{run.path});
    session.open(std::move(document), path);
  }
  // The program's autosave timer, twice a second.
  void beat() {
    session.send(command::Autosave{});
    session.settle();
  }
  std::vector<UnsavedWork> left_after_a_kill() {
    { const RunFolder over = std::move(run); }
    return find_unsaved(parent.path(), kNow).work;
  }

  TemporaryFolder parent;
  RunFolder run;
  SessionDriver session;
};

TEST(KeepingUnsaved, WritesWhatChangedAndNothingElse) {
  Keeping keeping;
  EXPECT_FALSE(needs_autosave(keeping.session.state)) << "nothing is edited";
  keeping.session.send(set_cell(0, 0, 5.0F));
  EXPECT_TRUE(needs_autosave(keeping.session.state));
  keeping.session.send(command::Autosave{});
  ASSERT_NE(keeping.session.effect<effect::AutosaveDocument>(), nullptr);
  EXPECT_FALSE(needs_autosave(keeping.session.state)) << "one at a time";
  keeping.session.settle();
  keeping.beat();
  EXPECT_FALSE(needs_autosave(keeping.session.state));
  const auto left = keeping.left_after_a_kill();
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].path, "/tmp/a.attn.json");
  EXPECT_EQ(left[0].name, "a.attn.json");
  EXPECT_EQ(left[0].edits, 1U);
  const Document document = document_of(left[0]);
  EXPECT_EQ(document.model, with_cell(5.0F).model);
}

TEST(KeepingUnsaved, EndsWhenUndoOrSavingLeavesNothingToLose) {
  Keeping undone;
  undone.session.send(set_cell(0, 0, 5.0F));
  undone.beat();
  undone.session.send(command::StepEdit{-1});
  EXPECT_TRUE(needs_autosave(undone.session.state)) << "to be forgotten";
  undone.beat();
  EXPECT_TRUE(undone.left_after_a_kill().empty());

  Keeping saved;
  saved.session.send(set_cell(0, 0, 5.0F));
  saved.beat();
  saved.session.send(test::stored("/tmp/a.attn.json", saved.session.state.revision));
  saved.beat();
  EXPECT_TRUE(saved.left_after_a_kill().empty());
}

TEST(KeepingUnsaved, ForgetsWhatIsDiscarded) {
  Keeping keeping;
  keeping.session.send(set_cell(0, 0, 5.0F));
  keeping.beat();
  keeping.session.send(command::CloseTab{});
  keeping.session.send(command::AnswerQuestion{command::Answer::Discard});
  keeping.session.settle();
  EXPECT_TRUE(keeping.left_after_a_kill().empty());
}

TEST(KeepingUnsaved, IsAPreference) {
  Keeping keeping;
  keeping.session.send(set_cell(0, 0, 5.0F));
  keeping.beat();
  keeping.session.send(command::SetPreference{"keeps_unsaved", "false"});
  const auto* stored = keeping.session.effect<effect::StorePreferences>();
  ASSERT_NE(stored, nullptr);
  EXPECT_FALSE(parse_preferences(preferences_text(stored->preferences)).autosaves);
  keeping.beat();
  keeping.session.send(set_cell(0, 0, 6.0F));
  EXPECT_FALSE(needs_autosave(keeping.session.state));
  EXPECT_TRUE(keeping.left_after_a_kill().empty());
}

TEST(KeepingUnsaved, SaysOnceThatItCannot) {
  Keeping keeping;
  keeping.session.send(command::SetAutosaveFolder{"/nowhere/at/all"});
  for (const float value : {1.5F, 2.5F, 3.5F}) {
    keeping.session.send(set_cell(0, 0, value));
    keeping.beat();
    EXPECT_TRUE(needs_autosave(keeping.session.state)) << "tried again";
  }
  ASSERT_EQ(keeping.session.state.notices.size(), 1U);
  EXPECT_EQ(keeping.session.state.notices[0].count, 1U);
  EXPECT_NE(keeping.session.last_notice().find("/nowhere/at/all"), std::string::npos);
}

struct Restoring {
  explicit Restoring(const std::string& path) {
    Keeping killed(two_heads(), path);
    killed.session.send(set_cell(0, 0, 5.0F));
    killed.beat();
    left = killed.left_after_a_kill();
    // The folder is removed with its run; its documents are autosaved by this one.
    work = UnsavedWork{run.path, 7, left.at(0).name, left[0].path, left[0].file_version};
    EXPECT_TRUE(autosave_work(work, document_of(left[0])));
    session.send(command::SetAutosaveFolder{own.path});
    session.send(command::UnsavedFound{{}, {{work}, 0}});
  }

  TemporaryFolder parent;
  RunFolder run = RunFolder::make(parent.path()).value();
  RunFolder own = RunFolder::make(parent.path()).value();
  std::vector<UnsavedWork> left;
  UnsavedWork work;
  SessionDriver session;
};

TEST(RestoringWork, BringsBackTheDocumentWithItsFileAndItsEdits) {
  Restoring restoring("/tmp/a.attn.json");
  SessionDriver& session = restoring.session;
  EXPECT_TRUE(session.state.recovery.is_open);
  EXPECT_TRUE(is_covered(session.state));
  session.send(command::RestoreWork{restoring.work, false});
  session.settle();
  EXPECT_EQ(session.state.document.model, with_cell(5.0F).model);
  EXPECT_EQ(session.state.path, "/tmp/a.attn.json");
  EXPECT_TRUE(has_unsaved_changes(session.state));
  EXPECT_FALSE(session.state.recovery.is_open);
  EXPECT_TRUE(fs::exists(document_file(restoring.work))) << "until it is kept by this run";
  session.send(command::Autosave{});
  session.settle();
  EXPECT_FALSE(fs::exists(document_file(restoring.work)));
  EXPECT_TRUE(fs::exists(document_file({restoring.own.path, session.state.id, "", ""})));
}

TEST(RestoringWork, OfACopyHasNoFile) {
  Restoring restoring("/tmp/a.attn.json");
  restoring.session.send(command::RestoreWork{restoring.work, true});
  restoring.session.settle();
  EXPECT_EQ(restoring.session.state.path, "");
  EXPECT_EQ(restoring.session.state.document.model, with_cell(5.0F).model);
  EXPECT_TRUE(has_unsaved_changes(restoring.session.state));
}

TEST(RestoringWork, TakesTheTabOfItsFileUnlessThatIsEdited) {
  for (const bool is_edited : {false, true}) {
    Restoring restoring("/tmp/a.attn.json");
    restoring.session.open(two_heads(), "/tmp/a.attn.json");
    if (is_edited) restoring.session.send(set_cell(1, 1, 9.0F));
    restoring.session.send(command::RestoreWork{restoring.work, false});
    restoring.session.settle();
    EXPECT_EQ(restoring.session.state.document.model, with_cell(5.0F).model);
    EXPECT_EQ(open_documents(restoring.session.state).size(), is_edited ? 2U : 1U);
  }
}

TEST(RestoringWork, ThatFailsSaysSoAndRemovesNothing) {
  Restoring restoring("/tmp/a.attn.json");
  std::ofstream(document_file(restoring.work)) << "{";
  restoring.session.send(command::RestoreWork{restoring.work, false});
  restoring.session.settle();
  EXPECT_NE(restoring.session.last_notice().find("could not be restored"), std::string::npos);
  EXPECT_TRUE(fs::exists(document_file(restoring.work)));
}

TEST(RestoringWork, LeftForNowCanBeLookedAtAgain) {
  Restoring restoring("");
  restoring.session.send(command::ShowUnsaved{false});
  EXPECT_FALSE(is_covered(restoring.session.state));
  EXPECT_TRUE(fs::exists(document_file(restoring.work)));
  restoring.session.send(command::ShowUnsaved{true});
  EXPECT_TRUE(restoring.session.state.recovery.is_open);
}

TEST(RestoringWork, SaysHowMuchWasTooOld) {
  SessionDriver session;
  session.send(command::UnsavedFound{{}, {{}, 3}});
  EXPECT_FALSE(session.state.recovery.is_open);
  EXPECT_NE(session.last_notice().find("3 documents"), std::string::npos);
}

// Restores work on a file or an example; its edits are one step of undo.
struct Undone {
  explicit Undone(const std::string& opened) {
    SessionDriver killed;
    killed.send(command::SetAutosaveFolder{run.path});
    killed.send(command::Open{opened});
    killed.settle();
    before = killed.state.document;
    killed.send(command::SetCausal{true});
    killed.send(command::SetTitle{"Edited"});
    edited = killed.state.document;
    killed.send(command::Autosave{});
    killed.settle();
    run.lock = Descriptor();
    work = find_unsaved(parent.path(), kNow).work.at(0);
    session.send(command::SetAutosaveFolder{own.path});
    session.send(command::UnsavedFound{{}, {{work}, 0}});
    session.send(command::RestoreWork{work, false});
    session.settle();
  }

  TemporaryFolder parent;
  RunFolder run = RunFolder::make(parent.path()).value();
  RunFolder own = RunFolder::make(parent.path()).value();
  Document before, edited;
  UnsavedWork work;
  SessionDriver session;
};

TEST(RestoringWork, CanBeUndoneToWhatWasOpened) {
  const TemporaryFolder folder;
  const std::string file = folder.file("cats.attn.json");
  std::ofstream(file) << write_document(two_heads());
  for (const std::string& opened : {file, first_example(), std::string("example:four-heads")}) {
    Undone undone(opened);
    SessionDriver& session = undone.session;
    EXPECT_EQ(session.state.document.mask, undone.edited.mask) << opened;
    EXPECT_EQ(session.state.document.title, "Edited");
    EXPECT_TRUE(has_unsaved_changes(session.state));
    ASSERT_EQ(session.state.history.past.size(), 1U) << opened;
    session.send(command::StepEdit{-1});
    session.settle();
    EXPECT_EQ(session.state.document.mask, undone.before.mask) << opened;
    EXPECT_EQ(session.state.document.title, undone.before.title);
    EXPECT_FALSE(has_unsaved_changes(session.state)) << opened;
    session.send(command::StepEdit{1});
    session.settle();
    EXPECT_EQ(session.state.document.title, "Edited");
    EXPECT_EQ(session.state.document.model, undone.edited.model) << opened;
  }
}

TEST(RestoringWork, OnAFileThatChangedSinceAsksBeforeItIsSavedOver) {
  const TemporaryFolder folder;
  const std::string file = folder.file("cats.attn.json");
  std::ofstream(file) << write_document(two_heads());
  Undone undone(file);
  std::ofstream(file) << write_document(with_cell(7.0F));
  undone.session.send(command::Save{});
  undone.session.settle();
  EXPECT_TRUE(undone.session.state.question);
  EXPECT_EQ(open_document(file)->document.model, with_cell(7.0F).model);
}

}  // namespace
}  // namespace attn
