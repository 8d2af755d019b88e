// Atomic writing of files, and reading.
#include "base/files.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/descriptor.h"
#include "base/random.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kPlenty = 1U << 20U;

class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "attnscope-files-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t files_in_folder() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(Files, WhatIsWrittenIsReadAndNothingElseStays) {
  const std::string bytes("a\0b\n", 4);
  ASSERT_TRUE(write_file_atomically(path("x.json"), bytes, Overwrite::Refuse));
  EXPECT_EQ(read_file(path("x.json"), kPlenty).value(), bytes);
  EXPECT_EQ(files_in_folder(), 1U);
}

TEST_F(Files, RefusesToOverwriteUnlessTold) {
  ASSERT_TRUE(write_file_atomically(path("x"), "old", Overwrite::Refuse));
  const Status refused = write_file_atomically(path("x"), "new", Overwrite::Refuse);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::CannotWrite);
  EXPECT_EQ(refused.error().message, "the file exists already");
  EXPECT_EQ(read_file(path("x"), kPlenty).value(), "old");
  ASSERT_TRUE(write_file_atomically(path("x"), "new", Overwrite::Replace));
  EXPECT_EQ(read_file(path("x"), kPlenty).value(), "new");
  EXPECT_EQ(files_in_folder(), 1U);
}

TEST_F(Files, KeepsPermissionsAndLinks) {
  ASSERT_TRUE(write_file_atomically(path("real"), "old", Overwrite::Refuse));
  fs::permissions(path("real"), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("real", path("link"));
  ASSERT_TRUE(write_file_atomically(path("link"), "new", Overwrite::Replace));
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read_file(path("real"), kPlenty).value(), "new");
  EXPECT_EQ(fs::status(path("real")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

struct stat about(const std::string& path) {
  struct stat found {};
  EXPECT_EQ(::stat(path.c_str(), &found), 0) << path;
  return found;
}

TEST_F(Files, SetIdBitsWereGivenToTheOldBytesAlone) {
  ASSERT_TRUE(write_file_atomically(path("x"), "old", Overwrite::Refuse));
  ASSERT_EQ(::chmod(path("x").c_str(), 06755), 0);
  ASSERT_TRUE(write_file_atomically(path("x"), "new", Overwrite::Replace));
  EXPECT_EQ(about(path("x")).st_mode & 07777U, 0755U);
}

TEST_F(Files, KeepsTheOwnerWhereThatIsAllowed) {
  if (::geteuid() != 0) GTEST_SKIP() << "only the superuser may give files away";
  ASSERT_TRUE(write_file_atomically(path("x"), "old", Overwrite::Refuse));
  ASSERT_EQ(::chown(path("x").c_str(), 1234, 4321), 0);
  ASSERT_EQ(::chmod(path("x").c_str(), 0660), 0);
  ASSERT_TRUE(write_file_atomically(path("x"), "new", Overwrite::Replace));
  EXPECT_EQ(about(path("x")).st_uid, 1234U);
  EXPECT_EQ(about(path("x")).st_gid, 4321U);
  EXPECT_EQ(about(path("x")).st_mode & 07777U, 0660U);
}

TEST_F(Files, ALoopOfLinksIsAnErrorAndStays) {
  fs::create_symlink("b", path("a"));
  fs::create_symlink("a", path("b"));
  const Status refused = write_file_atomically(path("a"), "new", Overwrite::Replace);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("symbolic links"), std::string::npos)
      << refused.error().message;
  EXPECT_TRUE(fs::is_symlink(path("a")));
  EXPECT_TRUE(fs::is_symlink(path("b")));
}

TEST_F(Files, ALinkToAFileThatIsNotThereYetIsFollowed) {
  fs::create_symlink("real", path("link"));
  ASSERT_TRUE(write_file_atomically(path("link"), "new", Overwrite::Refuse));
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read_file(path("real"), kPlenty).value(), "new");
}

TEST_F(Files, OtherNamesKeepTheOldBytesWhichIsSaid) {
  ASSERT_TRUE(write_file_atomically(path("x"), "old", Overwrite::Refuse));
  EXPECT_EQ(remark_on_other_names(path("x")), "");
  EXPECT_EQ(remark_on_other_names(path("none")), "");
  fs::create_hard_link(path("x"), path("other"));
  EXPECT_EQ(remark_on_other_names(path("x")),
            "its other name (a hard link) keeps what the file held before");
  ASSERT_TRUE(write_file_atomically(path("x"), "new", Overwrite::Replace));
  EXPECT_EQ(read_file(path("other"), kPlenty).value(), "old");
  EXPECT_EQ(remark_on_other_names(path("x")), "");
}

TEST_F(Files, NamesMayBeAsLongAsNamesCanBe) {
  for (const std::string& name : {std::string(255, 'x'), "ä" + std::string(253, 'x'),
                                  std::string(199, 'x') + "ä" + std::string(54, 'x')}) {
    ASSERT_EQ(name.size(), 255U);
    for (const Overwrite overwrite : {Overwrite::Refuse, Overwrite::Replace}) {
      const Status written = write_file_atomically(path(name), "a", overwrite);
      EXPECT_TRUE(written) << describe(written.error());
    }
  }
}

// Id of a process that has ended.
std::string gone_process() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  return std::to_string(child);
}

