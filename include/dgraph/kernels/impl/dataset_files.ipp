#pragma once
#include <dgraph/kernels/dataset.hpp>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <dgraph/kernels/arguments.hpp>

// Datasets of files: lines of text, TFRecord, comma-separated values.

namespace dgraph {
namespace detail {

// A file that is read from its beginning.
class InputFile {
 public:
  explicit InputFile(const std::string& name) : name_(name), file_(std::fopen(name.c_str(), "rb"), &std::fclose) {
    if (!file_)
      fail(errno == ENOENT ? Code::NotFound : errno == EACCES ? Code::PermissionDenied : Code::FailedPrecondition, name,
           "; ", std::strerror(errno));
  }
  const std::string& name() const noexcept { return name_; }
  /// The next byte; EOF at the end.
  int get() {
    const int c = std::getc(file_.get());
    if (c == EOF && std::ferror(file_.get())) fail(Code::DataLoss, "file ", name_, " cannot be read");
    return c;
  }
  int peek() {
    const int c = get();
    if (c != EOF) std::ungetc(c, file_.get());
    return c;
  }
  /// Up to `count` bytes more of `out`; fewer at the end of the file. Memory grows with what is there.
  void read(std::string& out, std::uint64_t count) {
    constexpr std::uint64_t kPart = std::uint64_t{1} << 20;
    while (count > 0) {
      const auto part = static_cast<std::size_t>(std::min(count, kPart));
      const std::size_t before = out.size();
      out.resize(before + part);
      const std::size_t got = std::fread(out.data() + before, 1, part, file_.get());
      out.resize(before + got);
      if (got < part) {
        if (std::ferror(file_.get())) fail(Code::DataLoss, "file ", name_, " cannot be read");
        return;
      }
      count -= part;
    }
  }

 private:
  std::string name_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

// CRC-32C (Castagnoli), a byte at a time.
DGRAPH_DECL std::uint32_t crc32c(std::string_view bytes) {
  static const std::array<std::uint32_t, 256> table = [] {
    std::array<std::uint32_t, 256> out{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t x = i;
      for (int bit = 0; bit < 8; ++bit) x = x & 1 ? x >> 1 ^ 0x82f63b78u : x >> 1;
      out[i] = x;
    }
    return out;
  }();
  std::uint32_t crc = ~std::uint32_t{0};
  for (const char c : bytes) crc = table[(crc ^ static_cast<std::uint8_t>(c)) & 255] ^ crc >> 8;
  return ~crc;
}

// As TFRecord files have it: a checksum of bytes that hold checksums stays one.
DGRAPH_DECL std::uint32_t masked_crc32c(std::string_view bytes) {
  const std::uint32_t crc = crc32c(bytes);
  return (crc >> 15 | crc << 17) + 0xa282ead8u;
}

template <class T>
T little_endian(const char* from) noexcept {
  T out = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) out |= static_cast<T>(static_cast<std::uint8_t>(from[i])) << 8 * i;
  return out;
}

DGRAPH_DECL bool read_line(InputFile& file, std::string& out) {
  int c = file.get();
  if (c == EOF) return false;
  for (; c != EOF && c != '\n'; c = file.get()) out += static_cast<char>(c);
  if (!out.empty() && out.back() == '\r') out.pop_back();
  return true;
}

// length, its checksum, the bytes, their checksum.
DGRAPH_DECL bool read_tf_record(InputFile& file, std::string& out) {
  const auto cut = [&] { fail(Code::DataLoss, "file ", file.name(), ": a record is cut short"); };
  const auto corrupted = [&] { fail(Code::DataLoss, "file ", file.name(), ": corrupted record: a checksum is wrong"); };
  std::string head;
  file.read(head, 12);
  if (head.empty()) return false;
  if (head.size() < 12) cut();
  if (masked_crc32c({head.data(), 8}) != little_endian<std::uint32_t>(head.data() + 8)) corrupted();
  const auto length = little_endian<std::uint64_t>(head.data());
  file.read(out, length);
  if (out.size() < length) cut();
  std::string tail;
  file.read(tail, 4);
  if (tail.size() < 4) cut();
  if (masked_crc32c(out) != little_endian<std::uint32_t>(tail.data())) corrupted();
  return true;
}

// One file after another, by a function that reads an element.
template <class Reader>
class FileDataset final : public DatasetNode {
 public:
  FileDataset(std::vector<std::string> names, Reader reader) : names_(std::move(names)), reader_(std::move(reader)) {}
  Ref<ElementSource> iterate(IterationContext&) const override {
    return make_ref<Source>(Ref<const FileDataset>::share(this));
  }

