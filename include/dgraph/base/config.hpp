#pragma once
// How the library is compiled: header-only by default, or once in dgraph::compiled.

#if !defined(DGRAPH_COMPILED)
#define DGRAPH_HEADER_ONLY 1
#define DGRAPH_DECL inline
#else
#define DGRAPH_DECL
#endif

#define DGRAPH_LIKELY(x) __builtin_expect(!!(x), 1)
#define DGRAPH_UNLIKELY(x) __builtin_expect(!!(x), 0)