TEST_F(Files, WhatAKilledProcessLeftOfWritingIsRemoved) {
  const std::string gone = gone_process(), here = std::to_string(::getpid());
  const std::string left = ".x.json." + gone + "-0";
  const std::string others[] = {".x.json." + here + "-7", ".y.json." + gone + "-0",
                                ".x.json.notes-0",        ".x.json." + gone,
                                ".x.json." + gone + "-b", "x.json." + gone + "-0"};
  std::ofstream(path(left)) << "half";
  for (const std::string& other : others) std::ofstream(path(other)) << "kept";
  ASSERT_TRUE(write_file_atomically(path("x.json"), "new", Overwrite::Refuse));
  EXPECT_FALSE(fs::exists(path(left)));
  for (const std::string& other : others) EXPECT_TRUE(fs::exists(path(other))) << other;
}

// Failing replacements of system calls.
struct Fault {
  const char* call;
  FileCalls calls;
  int code;
};

template <int kCode>
int fails(int /*fd*/) {
  errno = kCode;
  return -1;
}

template <int kCode>
int fails_for(const char* /*from*/, const char* /*to*/) noexcept {
  errno = kCode;
  return -1;
}

template <int kCode>
ssize_t writes_nothing(int /*fd*/, const void* /*bytes*/, std::size_t /*count*/) {
  errno = kCode;
  return -1;
}

// Writes one byte, then fails.
ssize_t writes_one(int fd, const void* bytes, std::size_t count) {
  if (::lseek(fd, 0, SEEK_CUR) == 0) return ::write(fd, bytes, std::min<std::size_t>(count, 1));
  errno = ENOSPC;
  return -1;
}

ssize_t writes_short(int fd, const void* bytes, std::size_t count) {
  return ::write(fd, bytes, std::min<std::size_t>(count, 2));
}

int closes_in_vain(int fd) {
  ::close(fd);
  errno = EIO;
  return -1;
}

std::vector<Fault> all_faults() {
  std::vector<Fault> faults = {
      {"write", {}, ENOSPC}, {"write", {}, EIO},  {"later write", {}, ENOSPC}, {"sync", {}, EIO},
      {"close", {}, EIO},    {"rename", {}, EIO}, {"rename", {}, ENOSPC}};
  faults[0].calls.write = writes_nothing<ENOSPC>;
  faults[1].calls.write = writes_nothing<EIO>;
  faults[2].calls.write = writes_one;
  faults[3].calls.sync = fails<EIO>;
  faults[4].calls.close = closes_in_vain;
  faults[5].calls.rename = fails_for<EIO>;
  faults[6].calls.rename = fails_for<ENOSPC>;
  for (Fault& fault : faults) fault.calls.link = fails_for<EPERM>;  // there are no hard links
  return faults;
}

// Replaces system calls during its lifetime.
class WithCalls {
 public:
  explicit WithCalls(const FileCalls& calls) { file_calls() = calls; }
  ~WithCalls() { file_calls() = {}; }
  WithCalls(const WithCalls&) = delete;
  WithCalls& operator=(const WithCalls&) = delete;
};

