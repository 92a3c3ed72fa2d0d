/* Stands in for Boost's options of programs. */
#pragma once
#include <map>
#include <ostream>
#include <string>
#include <vector>
namespace boost {
namespace program_options {
class error : public std::exception {};
struct value_semantic {};
template <class T> struct typed_value : value_semantic {
    typed_value *default_value(const T &);
    typed_value *default_value(const T &, const std::string &);
    typed_value *implicit_value(const T &);
    typed_value *required();
    typed_value *multitoken();
    typed_value *composing();
    typed_value *zero_tokens();
    typed_value *value_name(const std::string &);
    template <class F> typed_value *notifier(F);
};
template <class T> typed_value<T> *value();
template <class T> typed_value<T> *value(T *);
typed_value<bool> *bool_switch();
typed_value<bool> *bool_switch(bool *);
struct options_description_easy_init {
    template <class... A> options_description_easy_init &operator()(A &&...);
};
struct options_description {
    options_description(unsigned = 80);
    options_description(const std::string &, unsigned = 80, unsigned = 40);
    options_description_easy_init add_options();
    options_description &add(const options_description &);
};
struct positional_options_description {
    positional_options_description &add(const char *, int);
};
struct variable_value {
    template <class T> const T &as() const;
    template <class T> T &as();
    bool empty() const;
    bool defaulted() const;
};
struct variables_map : std::map<std::string, variable_value> {
    const variable_value &operator[](const std::string &) const;
};
struct parsed_options {};
template <class... A> parsed_options parse_command_line(A &&...);
template <class... A> parsed_options parse_config_file(A &&...);
struct command_line_parser {
    command_line_parser(int, const char *const *);
    explicit command_line_parser(const std::vector<std::string> &);
    template <class... A> command_line_parser &options(A &&...);
    template <class... A> command_line_parser &positional(A &&...);
    template <class... A> command_line_parser &style(A &&...);
    command_line_parser &allow_unregistered();
    parsed_options run();
};
void store(const parsed_options &, variables_map &, bool = false);
void notify(variables_map &);
std::ostream &operator<<(std::ostream &, const options_description &);
}
}
