/* Stands in for glog: what is logged and checked is compiled, and nothing comes of it. */
#ifndef DRANO_STUB_GLOG_LOGGING_H
#define DRANO_STUB_GLOG_LOGGING_H
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>
namespace google {
typedef std::int32_t int32;
typedef std::int64_t int64;
typedef std::uint32_t uint32;
typedef std::uint64_t uint64;
typedef int LogSeverity;
const int GLOG_INFO = 0, GLOG_WARNING = 1, GLOG_ERROR = 2, GLOG_FATAL = 3, NUM_SEVERITIES = 4;
#ifndef GLOG_NO_ABBREVIATED_SEVERITIES
const int INFO = GLOG_INFO, WARNING = GLOG_WARNING, ERROR = GLOG_ERROR, FATAL = GLOG_FATAL;
#endif
struct CheckOpString {
    explicit CheckOpString(std::string *text) : str_(text) {}
    explicit operator bool() const { return str_ != nullptr; }
    std::string *str_;
};
struct LogMessage {
    template <typename... Ts> explicit LogMessage(const char *, int, const Ts &...) {}
    std::ostream &stream();
    void Flush();
};
struct LogMessageFatal : LogMessage {
    using LogMessage::LogMessage;
};
struct LogMessageVoidify {
    void operator&(std::ostream &) {}
};
struct LogSink {
    virtual ~LogSink() {}
    virtual void send(LogSeverity, const char *, const char *, int, const std::tm *, const char *, std::size_t) {}
    virtual void WaitTillSent() {}
};
bool drano_now();
std::string *drano_failed(bool);
bool drano_same(const char *, const char *);
template <typename T> T CheckNotNull(const char *, int, const char *, T &&value) { return std::forward<T>(value); }
void InitGoogleLogging(const char *);
bool IsGoogleLoggingInitialized();
void ShutdownGoogleLogging();
void InstallFailureSignalHandler();
void InstallFailureWriter(void (*)(const char *, std::size_t));
void InstallFailureFunction(void (*)());
void AddLogSink(LogSink *);
void RemoveLogSink(LogSink *);
void FlushLogFiles(LogSeverity);
void FlushLogFilesUnsafe(LogSeverity);
void LogToStderr();
void SetLogDestination(LogSeverity, const char *);
void SetLogFilenameExtension(const char *);
void SetStderrLogging(LogSeverity);
int SetVLOGLevel(const char *, int);
}
namespace fLB {
extern bool FLAGS_logtostderr, FLAGS_alsologtostderr, FLAGS_colorlogtostderr, FLAGS_logtostdout, FLAGS_log_prefix;
}
namespace fLI {
extern std::int32_t FLAGS_minloglevel, FLAGS_stderrthreshold, FLAGS_v, FLAGS_logbufsecs, FLAGS_logbuflevel;
}
namespace fLS {
extern std::string FLAGS_log_dir, FLAGS_vmodule;
}
using namespace fLB;
using namespace fLI;
using namespace fLS;

#define GOOGLE_PREDICT_BRANCH_NOT_TAKEN(x) (x)
#define GOOGLE_PREDICT_FALSE(x) (x)
#define GOOGLE_PREDICT_TRUE(x) (x)

#define LOG(severity) ::google::LogMessage(__FILE__, __LINE__).stream()
#define LOG_IF(severity, condition) !(condition) ? (void)0 : ::google::LogMessageVoidify() & LOG(severity)
#define DRANO_LOG_AT_TIMES LOG_IF(INFO, ::google::drano_now())
#define LOG_AT_LEVEL(severity) LOG(severity)
#define LOG_EVERY_N(severity, n) DRANO_LOG_AT_TIMES
#define LOG_EVERY_T(severity, seconds) DRANO_LOG_AT_TIMES
#define LOG_FIRST_N(severity, n) DRANO_LOG_AT_TIMES
#define LOG_IF_EVERY_N(severity, condition, n) LOG_IF(severity, (condition) && ::google::drano_now())
#define VLOG_IS_ON(level) ::google::drano_now()
#define VLOG(level) DRANO_LOG_AT_TIMES
#define VLOG_IF(level, condition) LOG_IF(INFO, (condition) && ::google::drano_now())
#define VLOG_EVERY_N(level, n) DRANO_LOG_AT_TIMES
#define DLOG(severity) DRANO_LOG_AT_TIMES
#define DVLOG(level) DRANO_LOG_AT_TIMES
#define DLOG_IF(severity, condition) LOG_IF(severity, ::google::drano_now() && (condition))
#define DLOG_EVERY_N(severity, n) DRANO_LOG_AT_TIMES
#define PLOG(severity) LOG(severity)
#define PLOG_IF(severity, condition) LOG_IF(severity, condition)
#define SYSLOG(severity) LOG(severity)

#define CHECK(condition) LOG_IF(FATAL, !(condition))
#define PCHECK(condition) CHECK(condition)
#define CHECK_EQ(a, b) CHECK((a) == (b))
#define CHECK_NE(a, b) CHECK((a) != (b))
#define CHECK_LE(a, b) CHECK((a) <= (b))
#define CHECK_LT(a, b) CHECK((a) < (b))
#define CHECK_GE(a, b) CHECK((a) >= (b))
#define CHECK_GT(a, b) CHECK((a) > (b))
#define CHECK_NOTNULL(value) ::google::CheckNotNull(__FILE__, __LINE__, "", (value))
#define CHECK_STREQ(a, b) CHECK(::google::drano_same(a, b))
#define CHECK_STRNE(a, b) CHECK(!::google::drano_same(a, b))
#define CHECK_STRCASEEQ(a, b) CHECK(::google::drano_same(a, b))
#define CHECK_STRCASENE(a, b) CHECK(!::google::drano_same(a, b))
#define CHECK_DOUBLE_EQ(a, b) CHECK((a) == (b))
#define CHECK_NEAR(a, b, margin) CHECK((a) - (b) <= (margin) && (b) - (a) <= (margin))
#define CHECK_INDEX(index, array) CHECK((index) < sizeof(array) / sizeof((array)[0]))
#define CHECK_ERR(invocation) CHECK((invocation) != -1)
#define CHECK_OP_LOG(name, op, a, b, log) \
    while (::std::string *drano_text = ::google::drano_failed((a) op (b))) \
    log(__FILE__, __LINE__, ::google::CheckOpString(drano_text)).stream()
#define CHECK_OP(name, op, a, b) CHECK_OP_LOG(name, op, a, b, ::google::LogMessageFatal)

#define DCHECK(condition) LOG_IF(FATAL, ::google::drano_now() && !(condition))
#define DCHECK_EQ(a, b) DCHECK((a) == (b))
#define DCHECK_NE(a, b) DCHECK((a) != (b))
#define DCHECK_LE(a, b) DCHECK((a) <= (b))
#define DCHECK_LT(a, b) DCHECK((a) < (b))
#define DCHECK_GE(a, b) DCHECK((a) >= (b))
#define DCHECK_GT(a, b) DCHECK((a) > (b))
#define DCHECK_NOTNULL(value) (value)
#define DCHECK_STREQ(a, b) DCHECK(::google::drano_same(a, b))
#endif
