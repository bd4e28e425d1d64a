#pragma once
#include <dgraph/wire/tensor_codec.hpp>