unsigned mode_of_the_last = 0;
int open_and_remember(const char* path, int flags, unsigned mode) {
  mode_of_the_last = mode;
  return ::open(path, flags, mode);
}

TEST_F(Files, PrivateOnesAreSoFromTheirFirstByte) {
  FileCalls calls;
  calls.open = open_and_remember;
  const WithCalls turned(calls);
  for (const fs::perms before : {fs::perms::none, fs::perms(0600), fs::perms(0644)}) {
    if (before != fs::perms::none) fs::permissions(path("own"), before);
    ASSERT_TRUE(write_private_file(path("own"), "new"));
    EXPECT_EQ(mode_of_the_last, 0600U);
    EXPECT_EQ(fs::status(path("own")).permissions(), fs::perms(0600));
  }
  ASSERT_TRUE(write_file_atomically(path("own"), "newer", Overwrite::Replace));
  EXPECT_EQ(mode_of_the_last, 0600U) << "its new bytes are as private as the old ones";
  EXPECT_EQ(fs::status(path("own")).permissions(), fs::perms(0600));
  EXPECT_EQ(files_in_folder(), 1U);
}

TEST_F(Files, APrivateOneIsWrittenWholeOrNotAtAll) {
  ASSERT_TRUE(write_private_file(path("own"), "old"));
  FileCalls calls;
  calls.rename = [](const char*, const char*) noexcept { return errno = EIO, -1; };
  {
    const WithCalls turned(calls);
    EXPECT_FALSE(write_private_file(path("own"), "new"));
  }
  fs::permissions(path("own"), fs::perms::owner_read);
  EXPECT_FALSE(write_private_file(path("own"), "new")) << "it is write-protected";
  EXPECT_EQ(read_file(path("own"), kPlenty).value(), "old");
  EXPECT_EQ(files_in_folder(), 1U);
}

TEST_F(Files, WhateverFailsTheOldBytesStayWholeAndTheReasonIsSaid) {
  ASSERT_TRUE(write_file_atomically(path("x"), "old", Overwrite::Refuse));
  for (const Fault& fault : all_faults()) {
    for (const Overwrite overwrite : {Overwrite::Replace, Overwrite::Refuse}) {
      const WithCalls calls(fault.calls);
      const std::string name = path(overwrite == Overwrite::Replace ? "x" : "y");
      const Status failed = write_file_atomically(name, "new bytes", overwrite);
      ASSERT_FALSE(failed) << fault.call;
      EXPECT_EQ(failed.error().kind, ErrorKind::CannotWrite);
      EXPECT_EQ(exit_code(failed.error().kind), 5);
      EXPECT_EQ(failed.error().file, name);
      EXPECT_NE(failed.error().message.find(std::strerror(fault.code)), std::string::npos)
          << fault.call << ": " << failed.error().message;
    }
    EXPECT_EQ(read_file(path("x"), kPlenty).value(), "old") << fault.call;
    EXPECT_EQ(files_in_folder(), 1U) << fault.call;
  }
}

// Saves one text after another until it is killed.
[[noreturn]] void save_until_killed(const std::string& path,
                                    const std::vector<std::string>& texts) {
  for (std::size_t i = 0; write_file_atomically(path, texts[i % 2], Overwrite::Replace); ++i) {
  }
  ::_exit(1);
}

TEST_F(Files, AreWholeWheneverTheProcessThatSavesIsKilled) {
  const std::vector<std::string> texts{std::string(300'000, 'a'), std::string(500'000, 'b')};
  ASSERT_TRUE(write_file_atomically(path("x"), texts[0], Overwrite::Refuse));
  Random random(3);
  for (int round = 0; round < 100; ++round) {
    const pid_t child = ::fork();
    if (child == 0) save_until_killed(path("x"), texts);
    ::usleep(static_cast<useconds_t>(500 + random.next() % 5000));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const std::string left = read_file(path("x"), kPlenty).value();
    ASSERT_TRUE(left == texts[0] || left == texts[1]) << round << ": " << left.size() << " bytes";
  }
  ASSERT_TRUE(write_file_atomically(path("x"), texts[0], Overwrite::Replace));
  EXPECT_EQ(files_in_folder(), 1U) << "what the killed left is gone";
}

