// Files of NumPy: every type, order and version as floats, and every kind of damage.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "base/utf8.h"
#include "document/tensors/array_file.h"
#include "tests/core/document/npy_bytes.h"

namespace attn {
namespace {

using test::bytes_of;
using test::npy;
using test::npy_with_header;

constexpr std::uint64_t kPlenty = 1U << 30U;

Result<Tensor> read_npy(std::string_view bytes, const std::shared_ptr<const void>& owner,
                        std::uint64_t limit) {
  const Result<StoredArray> array = stored_npy(bytes, bytes.size());
  return array ? floats_of(*array, owner, limit) : Result<Tensor>(array.error());
}

Result<BoolTensor> read_npy_flags(const std::string& bytes) {
  const Result<StoredArray> array = stored_npy(bytes, bytes.size());
  return array ? flags_of(*array, kPlenty) : Result<BoolTensor>(array.error());
}

std::vector<float> numbers(const std::string& bytes) {
  const Result<Tensor> tensor = read_npy(bytes, nullptr, kPlenty);
  if (!tensor) {
    ADD_FAILURE() << describe(tensor.error());
    return {};
  }
  return {tensor->values().begin(), tensor->values().end()};
}

Error problem(const std::string& bytes, std::uint64_t limit = kPlenty) {
  const Result<Tensor> tensor = read_npy(bytes, nullptr, limit);
  EXPECT_FALSE(tensor.ok()) << "the file was taken";
  return tensor ? Error{} : tensor.error();
}

template <class T>
std::string swapped(const std::vector<T>& values) {
  std::string bytes = bytes_of(values);
  for (auto at = bytes.begin(); at != bytes.end(); at += sizeof(T)) {
    std::reverse(at, at + sizeof(T));
  }
  return bytes;
}

template <class T>
void expect_type(const std::string& code, std::initializer_list<T> list) {
  const std::vector<T> values(list);
  const std::vector<float> expected(values.begin(), values.end());
  const std::string shape = "(" + std::to_string(values.size()) + ",)";
  EXPECT_EQ(numbers(npy("<" + code, shape, bytes_of(values))), expected) << code;
  EXPECT_EQ(numbers(npy(">" + code, shape, swapped(values))), expected) << code;
  EXPECT_EQ(numbers(npy("|" + code, shape, bytes_of(values))), expected) << code;
}

TEST(Npy, EveryTypeOfNumberBecomesFloatsInEitherOrderOfBytes) {
  expect_type<float>("f4", {0.0F, -1.5F, 3.25e7F});
  expect_type<double>("f8", {0.1, -2.0, 1e-3});
  expect_type<std::int8_t>("i1", {-128, 0, 127});
  expect_type<std::int16_t>("i2", {-32768, 255, 256});
  expect_type<std::int32_t>("i4", {-70000, 1, 1 << 30});
  expect_type<std::int64_t>("i8", {-5'000'000'000, 1, 5'000'000'000});
  expect_type<std::uint8_t>("u1", {0, 128, 255});
  expect_type<std::uint16_t>("u2", {0, 256, 65535});
  expect_type<std::uint32_t>("u4", {0, 4'000'000'000U});
  expect_type<std::uint64_t>("u8", {0, 10'000'000'000ULL});
  EXPECT_EQ(numbers(npy("|b1", "(2,)", std::string("\1\0", 2))), (std::vector<float>{1, 0}));
}

TEST(Npy, HalvesAreConvertedWithTheirSubnormalsAndSpecials) {
  // One, minus two, the largest, the smallest subnormal, the largest subnormal, infinity.
  const std::vector<std::uint16_t> halves{0x3C00, 0xC000, 0x7BFF, 0x0001, 0x03FF, 0x7C00, 0x8000};
  const std::vector<float> expected{1.0F,
                                    -2.0F,
                                    65504.0F,
                                    std::ldexp(1.0F, -24),
                                    std::ldexp(1023.0F, -24),
                                    std::numeric_limits<float>::infinity(),
                                    -0.0F};
  EXPECT_EQ(numbers(npy("<f2", "(7,)", bytes_of(halves))), expected);
  EXPECT_EQ(numbers(npy(">f2", "(7,)", swapped(halves))), expected);
  EXPECT_TRUE(std::isnan(numbers(npy("<f2", "(1,)", "\1\x7e"))[0]));
}

TEST(Npy, FortranOrderIsTurnedIntoRows) {
  // The first axis moves fastest: element (i, j, k) of shape (2, 3, 2) is 100 i + 10 j + k.
  std::vector<double> stored;
  for (int k = 0; k < 2; ++k) {
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 2; ++i) stored.push_back(100 * i + 10 * j + k);
    }
  }
  const std::vector<float> rows{0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121};
  EXPECT_EQ(numbers(npy("<f8", "(2, 3, 2)", bytes_of(stored), true)), rows);
  const std::vector<float> floats(stored.begin(), stored.end());
  EXPECT_EQ(numbers(npy("<f4", "(2, 3, 2)", bytes_of(floats), true)), rows);
}

TEST(Npy, EveryVersionAndEverySpellingOfTheHeaderIsRead) {
  const std::string data = bytes_of<float>({1, 2, 3, 4, 5, 6});
  for (const int version : {1, 2, 3}) {
    std::string bytes = npy("<f4", "(2, 3)", data, false, version);
    bytes[7] = 1;
    EXPECT_EQ(problem(bytes).found, std::to_string(version) + ".1");
    EXPECT_EQ(numbers(npy("<f4", "(2, 3)", data, false, version)).size(), 6U) << version;
  }
  for (const char* header :
       {"{'shape':(2,3),'fortran_order':False,'descr':'<f4'}",
        "{\"descr\": \"<f4\", \"fortran_order\": False, \"shape\": (2L, 3L), }",
        " { 'descr' : 'f4' , 'shape' : ( 2 , 3 , ) , 'fortran_order' : False } "}) {
    EXPECT_EQ(numbers(npy_with_header(header, data)).size(), 6U) << header;
  }
  const std::string scalar = npy("<f4", "()", bytes_of<float>({1}));
  EXPECT_EQ(stored_npy(scalar, scalar.size()).value().shape, Shape{});
}

TEST(Npy, FloatsInPlaceAreUsedWhereTheyLieAndNothingElseIs) {
  const auto in_place = [](std::string file) {
    const auto owner = std::make_shared<const std::string>(std::move(file));
    const Tensor tensor = read_npy(*owner, owner, kPlenty).value();
    const auto* first = reinterpret_cast<const char*>(tensor.data());
    return first >= owner->data() && first < owner->data() + owner->size();
  };
  const std::vector<float> values{1, 2, 3, 4, 5, 6};
  EXPECT_TRUE(in_place(test::float_npy("(2, 3)", values)));
  EXPECT_FALSE(in_place(npy("<f4", "(2, 3)", bytes_of(values), true)));
  EXPECT_FALSE(in_place(npy(">f4", "(2, 3)", bytes_of(values))));
  EXPECT_FALSE(in_place(npy("<i4", "(2, 3)", bytes_of(values))));
  const std::string crooked = "\x93NUMPY\1";
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}";
  EXPECT_FALSE(in_place(crooked + std::string("\0", 1) + static_cast<char>(header.size()) +
                        std::string("\0", 1) + header + bytes_of(values)))
      << "numbers at an odd place";
}

TEST(Npy, TheTensorKeepsItsMemoryAlive) {
  auto owner = std::make_shared<const std::string>(test::float_npy("(2,)", {7, 8}));
  const Tensor tensor = read_npy(*owner, owner, kPlenty).value();
  const std::weak_ptr<const std::string> watch = owner;
  owner.reset();
  EXPECT_FALSE(watch.expired());
  EXPECT_EQ(tensor[1], 8.0F);
  EXPECT_EQ(tensor.with(0, 9.0F)[0], 9.0F);
}

TEST(Npy, WhatIsNoArrayOfNumbersIsRefusedWithARemedy) {
  const std::string data(16, '\0');
  EXPECT_EQ(problem("PK\3\4 and so on").message, "this is not a NumPy file");
  EXPECT_EQ(problem(npy("<c8", "(2,)", data)).message, "this type of elements is not known");
  EXPECT_NE(problem(npy("<c8", "(2,)", data)).hint.find("real part"), std::string::npos);
  EXPECT_NE(problem(npy("|O", "(2,)", data)).hint.find("numpy.stack([...])"), std::string::npos);
  EXPECT_EQ(problem(npy("", "(2,)", data)).message, "this type of elements is not known");
  EXPECT_EQ(problem(npy("<", "(2,)", data)).message, "this type of elements is not known");
  EXPECT_EQ(
      problem(npy_with_header("{'descr': [('x', '<f4')], 'fortran_order': False}", data)).message,
      "the elements of the array are not plain numbers");
  EXPECT_EQ(problem(npy("<f4", "(0, 4)", "")).message, "the array is empty");
  EXPECT_EQ(problem(npy("<f4", "(2,)", data, false, 9)).found, "9.0");
  EXPECT_EQ(problem(npy("<f4", "(-1,)", data)).message, "the header has no shape");
  EXPECT_EQ(problem(npy_with_header("{'descr': '<f4', 'shape': (4,)}", data)).found,
            "no 'fortran_order'");
  EXPECT_EQ(problem(npy_with_header("{'descr': '<f4', 'order': 'C'}", data)).found, "\"order\"");
  EXPECT_EQ(problem(npy_with_header("[1, 2]", data)).message, "the header is not a dictionary");
}

TEST(Npy, RefusalsShowWhatHeadersHoldAsOnePrintableLine) {
  const std::string odd = "\x1b[2J\n\xff\xe2\x80";
  const std::string rest = ", 'fortran_order': False, 'shape': (1,), }";
  for (const std::string& header :
       {"{'descr': '" + odd + "'" + rest, "{'" + odd + "': '<f4'" + rest,
        "{'descr': '<f4', 'shape': " + odd, "{'descr': " + odd}) {
    const std::string found = problem(npy_with_header(header, "1234")).found;
    EXPECT_EQ(printable_line(found), found) << header;
  }
}

TEST(Npy, AFileThatIsNotAsLongAsItsHeaderSaysIsRefusedWithBothLengths) {
  const std::string data = bytes_of<float>({1, 2, 3, 4});
  for (const char* shape : {"(5,)", "(3,)", "(2, 3)"}) {
    const Error error = problem(npy("<f4", shape, data));
    EXPECT_EQ(error.message, "the file is not as long as its header says");
    EXPECT_EQ(error.found, "16 bytes of numbers");
    EXPECT_NE(error.expected.find("float32"), std::string::npos) << error.expected;
  }
}

TEST(Npy, HugeShapesAreRefusedBeforeAnythingIsAllocated) {
  const std::string data(64, '\0');
  for (const char* shape :
       {"(18446744073709551615,)", "(4294967296, 4294967296)", "(9999999999999, 9999999999999, 7)",
        "(18446744073709551616,)", "(4611686018427387904, 4)"}) {
    const Error error = problem(npy("<f8", shape, data));
    EXPECT_FALSE(error.expected.empty()) << shape;
  }
  const std::string sound = npy("<f8", "(8,)", data);
  EXPECT_EQ(problem(sound, 31).kind, ErrorKind::OverMemoryLimit);
  EXPECT_EQ(problem(sound, 31).found, "32 bytes");
  EXPECT_TRUE(read_npy(sound, nullptr, 32).ok());
  const auto owner = std::make_shared<const std::string>(npy("<f4", "(16,)", data));
  EXPECT_TRUE(read_npy(*owner, owner, 0).ok()) << "what is used in place needs no memory";
}

TEST(Npy, EveryTruncationIsRefusedWithWordsOnWhatIsThereAndWhatShouldBe) {
  const std::string whole = test::float_npy("(2, 2)", {1, 2, 3, 4});
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const Error error = problem(whole.substr(0, length));
    EXPECT_FALSE(error.message.empty()) << length;
    EXPECT_FALSE(error.found.empty()) << length;
    EXPECT_FALSE(error.expected.empty()) << length;
  }
  EXPECT_EQ(problem(whole.substr(0, 20)).expected, "at least 128 bytes") << "all of the header";
}

TEST(Npy, DamagedHeadersAreRefusedOrReadButNeverFollowedBlindly) {
  const std::string whole = test::float_npy("(2, 2)", {1, 2, 3, 4});
  std::mt19937 random(7);
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = whole;
    const unsigned changes = 1 + random() % 4;
    for (unsigned i = 0; i < changes; ++i) {
      bytes[random() % (whole.size() - 16)] = static_cast<char>(random() % 256);
    }
    const Result<Tensor> tensor = read_npy(bytes, nullptr, kPlenty);
    if (tensor) {
      EXPECT_EQ(element_count(tensor->shape()), tensor->size());
      EXPECT_LE(tensor->size(), 16U);
    } else {
      EXPECT_FALSE(tensor.error().expected.empty());
    }
  }
}

TEST(Npy, FlagsAreTruthValuesAndNothingBetween) {
  const BoolTensor flags = read_npy_flags(npy("|b1", "(1, 3)", std::string("\1\0\1", 3))).value();
  EXPECT_EQ(std::vector<std::uint8_t>(flags.values().begin(), flags.values().end()),
            (std::vector<std::uint8_t>{1, 0, 1}));
  EXPECT_TRUE(read_npy_flags(npy("<i8", "(1,)", bytes_of<std::int64_t>({1}))).ok());
  const Result<BoolTensor> odd = read_npy_flags(test::float_npy("(2,)", {1.0F, 0.5F}));
  ASSERT_FALSE(odd.ok());
  EXPECT_EQ(odd.error().found, "the number 0.5");
}

TEST(Npy, AShapeIsATuple) {
  const std::string data = bytes_of<float>({1, 2, 3, 4, 5, 6});
  for (const char* shape :
       {"[3, 2]", "[6]", "(6)", "6", "(3, [2])", "[(3, 2)]", "((3, 2))", "true"}) {
    EXPECT_FALSE(problem(npy("<f4", shape, data)).message.empty()) << shape;
  }
  for (const char* shape : {"(3, 2)", "(6,)", "( 6 , )", "(6L,)", "(1, 6,)"}) {
    EXPECT_EQ(numbers(npy("<f4", shape, data)).size(), 6U) << shape;
  }
  for (const char* order : {"true", "false", "[]", "null"}) {
    const std::string header =
        "{'descr': '<f4', 'fortran_order': " + std::string(order) + ", 'shape': (3, 2), }";
    EXPECT_FALSE(problem(npy_with_header(header, data)).message.empty()) << order;
  }
}

// NumPy writes types of other packages so, and cannot convert them by astype().
TEST(Npy, BytesWithoutAMeaningAreRefusedWithWhatGivesThemOne) {
  const std::string data(8, '\x3f');
  const Error brains = problem(npy("|V2", "(4,)", data));
  EXPECT_EQ(brains.found, "'|V2'");
  EXPECT_NE(brains.hint.find("(numpy.load('FILE').view('uint16').astype('uint32') << 16)"
                             ".view('float32')"),
            std::string::npos)
      << brains.hint;
  for (const char* other : {"|V1", "|V4", "|V8"}) {
    const Error error = problem(npy(other, "(4,)", data));
    EXPECT_NE(error.hint.find("before they are saved"), std::string::npos) << error.hint;
  }
}

}  // namespace
}  // namespace attn
