/* Stands in for nlohmann's JSON: values of any type, of which nothing is known. */
#ifndef DRANO_STUB_NLOHMANN_JSON_HPP
#define DRANO_STUB_NLOHMANN_JSON_HPP
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <iterator>
#include <map>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
namespace nlohmann {
template <typename T = void, typename = void> struct adl_serializer;
struct json {
    typedef json value_type, object_t, array_t;
    typedef json &reference;
    typedef const json &const_reference;
    typedef std::string string_t;
    struct exception : std::exception { int id; };
    typedef exception parse_error, type_error, out_of_range, other_error, invalid_iterator;
    struct iterator {
        typedef std::forward_iterator_tag iterator_category;
        typedef json value_type, *pointer, &reference;
        typedef std::ptrdiff_t difference_type;
        json &operator*() const, *operator->() const, &value() const;
        iterator &operator++();
        iterator operator++(int);
        bool operator==(const iterator &) const, operator!=(const iterator &) const;
        std::string key() const;
    };
    typedef iterator const_iterator;
    struct item {
        std::string first;
        json &second;
        const std::string &key() const;
        json &value() const;
    };
    struct item_iterator {
        item &operator*() const;
        item_iterator &operator++();
        bool operator!=(const item_iterator &) const;
    };
    struct item_range { item_iterator begin() const, end() const; };
    json();
    json(const json &);
    json(std::initializer_list<json>);
    template <typename T> json(const T &);
    json &operator=(const json &);
    template <typename T, typename = std::enable_if_t<!std::is_pointer<T>::value
                                                      && !std::is_same<T, char>::value
                                                      && !std::is_same<T, std::initializer_list<char>>::value>>
    operator T() const;
    template <typename K> json &operator[](const K &);
    template <typename K> const json &operator[](const K &) const;
    template <typename K> json &at(const K &);
    template <typename K> const json &at(const K &) const;
    template <typename T> T get() const;
    template <typename T> T &get_to(T &) const;
    template <typename T> T get_ptr() const;
    template <typename T> T value(const std::string &, const T &) const;
    std::string value(const std::string &, const char *) const;
    template <typename K> bool contains(const K &) const;
    template <typename K> iterator find(const K &) const;
    template <typename K> std::size_t count(const K &) const;
    template <typename K> void erase(const K &);
    template <typename... Ts> json &emplace_back(Ts &&...);
    template <typename... Ts> void update(Ts &&...);
    template <typename... Ts> static json parse(Ts &&...);
    template <typename... Ts> static json object(Ts &&...);
    template <typename... Ts> static json array(Ts &&...);
    void push_back(const json &), clear();
    iterator begin() const, end() const, cbegin() const, cend() const;
    item_range items() const;
    json &front() const, &back() const;
    std::size_t size() const;
    std::string dump(int = -1, char = ' ', bool = false, int = 0) const;
    const char *type_name() const;
    bool empty() const, is_null() const, is_boolean() const, is_number() const, is_string() const;
    bool is_number_integer() const, is_number_unsigned() const, is_number_float() const;
    bool is_object() const, is_array() const, is_discarded() const;
    bool operator==(const json &) const, operator!=(const json &) const;
};
std::ostream &operator<<(std::ostream &, const json &);
std::istream &operator>>(std::istream &, json &);
json operator""_json(const char *, std::size_t);
typedef json ordered_json;
template <typename...> using basic_json = json;
namespace literals { using nlohmann::operator""_json; }
namespace detail { typedef json::exception exception, parse_error, type_error, out_of_range; }
}
#define NLOHMANN_JSON_NAMESPACE_BEGIN namespace nlohmann {
#define NLOHMANN_JSON_NAMESPACE_END }
#define NLOHMANN_JSON_SERIALIZE_ENUM(Type, ...)                                                    \
    void to_json(nlohmann::json &, const Type &);                                                  \
    void from_json(const nlohmann::json &, Type &);
#define NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Type, ...) NLOHMANN_JSON_SERIALIZE_ENUM(Type)
#define NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Type, ...)                                 \
    NLOHMANN_JSON_SERIALIZE_ENUM(Type)
#define NLOHMANN_DEFINE_TYPE_INTRUSIVE(Type, ...)                                                  \
    friend void to_json(nlohmann::json &, const Type &);                                           \
    friend void from_json(const nlohmann::json &, Type &);
#define NLOHMANN_DEFINE_TYPE_INTRUSIVE_WITH_DEFAULT(Type, ...) NLOHMANN_DEFINE_TYPE_INTRUSIVE(Type)
#endif
