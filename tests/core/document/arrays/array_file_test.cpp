// Arrays of archives, safetensors and GGUF: every type to the last bit, and every kind of damage.
#include "document/tensors/array_file.h"

#include <gtest/gtest.h>

#include <list>
#include <random>

#include "tests/core/document/arrays/array_bytes.h"

namespace attn {
namespace {

using test::bytes_of;
using test::float_npy;
using test::safetensors;
using test::zip_of;

constexpr std::uint64_t kPlenty = 1U << 24U;

// Listings borrow the bytes, which are kept.
ArrayListing listed(const std::string& file) {
  static std::list<std::string> kept;
  const std::string& bytes = kept.emplace_back(file);
  const ArrayFormat* format = array_format_of(std::string_view(bytes).substr(0, kSniffBytes));
  if (format == nullptr) {
    ADD_FAILURE() << "no format";
    return {};
  }
  const Result<ArrayListing> listing = format->list(bytes, {});
  if (!listing) ADD_FAILURE() << describe(listing.error());
  return listing ? *listing : ArrayListing{};
}

Error refused(const std::string& bytes) {
  const ArrayFormat* format = array_format_of(std::string_view(bytes).substr(0, kSniffBytes));
  const Result<ArrayListing> listing =
      format != nullptr ? format->list(bytes, {}) : list_npy(bytes);
  EXPECT_FALSE(listing.ok()) << "the file was taken";
  return listing ? Error{} : listing.error();
}

std::vector<float> numbers(const StoredArray& array) {
  const Result<Tensor> tensor = floats_of(array, nullptr, kPlenty);
  if (!tensor) ADD_FAILURE() << describe(tensor.error());
  return tensor ? std::vector<float>(tensor->values().begin(), tensor->values().end())
                : std::vector<float>{};
}

const std::vector<float> kValues{0.5F, -1.25F, 3.0F, 1e-7F};

TEST(Archive, StoredAndDeflatedMembersHaveTheSameNumbers) {
  for (const bool large : {false, true}) {
    const std::string bytes = zip_of({{"a.npy", float_npy("(2, 2)", kValues), false},
                                      {"b.npy", float_npy("(4,)", kValues), true},
                                      {"notes.txt", "hello", false}},
                                     large);
    const ArrayListing listing = listed(bytes);
    ASSERT_EQ(listing.arrays.size(), 2U) << large;
    EXPECT_EQ(listing.arrays[0].name, "a");
    EXPECT_EQ(listing.arrays[0].shape, (Shape{2, 2}));
    EXPECT_EQ(listing.arrays[1].shape, (Shape{4}));
    EXPECT_EQ(numbers(listing.arrays[0]), kValues);
    EXPECT_EQ(numbers(listing.arrays[1]), kValues);
    EXPECT_EQ(listing.left_out, std::vector<std::string>{"notes.txt"});
  }
}

TEST(Archive, StoredFloatsAreUsedWhereTheyLie) {
  const auto bytes =
      std::make_shared<const std::string>(zip_of({{"abc.npy", float_npy("(4,)", kValues)}}));
  const Result<ArrayListing> listing = list_npz(*bytes);
  ASSERT_TRUE(listing.ok());
  const StoredArray& array = listing->arrays.front();
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(array.data.data()) % 4 == 0;
  const Result<Tensor> tensor = floats_of(array, bytes, is_aligned ? 0 : kPlenty);
  ASSERT_TRUE(tensor.ok());
  const void* place = tensor->data();
  EXPECT_EQ(place == array.data.data(), is_aligned);
}

TEST(Archive, TextsAndTheNoteAreRead) {
  const std::u32string letters(U"I\0\0\0喜欢\0\0", 8);
  const std::string text(reinterpret_cast<const char*>(letters.data()), 8 * sizeof(char32_t));
  const std::u32string json = U"{\"title\": \"é\"}";
  const std::string note(reinterpret_cast<const char*>(json.data()), json.size() * 4);
  const ArrayListing listing = listed(
      zip_of({{"tokens.npy", test::npy("<U4", "(2,)", text)},
              {"attnscope.npy", test::npy("<U" + std::to_string(json.size()), "()", note), true}}));
  ASSERT_EQ(listing.arrays.size(), 1U);
  const Result<std::vector<std::string>> texts = texts_of(listing.arrays[0], kPlenty);
  ASSERT_TRUE(texts.ok());
  EXPECT_EQ(*texts, (std::vector<std::string>{"I", "喜欢"}));
  EXPECT_EQ(listing.note, "{\"title\": \"é\"}");
  EXPECT_FALSE(floats_of(listing.arrays[0], nullptr, kPlenty).ok());
}

TEST(Archive, LiesAboutSizesAndPlacesAreRefused) {
  const std::string array = float_npy("(4,)", kValues);
  EXPECT_NE(refused(zip_of({{"a.npy", array, true, std::uint64_t{1} << 40U}}, true))
                .message.find("the stated size of a member"),
            std::string::npos);
  EXPECT_FALSE(refused(zip_of({{"a.npy", array, false, array.size() + 1}})).message.empty());
  EXPECT_NE(refused(zip_of({{"a.npy", array}, {"a.npy", array}})).message.find("one name"),
            std::string::npos);
  const std::string sound = zip_of({{"a.npy", array, true}, {"b.npy", array}});
  for (std::size_t length = 4; length < sound.size(); ++length) {
    const Error error = refused(sound.substr(0, length));
    EXPECT_FALSE(error.expected.empty()) << length;
  }
  EXPECT_NE(refused(zip_of({{"a.npy", test::npy("|O", "(1,)", std::string(8, '\1'))}}))
                .message.find("never loaded"),
            std::string::npos);
}

TEST(Archive, ABombIsRefusedBeforeItIsUnpacked) {
  const std::string zeros(std::size_t{1} << 22U, '\0');
  const ArrayListing listing =
      listed(zip_of({{"a.npy", test::npy("<f4", "(1048576,)", zeros), true}}));
  ASSERT_EQ(listing.arrays.size(), 1U);
  const Result<Tensor> tensor = floats_of(listing.arrays[0], nullptr, 1U << 20U);
  ASSERT_FALSE(tensor.ok());
  EXPECT_EQ(tensor.error().kind, ErrorKind::OverMemoryLimit);
}

TEST(Archive, DamagedBytesAreRefusedOrReadButNeverFollowedBlindly) {
  const std::string whole = zip_of(
      {{"a.npy", float_npy("(4,)", kValues), true}, {"b.npy", float_npy("(2, 2)", kValues)}}, true);
  std::mt19937 random(3);
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = whole;
    for (int i = 0; i < 1 + round % 4; ++i) {
      bytes[random() % bytes.size()] = static_cast<char>(random() % 256);
    }
    const Result<ArrayListing> listing = list_npz(bytes);
    if (!listing) continue;
    for (const StoredArray& array : listing->arrays) void(floats_of(array, nullptr, kPlenty));
  }
}

TEST(Safetensors, EveryTypeIsReadToTheLastBit) {
  const std::string halves = bytes_of<std::uint16_t>({0x3C00, 0xC100, 0x0001, 0x7C00});
  const std::string brains = bytes_of<std::uint16_t>({0x3F80, 0xC040, 0x0001, 0xFF80});
  const std::string data = halves + brains + bytes_of<std::int64_t>({-3, 4}) + bytes_of(kValues);
  const ArrayListing listing = listed(safetensors(
      R"({"__metadata__": {"format": "pt", "attnscope": "{}"},
        "h": {"dtype": "F16", "shape": [4], "data_offsets": [0, 8]},
        "b": {"dtype": "BF16", "shape": [2, 2], "data_offsets": [8, 16]},
        "i": {"dtype": "I64", "shape": [2], "data_offsets": [16, 32]},
        "f": {"dtype": "F32", "shape": [4], "data_offsets": [32, 48]}})",
      data));
  ASSERT_EQ(listing.arrays.size(), 4U);
  EXPECT_EQ(listing.note, "{}");
  EXPECT_EQ(numbers(listing.arrays[0]), (std::vector<float>{1.0F, -2.5F, 0x1p-24F, INFINITY}));
  EXPECT_EQ(numbers(listing.arrays[1]), (std::vector<float>{1.0F, -3.0F, 0x1p-133F, -INFINITY}));
  EXPECT_EQ(numbers(listing.arrays[2]), (std::vector<float>{-3.0F, 4.0F}));
  EXPECT_EQ(numbers(listing.arrays[3]), kValues);
  EXPECT_EQ(listing.arrays[1].shape, (Shape{2, 2}));
}

