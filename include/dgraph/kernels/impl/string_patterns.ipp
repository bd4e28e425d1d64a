#pragma once
#include <dgraph/kernels/string_patterns.hpp>

#include <memory>
#include <mutex>
#include <string>

#include <dgraph/kernels/arguments.hpp>
#include <dgraph/kernels/regex.hpp>
#include <dgraph/kernels/string_arguments.hpp>

namespace dgraph {
namespace detail {

// The pattern that a node was run with last, compiled.
class CompiledPattern final : public Counted {
 public:
  std::shared_ptr<const Regex> of(const std::string& pattern) {
    std::lock_guard lock(mutex_);
    if (!regex_ || pattern_ != pattern) {
      regex_ = std::make_shared<const Regex>(pattern);
      pattern_ = pattern;
    }
    return regex_;
  }

 private:
  std::mutex mutex_;
  std::string pattern_;
  std::shared_ptr<const Regex> regex_;
};

DGRAPH_DECL Ref<Counted> make_compiled_pattern(const KernelRequest&, std::uint64_t) {
  return make_ref<CompiledPattern>();
}

struct RegexConfig {
  std::shared_ptr<const Regex> regex;  // of an attribute
  std::string rewrite;
  bool all = true;
};

DGRAPH_DECL void replace_matches(KernelContext& c, const Regex& regex, const std::string& rewrite,
                                 bool all) {
  map_strings<std::string>(
      c, 500, [&](const std::string& text) { return regex.replace(text, rewrite, all); });
}
DGRAPH_DECL void match_all(KernelContext& c, const Regex& regex) {
  map_strings<bool>(c, 500,
                    [&](const std::string& text) { return regex.search(text, 0, true, {}); });
}

DGRAPH_DECL void run_regex_replace(KernelContext& c) {
  const auto regex = c.state<CompiledPattern>().of(scalar_string(c, 1, "pattern"));
  replace_matches(c, *regex, scalar_string(c, 2, "rewrite"), c.config<bool>());
}
DGRAPH_DECL void run_static_regex_replace(KernelContext& c) {
  const auto& config = c.config<RegexConfig>();
  replace_matches(c, *config.regex, config.rewrite, config.all);
}
DGRAPH_DECL void run_regex_full_match(KernelContext& c) {
  const auto regex = c.state<CompiledPattern>().of(scalar_string(c, 1, "pattern"));
  match_all(c, *regex);
}
DGRAPH_DECL void run_static_regex_full_match(KernelContext& c) {
  match_all(c, *c.config<RegexConfig>().regex);
}

DGRAPH_DECL Kernel pattern_kernel(void (*run)(KernelContext&)) {
  Kernel kernel = plain_kernel(run);
  kernel.make_state = &make_compiled_pattern;
  return kernel;
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::RegexReplace>::make(const KernelRequest& r) {
  return detail::pattern_kernel(&detail::run_regex_replace).with(r.attr<bool>("replace_global"));
}
DGRAPH_DECL Kernel Kernels<ops::StaticRegexReplace>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_static_regex_replace)
      .with(
          detail::RegexConfig{std::make_shared<const detail::Regex>(r.attr<std::string>("pattern")),
                              r.attr<std::string>("rewrite"), r.attr<bool>("replace_global")});
}
DGRAPH_DECL Kernel Kernels<ops::RegexFullMatch>::make(const KernelRequest&) {
  return detail::pattern_kernel(&detail::run_regex_full_match);
}
DGRAPH_DECL Kernel Kernels<ops::StaticRegexFullMatch>::make(const KernelRequest& r) {
  return detail::plain_kernel(&detail::run_static_regex_full_match)
      .with(detail::RegexConfig{
          std::make_shared<const detail::Regex>(r.attr<std::string>("pattern")), "", true});
}

}  // namespace dgraph
