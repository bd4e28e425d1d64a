#pragma once
#include <dgraph/wire/channel.hpp>
