/* Stands in for GoogleTest: the bodies of tests, and what they compare, are compiled. */
#ifndef DRANO_STUB_GTEST_H
#define DRANO_STUB_GTEST_H
#include <initializer_list>
#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>
namespace testing {
struct Message {
    template <typename T> const Message &operator<<(const T &) const { return *this; }
    const Message &operator<<(std::ostream &(*)(std::ostream &)) const { return *this; }
    std::string GetString() const { return {}; }
};
struct AssertionResult : Message {
    AssertionResult(bool) {}
    template <typename T> AssertionResult &operator<<(const T &) { return *this; }
    explicit operator bool() const;
    const char *message() const;
};
inline AssertionResult AssertionSuccess() { return true; }
inline AssertionResult AssertionFailure() { return false; }
struct Environment { virtual ~Environment() {} virtual void SetUp() {} virtual void TearDown() {} };
Environment *AddGlobalTestEnvironment(Environment *);
class Test {
public:
    virtual ~Test() {}
    static void SetUpTestSuite() {}
    static void TearDownTestSuite() {}
    static void SetUpTestCase() {}
    static void TearDownTestCase() {}
    static bool HasFatalFailure(), HasFailure(), IsSkipped();
    template <typename... Ts> static void RecordProperty(const Ts &...) {}

protected:
    virtual void SetUp() {}
    virtual void TearDown() {}
    virtual void TestBody() {}
};
template <typename T> struct TestParamInfo { T param; size_t index; };
template <typename T> struct WithParamInterface {
    using ParamType = T;
    virtual ~WithParamInterface() {}
    static const T &GetParam();
};
template <typename T> struct TestWithParam : Test, WithParamInterface<T> {};
template <typename... Ts> struct Types {};
struct Generated { template <typename... Ts> Generated(const Ts &...) {} };
template <typename... Ts> Generated Values(const Ts &...) { return {}; }
template <typename... Ts> Generated ValuesIn(const Ts &...) { return {}; }
template <typename T> Generated ValuesIn(std::initializer_list<T>) { return {}; }
template <typename... Ts> Generated Combine(const Ts &...) { return {}; }
template <typename... Ts> Generated Range(const Ts &...) { return {}; }
inline Generated Bool() { return {}; }
struct PrintToStringParamName { template <typename T> std::string operator()(const T &) const { return {}; } };
template <typename T> std::string PrintToString(const T &) { return {}; }
struct TestInfo { const char *name() const, *test_suite_name() const, *test_case_name() const; };
struct UnitTest { static UnitTest *GetInstance(); const TestInfo *current_test_info() const; int random_seed() const; };
void InitGoogleTest(int * = nullptr, char ** = nullptr);
namespace internal {
/* Makes a test's body for each of a list of types. */
template <template <typename> class C, typename List> struct Each;
template <template <typename> class C, typename... Ts> struct Each<C, Types<Ts...>> {
    static void run() { (C<Ts>().run(), ...); }
};
template <template <typename> class C, typename T> struct Each : Each<C, Types<T>> {};
template <typename... Ts> Message compare(const Ts &...) { return {}; }
struct Return { void operator=(const Message &) const {} };
bool passed();
}
}
int RUN_ALL_TESTS();
#define GTEST_TEST_CLASS_NAME_(suite, name) suite##_##name##_Test
#define DRANO_TEST(suite, name, base) \
    class suite##_##name##_Test : public base { \
        void TestBody() override; \
    }; \
    void suite##_##name##_Test::TestBody()
#define TEST(suite, name) DRANO_TEST(suite, name, ::testing::Test)
#define TEST_F(suite, name) DRANO_TEST(suite, name, suite)
#define TEST_P(suite, name) DRANO_TEST(suite, name, suite)
#define GTEST_TEST TEST
#define TYPED_TEST_SUITE(suite, types, ...) using drano_types_##suite = types
#define TYPED_TEST_CASE TYPED_TEST_SUITE
#define TYPED_TEST(suite, name) \
    template <typename DranoType> class suite##_##name##_Test : public suite<DranoType> { \
        using TypeParam = DranoType; \
        using TestFixture = suite<DranoType>; \
        void TestBody() override; \
\
    public: \
        void run() { TestBody(); } \
    }; \
    inline void drano_run_##suite##_##name() { \
        ::testing::internal::Each<suite##_##name##_Test, drano_types_##suite>::run(); \
    } \
    template <typename DranoType> void suite##_##name##_Test<DranoType>::TestBody()
#define INSTANTIATE_TEST_SUITE_P(prefix, suite, ...) \
    [[maybe_unused]] static void drano_instantiate_##prefix##_##suite() { \
        ::testing::internal::compare(__VA_ARGS__); \
    } \
    static_assert(true)
#define INSTANTIATE_TEST_CASE_P INSTANTIATE_TEST_SUITE_P
#define GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(suite) static_assert(true)
#define FRIEND_TEST(suite, name) friend class suite##_##name##_Test
#define DRANO_EXPECT(...) (::testing::internal::compare(__VA_ARGS__))
#define DRANO_ASSERT(...) \
    if (::testing::internal::passed()) \
        ; \
    else \
        return ::testing::internal::Return() = ::testing::internal::compare(__VA_ARGS__)
