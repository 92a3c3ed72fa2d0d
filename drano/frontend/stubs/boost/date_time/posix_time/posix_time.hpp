/* Stands in for Boost's dates and times. */
#pragma once
#include <cstdint>
#include <ostream>
#include <string>
namespace boost {
namespace posix_time {
struct time_duration {
    std::int64_t total_seconds() const, total_milliseconds() const, total_microseconds() const;
    long hours() const, minutes() const, seconds() const;
    time_duration operator-(const time_duration &) const, operator+(const time_duration &) const;
    bool operator<(const time_duration &) const;
};
struct milliseconds : time_duration { explicit milliseconds(long); };
struct microseconds : time_duration { explicit microseconds(long); };
struct seconds : time_duration { explicit seconds(long); };
struct ptime {
    time_duration operator-(const ptime &) const;
    ptime operator+(const time_duration &) const;
    bool operator<(const ptime &) const;
};
struct microsec_clock { static ptime local_time(), universal_time(); };
struct second_clock { static ptime local_time(), universal_time(); };
std::string to_simple_string(const ptime &);
std::string to_iso_string(const ptime &);
std::ostream &operator<<(std::ostream &, const time_duration &);
std::ostream &operator<<(std::ostream &, const ptime &);
}
}
