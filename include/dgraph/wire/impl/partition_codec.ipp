#pragma once
#include <dgraph/wire/partition_codec.hpp>
