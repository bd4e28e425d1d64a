// The main of every test program.
#define CATCH_CONFIG_RUNNER
#include "support/catch.hpp"

#if defined(DGRAPH_TEST_CATCH3)
#include <catch2/catch_session.hpp>
#endif

int main(int argc, char** argv) { return Catch::Session().run(argc, argv); }
