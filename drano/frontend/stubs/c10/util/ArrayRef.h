/* Stands in for PyTorch's view of an array. */
#ifndef DRANO_STUB_C10_ARRAYREF_H
#define DRANO_STUB_C10_ARRAYREF_H
#include <array>
#include <initializer_list>
#include <stddef.h>
#include <stdint.h>
#include <vector>
namespace c10 {
template <typename T> class ArrayRef {
    const T *data_ = nullptr;
    size_t size_ = 0;

public:
    using value_type = T;
    constexpr ArrayRef() = default;
    constexpr ArrayRef(const T &one) : data_(&one), size_(1) {}
    constexpr ArrayRef(const T *data, size_t size) : data_(data), size_(size) {}
    constexpr ArrayRef(const T *first, const T *last) : data_(first), size_(last - first) {}
    template <typename A> ArrayRef(const std::vector<T, A> &from) : data_(from.data()), size_(from.size()) {}
    template <size_t N> constexpr ArrayRef(const std::array<T, N> &from) : data_(from.data()), size_(N) {}
    template <size_t N> constexpr ArrayRef(const T (&from)[N]) : data_(from), size_(N) {}
    constexpr ArrayRef(std::initializer_list<T> from) : data_(from.begin()), size_(from.size()) {}
    constexpr const T *begin() const { return data_; }
    constexpr const T *end() const { return data_ + size_; }
    constexpr const T *data() const { return data_; }
    constexpr size_t size() const { return size_; }
    constexpr bool empty() const { return size_ == 0; }
    constexpr const T &operator[](size_t i) const { return data_[i]; }
    constexpr const T &at(size_t i) const { return data_[i]; }
    constexpr const T &front() const { return data_[0]; }
    constexpr const T &back() const { return data_[size_ - 1]; }
    ArrayRef slice(size_t first, size_t count) const { return ArrayRef(data_ + first, count); }
    ArrayRef slice(size_t first) const { return slice(first, size_ - first); }
    std::vector<T> vec() const { return std::vector<T>(begin(), end()); }
    bool equals(ArrayRef other) const;
};
template <typename T> bool operator==(ArrayRef<T> a, ArrayRef<T> b) { return a.equals(b); }
template <typename T> bool operator!=(ArrayRef<T> a, ArrayRef<T> b) { return !a.equals(b); }
using IntArrayRef = ArrayRef<int64_t>;
template <typename T, unsigned N = 6> using SmallVector = std::vector<T>;
}
namespace at { using c10::ArrayRef; using c10::IntArrayRef; }
namespace torch { using c10::ArrayRef; using c10::IntArrayRef; }
#endif