TEST(Safetensors, EveryHalfIsTheFloatOfItsValue) {
  std::vector<std::uint16_t> all(65536);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
  const ArrayListing listing = listed(safetensors(
      R"({"h": {"dtype": "F16", "shape": [65536], "data_offsets": [0, 131072]}})", bytes_of(all)));
  const std::vector<float> found = numbers(listing.arrays.at(0));
  for (std::size_t bits = 0; bits < all.size(); ++bits) {
    const int exponent = static_cast<int>(bits >> 10U & 31U);
    const double fraction = static_cast<double>(bits & 1023U) / 1024.0;
    const double sign = (bits & 0x8000U) != 0 ? -1.0 : 1.0;
    const double size = exponent == 0    ? std::ldexp(fraction, -14)
                        : exponent == 31 ? (fraction == 0.0 ? INFINITY : NAN)
                                         : std::ldexp(1.0 + fraction, exponent - 15);
    if (std::isnan(size)) {
      EXPECT_TRUE(std::isnan(found[bits])) << bits;
    } else {
      EXPECT_EQ(found[bits], static_cast<float>(sign * size)) << bits;
    }
  }
}

TEST(Safetensors, HolesOverlapsAndLiesAreRefused) {
  const std::string data = bytes_of(kValues);
  const auto with = [&](const std::string& shape, const std::string& range) {
    return safetensors(
        R"({"a": {"dtype": "F32", "shape": [)" + shape + R"(], "data_offsets": [)" + range + "]}}",
        data);
  };
  EXPECT_EQ(listed(with("4", "0, 16")).arrays.size(), 1U);
  for (const auto& [shape, range] : {std::pair{"4", "0, 17"},
                                     {"4", "16, 0"},
                                     {"3", "0, 16"},
                                     {"3", "4, 16"},
                                     {"2", "0, 8"},
                                     {"-4", "0, 16"},
                                     {"4294967296, 4294967296", "0, 16"},
                                     {"4", "0"},
                                     {"4", "0, 1e99"}}) {
    const Error error = refused(with(shape, range));
    EXPECT_FALSE(error.message.empty()) << shape << " at " << range;
    EXPECT_FALSE(error.expected.empty()) << shape << " at " << range;
  }
  const std::string entry = R"({"dtype": "F32", "shape": [2], "data_offsets": [)";
  EXPECT_FALSE(
      refused(safetensors(R"({"a": )" + entry + R"(0, 8]}, "b": )" + entry + "4, 12]}}", data))
          .message.empty());
  EXPECT_FALSE(
      refused(safetensors(R"({"a": )" + entry + R"(0, 8]}, "a": )" + entry + "8, 16]}}", data))
          .message.empty());
  EXPECT_FALSE(refused(test::little_endian(1000, 8) + "{}").message.empty());
  EXPECT_FALSE(refused(safetensors("{\"a\": 3}", "")).message.empty());
}

