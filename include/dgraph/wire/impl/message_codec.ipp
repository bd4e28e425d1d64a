#pragma once
#include <dgraph/wire/message_codec.hpp>
