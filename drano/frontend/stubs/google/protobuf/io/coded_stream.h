#include <google/protobuf/drano_protobuf.h>
