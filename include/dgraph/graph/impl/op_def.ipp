#pragma once
#include <dgraph/graph/op_def.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace dgraph {
namespace detail {

// Reads one signature, left to right.
class OpParser {
 public:
  explicit OpParser(std::string_view text) : text_(text) {}

  OpDef parse() {
    OpDef def;
    def.name = word();
    std::vector<Arg> inputs = args(), outputs;
    if (take("->")) outputs = args();
    while (take(";")) {
      if (at_end()) break;
      const std::string name = word();
      if (take(":"))
        def.attrs.push_back(attr(name));
      else if (name == "stateful")
        def.stateful = true;
      else if (name == "commutative")
        def.commutative = true;
      else
        wrong("unknown flag " + name);
    }
    if (!at_end()) wrong("unexpected text");
    for (const Arg& arg : inputs) def.inputs.push_back(resolve(def, arg, true));
    for (const Arg& arg : outputs) def.outputs.push_back(resolve(def, arg, false));
    def.fingerprint = fingerprint(def);
    return def;
  }

 private:
  struct Arg {
    std::string name, number, type;
    bool ref = false;
  };

  [[noreturn]] void wrong(const std::string& why) const {
    fail(Code::Internal, "op signature \"", text_, "\", at ", at_, ": ", why);
  }
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool at_end() {
    skip();
    return at_ == text_.size();
  }
  bool take(std::string_view token) {
    skip();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  void need(std::string_view token) {
    if (!take(token)) wrong("expected " + std::string(token));
  }
  static bool in_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }
  std::string word() {
    skip();
    const std::size_t begin = at_;
    while (at_ < text_.size() && in_word(text_[at_])) ++at_;
    if (begin == at_) wrong("expected a name");
    return std::string(text_.substr(begin, at_ - begin));
  }
  std::string quoted() {
    need("'");
    const std::size_t end = text_.find('\'', at_);
    if (end == std::string_view::npos) wrong("a quote is not closed");
    std::string out(text_.substr(at_, end - at_));
    at_ = end + 1;
    return out;
  }
  std::string number() {
    skip();
    const std::size_t begin = at_;
    while (at_ < text_.size() && (in_word(text_[at_]) || text_[at_] == '-' || text_[at_] == '+' || text_[at_] == '.'))
      ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }
  std::int64_t integer() {
    const std::string digits = number();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) wrong("expected an integer");
    return value;
  }

  std::vector<Arg> args() {
    std::vector<Arg> out;
    need("(");
    if (take(")")) return out;
    do {
      Arg arg;
      arg.name = word();
      need(":");
      arg.type = word();
      if (arg.type == "Ref" && take("(")) {
        arg.ref = true;
        arg.type = word();
        if (take("*")) {
          arg.number = arg.type;
          arg.type = word();
        }
        need(")");
      } else if (take("*")) {
        arg.number = arg.type;
        arg.type = word();
      }
      out.push_back(std::move(arg));
    } while (take(","));
    need(")");
    return out;
  }

  ArgDef resolve(OpDef& def, const Arg& arg, bool input) const {
    ArgDef out;
    out.name = arg.name;
    out.ref = arg.ref;
    const auto find = [&](const std::string& name) {
      const int index = def.attr_index(name);
      if (index >= 0 && input) def.attrs[static_cast<std::size_t>(index)].inferred = true;
      return index;
    };
    if (!arg.number.empty() && (out.number_attr = find(arg.number)) < 0) wrong("no attribute " + arg.number);
    if (const auto dtype = parse_dtype(arg.type)) {
      out.dtype = *dtype;
      return out;
    }
    const int index = find(arg.type);
    if (index < 0) wrong("no type and no attribute " + arg.type);
    (def.attrs[static_cast<std::size_t>(index)].list ? out.type_list_attr : out.type_attr) = index;
    return out;
  }

  void add_types(DTypeSet& set, const std::string& name) const {
    const bool real = name == "real" || name == "number";
    bool known = real || name == "floating" || name == "complex" || name == "integer" || name == "index";
    for (unsigned i = 1; i < kDTypeEnd; ++i) {
      const auto d = static_cast<DType>(i);
      if (((real || name == "floating") && is_floating(d)) || ((real || name == "integer") && is_integer(d)) ||
          ((name == "number" || name == "complex") && is_complex(d)) ||
          (name == "index" && (d == DType::Int32 || d == DType::Int64)))
        set.add(d);
    }
    if (const auto d = parse_dtype(name)) {
      set.add(*d);
      known = true;
    }
    if (!known) wrong("unknown type " + name);
  }

