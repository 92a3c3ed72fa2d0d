/* Stands in for Boost's formats. */
#pragma once
#include <ostream>
#include <string>
namespace boost {
class format {
  public:
    explicit format(const char *);
    explicit format(const std::string &);
    template <class T> format &operator%(const T &);
    std::string str() const;
};
std::string str(const format &);
std::ostream &operator<<(std::ostream &, const format &);
}