 private:
  class Source final : public ElementSource {
   public:
    explicit Source(Ref<const FileDataset> dataset) : dataset_(std::move(dataset)) {}
    Pull next(DatasetElement& out) override {
      for (;;) {
        if (!file_) {
          if (at_ == dataset_->names_.size()) co_return false;
          file_ = std::make_unique<InputFile>(dataset_->names_[at_++]);
          dataset_->reader_.begin(*file_);
        }
        bool came = false;
        try {
          came = dataset_->reader_.next(*file_, out);
        } catch (const Error& error) {
          // After a corrupted record nothing in the file can be believed.
          if (error.code() == Code::DataLoss) file_ = nullptr;
          throw;
        }
        if (came) co_return true;
        file_ = nullptr;
      }
    }

   private:
    const Ref<const FileDataset> dataset_;
    std::size_t at_ = 0;
    std::unique_ptr<InputFile> file_;
  };
  const std::vector<std::string> names_;
  const Reader reader_;
};

struct TextReader {
  bool (*read)(InputFile&, std::string&);
  void begin(InputFile&) const {}
  bool next(InputFile& file, DatasetElement& out) const {
    std::string text;
    if (!read(file, text)) return false;
    out.push_back(Tensor::scalar(std::move(text)));
    return true;
  }
};

class CsvReader {
 public:
  struct Options {
    bool header = false, quotes = true;
    char delimiter = ',';
    std::string missing;
    Dims columns;                  // ascending; empty: all
    std::vector<Tensor> defaults;  // with no elements: the field must not be empty
  };
  explicit CsvReader(Options options) : o_(std::move(options)) {}
  void begin(InputFile& file) const {
    std::string line;
    if (o_.header) read_line(file, line);
  }
  bool next(InputFile& file, DatasetElement& out) const {
    if (file.peek() == EOF) return false;
    std::size_t taken = 0, column = 0;
    for (bool more = true; more; ++column) {
      Field field;
      more = read_field(file, field);
      const bool wanted = o_.columns.empty() || (taken < o_.columns.size() &&
                                                 o_.columns[taken] == static_cast<std::int64_t>(column));
      if (!wanted) continue;
      if (taken < o_.defaults.size()) out.push_back(value(field, taken));
      ++taken;
    }
    if (taken != o_.defaults.size())
      fail(Code::InvalidArgument, "file ", file.name(), ": Expect ", o_.defaults.size(), " fields but have ", taken,
           " in record");
    return true;
  }

 private:
  struct Field {
    std::string text;
    bool quoted = false;
  };
  // True where another field of the record follows.
  bool read_field(InputFile& file, Field& out) const {
    int c = file.get();
    if (o_.quotes && c == '"') {
      out.quoted = true;
      for (;;) {
        c = file.get();
        if (c == EOF) fail(Code::InvalidArgument, "file ", file.name(), ": a quoted field has no closing quote");
        if (c != '"') {
          out.text += static_cast<char>(c);
        } else if (file.peek() == '"') {
          out.text += static_cast<char>(file.get());
        } else {
          break;
        }
      }
      c = file.get();
      if (c == '\r' && file.peek() == '\n') c = file.get();
      if (c != EOF && c != '\n' && c != o_.delimiter)
        fail(Code::InvalidArgument, "file ", file.name(), ": a quote must be followed by a delimiter or the end of the line");
      return c == o_.delimiter && c != EOF;
    }
    for (; c != EOF && c != '\n' && c != o_.delimiter; c = file.get()) {
      if (o_.quotes && c == '"')
        fail(Code::InvalidArgument, "file ", file.name(), ": an unquoted field must not have quotes inside");
      out.text += static_cast<char>(c);
    }
    if (c != o_.delimiter && !out.text.empty() && out.text.back() == '\r') out.text.pop_back();
    return c == o_.delimiter;
  }

