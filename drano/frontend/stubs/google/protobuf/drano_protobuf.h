/* Stands in for protobuf: what the headers it makes, and host code, name of it. */
#ifndef DRANO_STUB_PROTOBUF_H
#define DRANO_STUB_PROTOBUF_H
#include <cstddef>
#include <cstdint>
#include <istream>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>
#define PROTOBUF_NAMESPACE_ID google::protobuf
#ifndef GOOGLE_PROTOBUF_VERSION
#define GOOGLE_PROTOBUF_VERSION 3021000
#endif
#define GOOGLE_PROTOBUF_VERIFY_VERSION
namespace google {
namespace protobuf {
typedef std::int32_t int32;
typedef std::int64_t int64;
typedef std::uint32_t uint32;
typedef std::uint64_t uint64;
typedef std::uint8_t uint8;
using std::string;
class Descriptor;
class EnumDescriptor;
class EnumValueDescriptor;
class FieldDescriptor;
class FileDescriptor;
class OneofDescriptor;
class DescriptorPool;
class Reflection;
class Arena;
class UnknownFieldSet;
namespace io {
class ZeroCopyInputStream;
class ZeroCopyOutputStream;
class CodedInputStream;
class CodedOutputStream;
}
class MessageLite {
  public:
    virtual ~MessageLite();
    virtual void Clear();
    virtual std::size_t ByteSizeLong() const;
    int ByteSize() const;
    bool IsInitialized() const;
    bool ParseFromString(const std::string &);
    bool ParseFromArray(const void *, int);
    bool ParseFromIstream(std::istream *);
    bool ParseFromZeroCopyStream(io::ZeroCopyInputStream *);
    bool ParseFromCodedStream(io::CodedInputStream *);
    bool MergeFromCodedStream(io::CodedInputStream *);
    bool SerializeToString(std::string *) const;
    bool SerializePartialToString(std::string *) const;
    bool SerializeToArray(void *, int) const;
    bool SerializeToOstream(std::ostream *) const;
    bool SerializeToZeroCopyStream(io::ZeroCopyOutputStream *) const;
    bool AppendToString(std::string *) const;
    std::string SerializeAsString() const;
    std::string GetTypeName() const;
    std::string InitializationErrorString() const;
};
class Message : public MessageLite {
  public:
    Message *New() const;
    void CopyFrom(const Message &);
    void MergeFrom(const Message &);
    void DiscardUnknownFields();
    std::size_t SpaceUsedLong() const;
    std::string DebugString() const;
    std::string ShortDebugString() const;
    std::string Utf8DebugString() const;
    void PrintDebugString() const;
    static const Descriptor *GetDescriptor();
    static const Reflection *GetReflection();
};
template <class T, class Own> class drano_repeated {
  public:
    typedef T value_type;
    typedef T *iterator;
    typedef const T *const_iterator;
    int size() const;
    bool empty() const;
    const T &Get(int) const;
    const T &operator[](int) const;
    T &operator[](int);
    const T &at(int) const;
    T *Mutable(int);
    T *Add();
    void Clear();
    void Reserve(int);
    void RemoveLast();
    void SwapElements(int, int);
    void Swap(Own *);
    void CopyFrom(const Own &);
    void MergeFrom(const Own &);
    iterator begin();
    iterator end();
    const_iterator begin() const;
    const_iterator end() const;
    const_iterator cbegin() const;
    const_iterator cend() const;
    iterator erase(const_iterator);
    iterator erase(const_iterator, const_iterator);
};
template <class T> class RepeatedField : public drano_repeated<T, RepeatedField<T>> {
  public:
    using drano_repeated<T, RepeatedField<T>>::Add;
    RepeatedField();
    template <class I> RepeatedField(I, I);
    void Add(const T &);
    template <class I> void Add(I, I);
    void Set(int, const T &);
    void Resize(int, const T &);
    void Truncate(int);
    T *mutable_data();
    const T *data() const;
};
template <class T> class RepeatedPtrField : public drano_repeated<T, RepeatedPtrField<T>> {
  public:
    using drano_repeated<T, RepeatedPtrField<T>>::Add;
    RepeatedPtrField();
    template <class I> RepeatedPtrField(I, I);
    void Add(T &&);
    void AddAllocated(T *);
    T *ReleaseLast();
    void DeleteSubrange(int, int);
};
template <class T> RepeatedPtrField<T> *RepeatedPtrFieldBackInserter(RepeatedPtrField<T> *);
template <class T> RepeatedField<T> *RepeatedFieldBackInserter(RepeatedField<T> *);
template <class K, class V> class Map : public std::unordered_map<K, V> {
  public:
    using std::unordered_map<K, V>::unordered_map;
    bool contains(const K &) const;
};
template <class K, class V> struct MapPair : std::pair<const K, V> {};
class Arena {
  public:
    template <class T, class... A> static T *CreateMessage(Arena *, A &&...);
    template <class T, class... A> static T *Create(Arena *, A &&...);
};
class EnumValueDescriptor {
  public:
    const std::string &name() const;
    const std::string &full_name() const;
    int number() const;
    int index() const;
};
class EnumDescriptor {
  public:
    const std::string &name() const;
    const std::string &full_name() const;
    int value_count() const;
    const EnumValueDescriptor *value(int) const;
    const EnumValueDescriptor *FindValueByName(const std::string &) const;
    const EnumValueDescriptor *FindValueByNumber(int) const;
};
class OneofDescriptor {
  public:
    const std::string &name() const;
    int field_count() const;
    const FieldDescriptor *field(int) const;
};
class FieldDescriptor {
  public:
    enum Type { TYPE_DOUBLE = 1, TYPE_FLOAT, TYPE_INT64, TYPE_UINT64, TYPE_INT32, TYPE_FIXED64,
                TYPE_FIXED32, TYPE_BOOL, TYPE_STRING, TYPE_GROUP, TYPE_MESSAGE, TYPE_BYTES,
                TYPE_UINT32, TYPE_ENUM, TYPE_SFIXED32, TYPE_SFIXED64, TYPE_SINT32, TYPE_SINT64 };
    enum CppType { CPPTYPE_INT32 = 1, CPPTYPE_INT64, CPPTYPE_UINT32, CPPTYPE_UINT64,
                   CPPTYPE_DOUBLE, CPPTYPE_FLOAT, CPPTYPE_BOOL, CPPTYPE_ENUM, CPPTYPE_STRING,
                   CPPTYPE_MESSAGE };
    enum Label { LABEL_OPTIONAL = 1, LABEL_REQUIRED, LABEL_REPEATED };
    const std::string &name() const;
    const std::string &full_name() const;
    int number() const;
    int index() const;
    Type type() const;
    CppType cpp_type() const;
    Label label() const;
    bool is_repeated() const;
    bool is_optional() const;
    bool is_required() const;
    bool is_map() const;
    bool has_default_value() const;
    const Descriptor *message_type() const;
    const EnumDescriptor *enum_type() const;
    const Descriptor *containing_type() const;
    const OneofDescriptor *containing_oneof() const;
};
class Descriptor {
  public:
    const std::string &name() const;
    const std::string &full_name() const;
    int field_count() const;
    const FieldDescriptor *field(int) const;
    const FieldDescriptor *FindFieldByName(const std::string &) const;
    const FieldDescriptor *FindFieldByNumber(int) const;
    int oneof_decl_count() const;
    const OneofDescriptor *oneof_decl(int) const;
    const OneofDescriptor *FindOneofByName(const std::string &) const;
};
class Reflection {
  public:
    bool HasField(const Message &, const FieldDescriptor *) const;
    int FieldSize(const Message &, const FieldDescriptor *) const;
    void ClearField(Message *, const FieldDescriptor *) const;
    void ListFields(const Message &, std::vector<const FieldDescriptor *> *) const;
    std::int32_t GetInt32(const Message &, const FieldDescriptor *) const;
    std::int64_t GetInt64(const Message &, const FieldDescriptor *) const;
    std::uint32_t GetUInt32(const Message &, const FieldDescriptor *) const;
    std::uint64_t GetUInt64(const Message &, const FieldDescriptor *) const;
    float GetFloat(const Message &, const FieldDescriptor *) const;
    double GetDouble(const Message &, const FieldDescriptor *) const;
    bool GetBool(const Message &, const FieldDescriptor *) const;
    std::string GetString(const Message &, const FieldDescriptor *) const;
    const EnumValueDescriptor *GetEnum(const Message &, const FieldDescriptor *) const;
    const Message &GetMessage(const Message &, const FieldDescriptor *) const;
    Message *MutableMessage(Message *, const FieldDescriptor *) const;
    Message *AddMessage(Message *, const FieldDescriptor *) const;
    const Message &GetRepeatedMessage(const Message &, const FieldDescriptor *, int) const;
    template <class... A> void SetInt32(Message *, const FieldDescriptor *, A...) const;
    template <class... A> void SetInt64(Message *, const FieldDescriptor *, A...) const;
    template <class... A> void SetFloat(Message *, const FieldDescriptor *, A...) const;
    template <class... A> void SetDouble(Message *, const FieldDescriptor *, A...) const;
    template <class... A> void SetBool(Message *, const FieldDescriptor *, A...) const;
    template <class... A> void SetString(Message *, const FieldDescriptor *, A...) const;
    template <class... A> void SetEnum(Message *, const FieldDescriptor *, A...) const;
    template <class T> const RepeatedField<T> &GetRepeatedField(const Message &,
                                                                const FieldDescriptor *) const;
    template <class T> RepeatedField<T> *MutableRepeatedField(Message *,
                                                              const FieldDescriptor *) const;
    template <class T>
    const RepeatedPtrField<T> &GetRepeatedPtrField(const Message &, const FieldDescriptor *) const;
    template <class T>
    RepeatedPtrField<T> *MutableRepeatedPtrField(Message *, const FieldDescriptor *) const;
};
template <class E> const EnumDescriptor *GetEnumDescriptor();
class TextFormat {
  public:
    template <class... A> static bool Parse(A &&...);
    template <class... A> static bool ParseFromString(A &&...);
    template <class... A> static bool Merge(A &&...);
    template <class... A> static bool MergeFromString(A &&...);
    template <class... A> static bool Print(A &&...);
    template <class... A> static bool PrintToString(A &&...);
};
namespace util {
class MessageDifferencer {
  public:
    static bool Equals(const Message &, const Message &);
    static bool Equivalent(const Message &, const Message &);
};
}
namespace io {
class ZeroCopyInputStream {
  public:
    virtual ~ZeroCopyInputStream();
};
class ZeroCopyOutputStream {
  public:
    virtual ~ZeroCopyOutputStream();
};
struct ArrayInputStream : ZeroCopyInputStream {
    ArrayInputStream(const void *, int, int = -1);
};
struct FileInputStream : ZeroCopyInputStream {
    explicit FileInputStream(int, int = -1);
};
struct FileOutputStream : ZeroCopyOutputStream {
    explicit FileOutputStream(int, int = -1);
};
struct IstreamInputStream : ZeroCopyInputStream {
    explicit IstreamInputStream(std::istream *, int = -1);
};
struct OstreamOutputStream : ZeroCopyOutputStream {
    explicit OstreamOutputStream(std::ostream *, int = -1);
};
struct StringOutputStream : ZeroCopyOutputStream {
    explicit StringOutputStream(std::string *);
};
class CodedInputStream {
  public:
    explicit CodedInputStream(ZeroCopyInputStream *);
    CodedInputStream(const std::uint8_t *, int);
    void SetTotalBytesLimit(int, int = -1);
};
class CodedOutputStream {
  public:
    explicit CodedOutputStream(ZeroCopyOutputStream *);
};
}
}
}
#endif
