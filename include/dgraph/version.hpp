#pragma once
// The version of dgraph. The build system reads these three numbers, and nothing else states them.

#define DGRAPH_VERSION_MAJOR 0
#define DGRAPH_VERSION_MINOR 1
#define DGRAPH_VERSION_PATCH 0

#define DGRAPH_DETAIL_TEXT_(x) #x
#define DGRAPH_DETAIL_TEXT(x) DGRAPH_DETAIL_TEXT_(x)
#define DGRAPH_VERSION_STRING                 \
  DGRAPH_DETAIL_TEXT(DGRAPH_VERSION_MAJOR)    \
  "." DGRAPH_DETAIL_TEXT(DGRAPH_VERSION_MINOR) "." DGRAPH_DETAIL_TEXT(DGRAPH_VERSION_PATCH)

namespace dgraph {

/// "major.minor.patch", e.g. "0.1.0".
inline constexpr const char* kVersion = DGRAPH_VERSION_STRING;

}  // namespace dgraph