TEST_F(Files, PortionsAreOneFileWhichAppearsAtTheEndOrNever) {
  ASSERT_TRUE(write_file_atomically(path("x"), "old", Overwrite::Refuse));
  {
    Result<FileWriter> given_up = FileWriter::open(path("x"), Overwrite::Replace);
    ASSERT_TRUE(given_up && given_up->write("half of"));
  }
  EXPECT_EQ(files_in_folder(), 1U);
  Result<FileWriter> writer = FileWriter::open(path("x"), Overwrite::Replace);
  ASSERT_TRUE(writer && writer->write("in ") && writer->write("portions"));
  EXPECT_EQ(read_file(path("x"), kPlenty).value(), "old");
  ASSERT_TRUE(writer->commit());
  EXPECT_EQ(read_file(path("x"), kPlenty).value(), "in portions");
  EXPECT_EQ(files_in_folder(), 1U);
}

TEST_F(Files, APortionThatFailedLeavesTheOldBytesWhateverFollows) {
  ASSERT_TRUE(write_file_atomically(path("x"), "old", Overwrite::Refuse));
  Result<FileWriter> writer = FileWriter::open(path("x"), Overwrite::Replace);
  ASSERT_TRUE(writer && writer->write("first "));
  {
    FileCalls calls;
    calls.write = writes_nothing<ENOSPC>;
    const WithCalls full(calls);
    EXPECT_FALSE(writer->write("second "));
  }
  EXPECT_FALSE(writer->write("third"));
  const Status committed = writer->commit();
  ASSERT_FALSE(committed);
  EXPECT_EQ(committed.error().kind, ErrorKind::CannotWrite);
  EXPECT_EQ(read_file(path("x"), kPlenty).value(), "old");
}

TEST_F(Files, ShortWritesGoOnAndFoldersWithoutHardLinksTakeFiles) {
  FileCalls calls;
  calls.write = writes_short;
  calls.link = fails_for<EPERM>;
  const WithCalls with(calls);
  ASSERT_TRUE(write_file_atomically(path("x"), "all of it", Overwrite::Refuse));
  EXPECT_EQ(read_file(path("x"), kPlenty).value(), "all of it");
  EXPECT_EQ(files_in_folder(), 1U);
}

TEST_F(Files, OnlyRegularFilesAreReadWhereNothingElseMakesSense) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(read_regular_file(path("pipe"), kPlenty).error().kind, ErrorKind::BadInput);
  EXPECT_EQ(read_regular_file(folder_.string(), kPlenty).error().message,
            "this is a folder, not a file");
  ASSERT_TRUE(write_file_atomically(path("x"), "text", Overwrite::Refuse));
  EXPECT_EQ(read_regular_file(path("x"), kPlenty).value(), "text");
  EXPECT_TRUE(has_changed(path("pipe"), version_of("text"))) << "without waiting for it";
}

TEST_F(Files, StampsTellThatAFileWasWritten) {
  EXPECT_FALSE(stamp_of(path("x")));
  ASSERT_TRUE(write_file_atomically(path("x"), "one", Overwrite::Refuse));
  const std::optional<FileStamp> one = stamp_of(path("x"));
  ASSERT_TRUE(one);
  EXPECT_EQ(stamp_of(path("x")), one);
  ASSERT_TRUE(write_file_atomically(path("x"), "two", Overwrite::Replace));
  EXPECT_NE(stamp_of(path("x")), one);
}

TEST_F(Files, AWriteProtectedFileIsNotReplaced) {
  ASSERT_TRUE(write_file_atomically(path("x"), "old", Overwrite::Refuse));
  EXPECT_EQ(write_protection(path("x")), "");
  fs::permissions(path("x"), fs::perms::owner_read | fs::perms::others_read);
  EXPECT_EQ(write_protection(path("x")), "its permissions allow no writing");
  const Status refused = write_file_atomically(path("x"), "new", Overwrite::Replace);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::CannotWrite);
  EXPECT_EQ(refused.error().message,
            "the file is write-protected (its permissions allow no writing)");
  EXPECT_EQ(refused.error().hint, "choose another name, or allow writing to it");
  EXPECT_EQ(read_file(path("x"), kPlenty).value(), "old");
  EXPECT_EQ(files_in_folder(), 1U);
  EXPECT_EQ(write_protection(path("none")), "");
}