#define SCOPED_TRACE(message) ((void)(message))
#define ADD_FAILURE() DRANO_EXPECT()
#define FAIL() DRANO_ASSERT()
#define SUCCEED() DRANO_EXPECT()
#define GTEST_SKIP() DRANO_ASSERT()
#define GTEST_FAIL FAIL
#define EXPECT_EQ(a, b) DRANO_EXPECT((a) == (b))
#define EXPECT_NE(a, b) DRANO_EXPECT((a) != (b))
#define EXPECT_LT(a, b) DRANO_EXPECT((a) < (b))
#define EXPECT_LE(a, b) DRANO_EXPECT((a) <= (b))
#define EXPECT_GT(a, b) DRANO_EXPECT((a) > (b))
#define EXPECT_GE(a, b) DRANO_EXPECT((a) >= (b))
#define EXPECT_TRUE(condition) DRANO_EXPECT(static_cast<bool>(condition))
#define EXPECT_FALSE(condition) DRANO_EXPECT(static_cast<bool>(condition))
#define EXPECT_FLOAT_EQ(...) DRANO_EXPECT(__VA_ARGS__)
#define EXPECT_DOUBLE_EQ(...) DRANO_EXPECT(__VA_ARGS__)
#define EXPECT_NEAR(...) DRANO_EXPECT(__VA_ARGS__)
#define EXPECT_STREQ(...) DRANO_EXPECT(__VA_ARGS__)
#define EXPECT_STRNE(...) DRANO_EXPECT(__VA_ARGS__)
#define EXPECT_STRCASEEQ(...) DRANO_EXPECT(__VA_ARGS__)
#define EXPECT_THAT(...) DRANO_EXPECT(__VA_ARGS__)
#define EXPECT_PRED1(...) DRANO_EXPECT(__VA_ARGS__)
#define EXPECT_PRED2(...) DRANO_EXPECT(__VA_ARGS__)
#define EXPECT_PRED_FORMAT2(...) DRANO_EXPECT(__VA_ARGS__)
#define EXPECT_NO_THROW(...) ([&] { __VA_ARGS__; }(), DRANO_EXPECT())
#define EXPECT_ANY_THROW(...) ([&] { __VA_ARGS__; }(), DRANO_EXPECT())
#define EXPECT_THROW(statement, type) ([&] { statement; }(), DRANO_EXPECT())
#define EXPECT_DEATH(statement, ...) ([&] { statement; }(), DRANO_EXPECT())
#define EXPECT_EXIT(statement, ...) ([&] { statement; }(), DRANO_EXPECT())
#define ASSERT_EQ(a, b) DRANO_ASSERT((a) == (b))
#define ASSERT_NE(a, b) DRANO_ASSERT((a) != (b))
#define ASSERT_LT(a, b) DRANO_ASSERT((a) < (b))
#define ASSERT_LE(a, b) DRANO_ASSERT((a) <= (b))
#define ASSERT_GT(a, b) DRANO_ASSERT((a) > (b))
#define ASSERT_GE(a, b) DRANO_ASSERT((a) >= (b))
#define ASSERT_TRUE(condition) DRANO_ASSERT(static_cast<bool>(condition))
#define ASSERT_FALSE(condition) DRANO_ASSERT(static_cast<bool>(condition))
#define ASSERT_FLOAT_EQ(...) DRANO_ASSERT(__VA_ARGS__)
#define ASSERT_DOUBLE_EQ(...) DRANO_ASSERT(__VA_ARGS__)
#define ASSERT_NEAR(...) DRANO_ASSERT(__VA_ARGS__)
#define ASSERT_STREQ(...) DRANO_ASSERT(__VA_ARGS__)
#define ASSERT_STRNE(...) DRANO_ASSERT(__VA_ARGS__)
#define ASSERT_STRCASEEQ(...) DRANO_ASSERT(__VA_ARGS__)
#define ASSERT_THAT(...) DRANO_ASSERT(__VA_ARGS__)
#define ASSERT_PRED1(...) DRANO_ASSERT(__VA_ARGS__)
#define ASSERT_PRED2(...) DRANO_ASSERT(__VA_ARGS__)
#define ASSERT_PRED_FORMAT2(...) DRANO_ASSERT(__VA_ARGS__)
#define ASSERT_NO_THROW(...) ([&] { __VA_ARGS__; }(), DRANO_EXPECT())
#define ASSERT_ANY_THROW(...) ([&] { __VA_ARGS__; }(), DRANO_EXPECT())
#define ASSERT_THROW(statement, type) ([&] { statement; }(), DRANO_EXPECT())
#define ASSERT_DEATH(statement, ...) ([&] { statement; }(), DRANO_EXPECT())
#define ASSERT_EXIT(statement, ...) ([&] { statement; }(), DRANO_EXPECT())
#endif