  template <class T>
  static Tensor number(const std::string& text, std::size_t column) {
    T out{};
    const char* begin = text.data();
    const char* const end = begin + text.size();
    while (begin != end && *begin == ' ') ++begin;
    if (begin != end && *begin == '+') ++begin;
    const auto [at, error] = std::from_chars(begin, end, out);
    const char* rest = at;
    while (rest != end && *rest == ' ') ++rest;
    if (error != std::errc() || rest != end)
      fail(Code::InvalidArgument, "Field ", column, " in record is not a valid ", dtype_name(dtype_of<T>), ": ", text);
    return Tensor::scalar(out);
  }

  Tensor value(const Field& field, std::size_t column) const {
    const Tensor& fallback = o_.defaults[column];
    if (!field.quoted && (field.text.empty() || field.text == o_.missing)) {
      if (fallback.elements() != 1)
        fail(Code::InvalidArgument, "Field ", column, " is required but missing in record!");
      return fallback.reshaped(Shape());
    }
    switch (fallback.dtype()) {
      case DType::Float32: return number<float>(field.text, column);
      case DType::Float64: return number<double>(field.text, column);
      case DType::Int32: return number<std::int32_t>(field.text, column);
      case DType::Int64: return number<std::int64_t>(field.text, column);
      case DType::String: return Tensor::scalar(field.text);
      default: fail(Code::InvalidArgument, "a column of ", dtype_name(fallback.dtype()), " cannot be read");
    }
  }
  Options o_;
};

DGRAPH_DECL std::vector<std::string> file_names(const KernelContext& c) {
  const Tensor& names = c.input(0);
  if (names.rank() > 1) fail(Code::InvalidArgument, "`filenames` must be a scalar or a vector, not ", names.shape());
  const std::string& compression = c.input(1).item<std::string>();
  if (!compression.empty()) fail(Code::Unimplemented, "files compressed by ", compression, " are not read");
  return {names.data<std::string>(), names.data<std::string>() + names.elements()};
}

template <bool (*read)(InputFile&, std::string&)>
void run_file_dataset(KernelContext& c) {
  c.set_output(0, dataset_value(make_ref<FileDataset<TextReader>>(file_names(c), TextReader{read})));
}

DGRAPH_DECL void run_csv_dataset(KernelContext& c) {
  CsvReader::Options options;
  options.header = c.input(3).item<bool>();
  const std::string& delimiter = c.input(4).item<std::string>();
  if (delimiter.size() != 1) fail(Code::InvalidArgument, "field_delim should be only 1 char");
  options.delimiter = delimiter[0];
  options.quotes = c.input(5).item<bool>();
  options.missing = c.input(6).item<std::string>();
  options.columns = integers_argument(c.input(7), "select_cols");
  for (std::size_t i = 0; i < options.columns.size(); ++i)
    if (options.columns[i] < (i ? options.columns[i - 1] + 1 : 0))
      fail(Code::InvalidArgument, "select_cols must be at least 0 and strictly increasing");
  for (std::size_t i = 8; i < c.num_inputs(); ++i) {
    if (c.input(i).rank() > 1 || c.input(i).elements() > 1)
      fail(Code::InvalidArgument, "Each record default must have no or one element, not ", c.input(i).shape());
    options.defaults.push_back(c.input(i));
  }
  if (!options.columns.empty() && options.columns.size() != options.defaults.size())
    fail(Code::InvalidArgument, "select_cols should match output size: ", options.columns.size(), " and ",
         options.defaults.size());
  c.set_output(0, dataset_value(make_ref<FileDataset<CsvReader>>(file_names(c), CsvReader(std::move(options)))));
}

}  // namespace detail

DGRAPH_DECL Kernel Kernels<ops::TextLineDataset>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_file_dataset<&detail::read_line>, true);
}
DGRAPH_DECL Kernel Kernels<ops::TFRecordDataset>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_file_dataset<&detail::read_tf_record>, true);
}
DGRAPH_DECL Kernel Kernels<ops::CSVDataset>::make(const KernelRequest&) {
  return detail::plain_kernel(&detail::run_csv_dataset, true);
}

}  // namespace dgraph
