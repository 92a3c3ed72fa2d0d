/* Stands in for cuDNN's C++ header, of whose graphs nothing is declared. */
#ifndef DRANO_STUB_CUDNN_FRONTEND_H
#define DRANO_STUB_CUDNN_FRONTEND_H
#include "cudnn.h"
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>
#define CUDNN_FRONTEND_MAJOR_VERSION 1
#define CUDNN_FRONTEND_MINOR_VERSION 0
#define CUDNN_FRONTEND_PATCH_VERSION 0
namespace cudnn_frontend {}
#endif
