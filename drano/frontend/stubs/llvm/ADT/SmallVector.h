/* Stands in for LLVM's SmallVector: a vector, as host code uses it. */
#ifndef DRANO_STUB_LLVM_SMALLVECTOR_H
#define DRANO_STUB_LLVM_SMALLVECTOR_H
#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <vector>
namespace llvm {
template <class T> struct is_trivially_copyable : std::is_trivially_copyable<T> {};
template <class T> class SmallVectorImpl : public std::vector<T> {
  public:
    using std::vector<T>::vector;
    using std::vector<T>::insert;
    template <class I> void append(I, I);
    void append(std::size_t, const T &);
    void append(std::initializer_list<T>);
    T pop_back_val();
    void truncate(std::size_t);
    bool operator==(const SmallVectorImpl &) const;
    bool operator!=(const SmallVectorImpl &) const;
};
template <class T, unsigned N = 4> class SmallVector : public SmallVectorImpl<T> {
  public:
    using SmallVectorImpl<T>::SmallVectorImpl;
};
}
#endif
