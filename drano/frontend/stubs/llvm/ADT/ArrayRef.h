/* Stands in for LLVM's ArrayRef. */
#ifndef DRANO_STUB_LLVM_ARRAYREF_H
#define DRANO_STUB_LLVM_ARRAYREF_H
#include <llvm/ADT/SmallVector.h>
#include <array>
#include <initializer_list>
#include <vector>
namespace llvm {
template <class T> class ArrayRef {
  public:
    typedef T value_type;
    typedef const T *iterator;
    typedef const T *const_iterator;
    typedef std::size_t size_type;
    ArrayRef();
    ArrayRef(const T &);
    ArrayRef(const T *, std::size_t);
    ArrayRef(const T *, const T *);
    ArrayRef(const std::vector<T> &);
    ArrayRef(const std::initializer_list<T> &);
    ArrayRef(const SmallVectorImpl<T> &);
    template <std::size_t N> ArrayRef(const T (&)[N]);
    template <std::size_t N> ArrayRef(const std::array<T, N> &);
    iterator begin() const;
    iterator end() const;
    bool empty() const;
    const T *data() const;
    std::size_t size() const;
    const T &front() const;
    const T &back() const;
    const T &operator[](std::size_t) const;
    ArrayRef slice(std::size_t, std::size_t) const;
    ArrayRef slice(std::size_t) const;
    ArrayRef drop_front(std::size_t = 1) const;
    ArrayRef drop_back(std::size_t = 1) const;
    bool equals(ArrayRef) const;
    std::vector<T> vec() const;
};
template <class T> class MutableArrayRef : public ArrayRef<T> {
  public:
    typedef T *iterator;
    MutableArrayRef();
    MutableArrayRef(T &);
    MutableArrayRef(T *, std::size_t);
    MutableArrayRef(T *, T *);
    MutableArrayRef(std::vector<T> &);
    MutableArrayRef(SmallVectorImpl<T> &);
    iterator begin() const;
    iterator end() const;
    T *data() const;
    T &front() const;
    T &back() const;
    T &operator[](std::size_t) const;
};
template <class T> bool operator==(ArrayRef<T>, ArrayRef<T>);
template <class T> bool operator!=(ArrayRef<T>, ArrayRef<T>);
}
#endif
