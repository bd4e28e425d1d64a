#pragma once
#include <dgraph/wire/pulse.hpp>