  void kind(AttrDef& attr) {
    if (take("{")) {
      skip();
      if (at_ < text_.size() && text_[at_] == '\'') {
        attr.kind = AttrKind::String;
        do attr.allowed_strings.push_back(quoted());
        while (take(","));
      } else {
        attr.kind = AttrKind::Type;
        do add_types(attr.allowed_types, word());
        while (take(","));
      }
      need("}");
      return;
    }
    const std::string name = word();
    if (name == "list") {
      attr.list = true;
      need("(");
      kind(attr);
      need(")");
    } else if (name == "int") {
      attr.kind = AttrKind::Int;
    } else if (name == "float") {
      attr.kind = AttrKind::Float;
    } else if (name == "bool") {
      attr.kind = AttrKind::Bool;
    } else if (name == "string") {
      attr.kind = AttrKind::String;
    } else if (name == "type") {
      attr.kind = AttrKind::Type;
    } else if (name == "shape") {
      attr.kind = AttrKind::Shape;
    } else if (name == "tensor") {
      attr.kind = AttrKind::Tensor;
    } else {
      wrong("unknown kind " + name);
    }
  }

  AttrDef attr(const std::string& name) {
    AttrDef out;
    out.name = name;
    kind(out);
    if (take(">=")) {
      out.has_minimum = true;
      out.minimum = integer();
    }
    if (take("=")) out.default_value = out.list ? list_literal(out.kind) : literal(out.kind);
    return out;
  }

  AttrValue literal(AttrKind kind) {
    switch (kind) {
      case AttrKind::Int: return integer();
      case AttrKind::Float: return std::strtof(number().c_str(), nullptr);
      case AttrKind::Bool: return word() == "true";
      case AttrKind::String: return quoted();
      case AttrKind::Type:
        if (const auto dtype = parse_dtype(word())) return *dtype;
        wrong("unknown type");
      case AttrKind::Shape: {
        if (take("{")) {
          need("}");
          return PartialShape();
        }
        Dims dims;
        for (std::int64_t d : list<std::int64_t>([this] { return integer(); })) dims.push_back(d);
        return PartialShape(dims);
      }
      case AttrKind::Tensor: break;
    }
    wrong("no literal for this kind");
  }

  template <class T, class Read>
  std::vector<T> list(Read read) {
    std::vector<T> out;
    need("[");
    if (take("]")) return out;
    do out.push_back(read());
    while (take(","));
    need("]");
    return out;
  }

  AttrValue list_literal(AttrKind kind) {
    switch (kind) {
      case AttrKind::Int: return list<std::int64_t>([this] { return integer(); });
      case AttrKind::Float: return list<float>([this] { return std::strtof(number().c_str(), nullptr); });
      case AttrKind::Bool: return list<bool>([this] { return word() == "true"; });
      case AttrKind::String: return list<std::string>([this] { return quoted(); });
      case AttrKind::Type: return list<DType>([this] { return literal(AttrKind::Type).get<DType>(); });
      case AttrKind::Shape:
        return list<PartialShape>([this] { return literal(AttrKind::Shape).get<PartialShape>(); });
      case AttrKind::Tensor: break;
    }
    wrong("no literal for this kind");
  }

  // FNV-1a over the signature in a canonical spelling, so that it does not depend on blanks in the text.
  static std::uint64_t fingerprint(const OpDef& def) {
    std::string all = def.name;
    const auto arg = [&](const ArgDef& a) {
      all += errors::text(';', a.name, ',', static_cast<int>(a.dtype), ',', a.type_attr, ',', a.number_attr, ',',
                          a.type_list_attr, ',', a.ref);
    };
    for (const ArgDef& a : def.inputs) arg(a);
    all += ">";
    for (const ArgDef& a : def.outputs) arg(a);
    for (const AttrDef& a : def.attrs)
      all += errors::text('|', a.name, ',', static_cast<int>(a.kind), ',', a.list, ',', a.default_value.to_string());
    all += errors::text(def.stateful);
    std::uint64_t hash = 0xcbf29ce484222325ull;
    for (char c : all) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
    return hash;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace detail

DGRAPH_DECL std::string DTypeSet::to_string() const {
  std::string out;
  for (unsigned i = 1; i < kDTypeEnd; ++i)
    if (bits >> i & 1u) out += (out.empty() ? "" : ", ") + std::string(dtype_name(static_cast<DType>(i)));
  return out;
}

DGRAPH_DECL int OpDef::attr_index(std::string_view attr) const noexcept {
  for (std::size_t i = 0; i < attrs.size(); ++i)
    if (attrs[i].name == attr) return static_cast<int>(i);
  return -1;
}

DGRAPH_DECL OpDef parse_op(std::string_view signature) { return detail::OpParser(signature).parse(); }

}  // namespace dgraph
