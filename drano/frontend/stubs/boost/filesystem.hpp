/* Stands in for Boost's file system. */
#pragma once
#include <filesystem>
#include <fstream>
namespace boost {
namespace filesystem {
using namespace std::filesystem;
using std::fstream;
using std::ifstream;
using std::ofstream;
}
}
