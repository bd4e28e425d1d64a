#pragma once
#include <dgraph/wire/acceptor.hpp>
