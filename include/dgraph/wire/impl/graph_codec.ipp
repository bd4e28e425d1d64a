#pragma once
#include <dgraph/wire/graph_codec.hpp>