TEST_F(Files, KnowsWhenItsBytesHaveChanged) {
  const FileVersion old = version_of("old");
  EXPECT_FALSE(has_changed(path("x"), old)) << "what is gone holds nothing to lose";
  for (const auto& [bytes, changed] : std::initializer_list<std::pair<const char*, bool>>{
           {"old", false}, {"new", true}, {"older", true}, {"", true}, {"old", false}}) {
    ASSERT_TRUE(write_file_atomically(path("x"), bytes, Overwrite::Replace));
    EXPECT_EQ(has_changed(path("x"), old), changed) << bytes;
  }
}

TEST_F(Files, SaysWhyAFileCannotBeRead) {
  EXPECT_EQ(read_file(path("none"), kPlenty).error().message, "the file does not exist");
  EXPECT_EQ(read_file(folder_.string(), kPlenty).error().message, "this is a folder, not a file");
}

TEST_F(Files, RefusesBeforeReadingWhatIsTooLarge) {
  ASSERT_TRUE(write_file_atomically(path("big"), std::string(100, 'x'), Overwrite::Refuse));
  const Result<std::string> refused = read_file(path("big"), 99);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::OverMemoryLimit);
  EXPECT_EQ(refused.error().found, "100 bytes");
  EXPECT_EQ(refused.error().expected, "at most 99 bytes");
}

TEST_F(Files, SaysWhyAFileCannotBeWritten) {
  const Status missing = write_file_atomically(path("no/such/x"), "a", Overwrite::Refuse);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::CannotWrite);
  EXPECT_EQ(missing.error().hint, "create the folder first");
  EXPECT_FALSE(write_file_atomically(folder_.string(), "a", Overwrite::Replace));
}

TEST_F(Files, AFolderThatTakesNoFilesIsNotToBeCreated) {
  if (!fs::is_directory("/proc/self")) GTEST_SKIP() << "this system has no /proc";
  const Status refused = write_file_atomically("/proc/self/x", "a", Overwrite::Refuse);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().hint.find("create"), std::string::npos) << refused.error().hint;
  EXPECT_FALSE(refused.error().hint.empty());
}

TEST_F(Files, AFullDeviceIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  const Status full = write_file_atomically("/dev/full", "a", Overwrite::Replace);
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().hint, "free some space or choose another disk");
}

TEST(ConfigFolder, FollowsTheEnvironment) {
  ::setenv("XDG_CONFIG_HOME", "/somewhere", 1);
  EXPECT_EQ(config_folder(), "/somewhere/attnscope");
  ::unsetenv("XDG_CONFIG_HOME");
  ::setenv("HOME", "/home/ada", 1);
  EXPECT_EQ(config_folder(), "/home/ada/.config/attnscope");
}

TEST(StateFolder, FollowsTheEnvironment) {
  ::setenv("XDG_STATE_HOME", "/somewhere", 1);
  EXPECT_EQ(state_folder(), "/somewhere/attnscope");
  ::unsetenv("XDG_STATE_HOME");
  ::setenv("HOME", "/home/ada", 1);
  EXPECT_EQ(state_folder(), "/home/ada/.local/state/attnscope");
}

TEST(OwnFolders, AreOneWhereThatIsWanted) {
  ::setenv("ATTNSCOPE_CONFIG_DIR", "/portable", 1);
  EXPECT_EQ(config_folder(), "/portable");
  EXPECT_EQ(state_folder(), "/portable");
  ::setenv("ATTNSCOPE_CONFIG_DIR", "relative", 1);
  EXPECT_EQ(config_folder(), "/home/ada/.config/attnscope");
  ::unsetenv("ATTNSCOPE_CONFIG_DIR");
}

}  // namespace
}  // namespace attn
