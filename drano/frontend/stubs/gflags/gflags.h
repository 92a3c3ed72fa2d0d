/* Stand-in for gflags: flags as the variables that its macros make. */
#ifndef DRANO_STUB_GFLAGS_H
#define DRANO_STUB_GFLAGS_H
#define GFLAGS_GFLAGS_H_
#include <cstdint>
#include <string>

#define DRANO_FLAG(type, name) namespace fL { extern type FLAGS_##name; } using fL::FLAGS_##name
#define DEFINE_bool(name, value, text) DRANO_FLAG(bool, name)
#define DEFINE_int32(name, value, text) DRANO_FLAG(::std::int32_t, name)
#define DEFINE_uint32(name, value, text) DRANO_FLAG(::std::uint32_t, name)
#define DEFINE_int64(name, value, text) DRANO_FLAG(::std::int64_t, name)
#define DEFINE_uint64(name, value, text) DRANO_FLAG(::std::uint64_t, name)
#define DEFINE_double(name, value, text) DRANO_FLAG(double, name)
#define DEFINE_string(name, value, text) DRANO_FLAG(::std::string, name)
#define DEFINE_validator(name, function) static_assert(true, "")
#define DECLARE_bool(name) DRANO_FLAG(bool, name)
#define DECLARE_int32(name) DRANO_FLAG(::std::int32_t, name)
#define DECLARE_uint32(name) DRANO_FLAG(::std::uint32_t, name)
#define DECLARE_int64(name) DRANO_FLAG(::std::int64_t, name)
#define DECLARE_uint64(name) DRANO_FLAG(::std::uint64_t, name)
#define DECLARE_double(name) DRANO_FLAG(double, name)
#define DECLARE_string(name) DRANO_FLAG(::std::string, name)

namespace gflags {
std::uint32_t ParseCommandLineFlags(int *argc, char ***argv, bool remove_flags);
std::uint32_t ParseCommandLineNonHelpFlags(int *argc, char ***argv, bool remove_flags);
void SetUsageMessage(const std::string &usage);
void SetVersionString(const std::string &version);
void ShowUsageWithFlags(const char *argv0);
void ShutDownCommandLineFlags();
const char *ProgramInvocationName();
const char *ProgramInvocationShortName();
std::string SetCommandLineOption(const char *name, const char *value);
template <class Flag, class Check> bool RegisterFlagValidator(const Flag *flag, Check check);
}
namespace google { using namespace gflags; }
#endif