TEST(Safetensors, TypesThatAreNotReadAreNamed) {
  const ArrayListing listing = listed(
      safetensors(R"({"a": {"dtype": "F8_E4M3", "shape": [4], "data_offsets": [0, 4]}})", "abcd"));
  EXPECT_TRUE(listing.arrays.empty());
  EXPECT_EQ(listing.left_out, std::vector<std::string>{"a: F8_E4M3"});
}

TEST(ShardIndex, NamesFilesBesideItAlone) {
  const auto places = read_shard_index(R"({"metadata": {"total_size": 1},
    "weight_map": {"a": "model-1.safetensors", "b": "model-2.safetensors"}})");
  ASSERT_TRUE(places.ok());
  EXPECT_EQ(places->at(1), (std::pair<std::string, std::string>{"b", "model-2.safetensors"}));
  for (const char* text :
       {R"({"weight_map": {"a": "../secret.safetensors"}})", R"({})",
        R"({"weight_map": {"a": "/etc/passwd"}})", R"({"weight_map": {"a": 3}})"}) {
    EXPECT_FALSE(read_shard_index(text).ok()) << text;
  }
}

TEST(Gguf, TensorsAreRowsOfTheirOuterAxis) {
  std::string block = bytes_of<std::uint16_t>({0x3800});  // 0.5
  std::vector<float> expected;
  for (int i = -16; i < 16; ++i) {
    block += static_cast<char>(i);
    expected.push_back(0.5F * static_cast<float>(i));
  }
  const std::string bytes = test::gguf({{"attn", {3, 2}, 0, bytes_of<float>({1, 2, 3, 4, 5, 6})},
                                        {"q8", {32}, 8, block},
                                        {"half", {2}, 1, bytes_of<std::uint16_t>({0x3C00, 0xBC00})},
                                        {"q4", {32}, 2, std::string(18, '\0')}});
  const ArrayListing listing = listed(bytes);
  ASSERT_EQ(listing.arrays.size(), 3U);
  EXPECT_EQ(listing.arrays[0].shape, (Shape{2, 3}));
  EXPECT_EQ(numbers(listing.arrays[0]), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(numbers(listing.arrays[1]), expected);
  EXPECT_EQ(numbers(listing.arrays[2]), (std::vector<float>{1, -1}));
  EXPECT_EQ(listing.left_out, std::vector<std::string>{"q4: type 2"});
}

TEST(Gguf, DamagedHeadersAreRefused) {
  const std::string whole = test::gguf({{"attn", {3, 2}, 0, std::string(24, '\1')}});
  for (std::size_t length = 4; length < whole.size() - 8; ++length) {
    EXPECT_FALSE(refused(whole.substr(0, length)).message.empty()) << length;
  }
  std::mt19937 random(5);
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = whole;
    bytes[4 + random() % (bytes.size() - 4)] = static_cast<char>(random() % 256);
    const Result<ArrayListing> listing = list_gguf(bytes);
    if (!listing) continue;
    for (const StoredArray& array : listing->arrays) void(floats_of(array, nullptr, kPlenty));
  }
}

}  // namespace
}  // namespace attn
