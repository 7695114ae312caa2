// `seiche polymul`: the product of two polynomials, exact if their coefficients are integers.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command/commands.hpp"
#include "cli/io/npy.hpp"
#include "cli/io/output_file.hpp"
#include "cli/number/polynomial.hpp"
#include "cli/number/product_report.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli {
namespace {

struct PolymulCommand {
    std::string a, b, output, device;
    bool json = false;
};

/// A factor, highest power first: either integers, or values.
struct Polynomial {
    std::vector<std::int64_t> integers;
    std::vector<std::complex<double>> values;
    bool is_exact = false, is_complex = false, is_single = false;
};

std::vector<std::string_view> words(std::string_view text) {
    constexpr std::string_view separators = ", \t\r\n";
    std::vector<std::string_view> list;
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(separators), text.size()));
        if (text.empty()) return list;
        const std::size_t end = std::min(text.find_first_of(separators), text.size());
        list.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
}

/// True if the whole word is a number; Failure if it is one beyond T.
template <class T>
bool read_number(std::string_view word, T& value, const std::string& what) {
    if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
    const auto result = std::from_chars(word.data(), word.data() + word.size(), value);
    if (result.ptr != word.data() + word.size()) return false;
    if (result.ec == std::errc::result_out_of_range)
        throw Failure(what + ": beyond 64 bits: '" + printable(word) + "'");
    return result.ec == std::errc{};
}

Polynomial parse_polynomial(std::string_view text, const std::string& what) {
    Polynomial polynomial;
    polynomial.is_exact = true;
    const std::vector<std::string_view> list = words(text);
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string place = what + ": coefficient " + std::to_string(i + 1);
        std::int64_t integer = 0;
        double value = 0;
        const bool is_integer = read_number(list[i], integer, place);
        if (!is_integer && !read_number(list[i], value, place))
            throw Failure(place + ": expected a number, got '" + printable(list[i]) + "'");
        polynomial.is_exact = polynomial.is_exact && is_integer;
        polynomial.integers.push_back(integer);
        polynomial.values.emplace_back(is_integer ? static_cast<double>(integer) : value);
    }
    return polynomial;
}

Polynomial load_npy(const std::string& path) {
    io::NpyFile file(path);
    const io::ElementType type = file.header().type;
    if (file.header().shape.size() > 1)
        throw Failure("'" + path + "': expected an array of one axis, got " +
                      std::to_string(file.header().shape.size()));
    Polynomial polynomial;
    polynomial.is_exact = is_integer(type);
    polynomial.is_complex = is_complex(type);
    polynomial.is_single =
        type == io::ElementType::float16 || type == io::ElementType::float32 || type == io::ElementType::complex64;
    if (polynomial.is_exact) {
        polynomial.integers = file.read_integers();
        for (const std::int64_t c : polynomial.integers) polynomial.values.emplace_back(static_cast<double>(c));
    } else {
        polynomial.values = file.read<double>();
    }
    return polynomial;
}

/// FILE.npy, @FILE with text, or the text itself. Leading zeros go, as numpy.polymul has it; of zeros alone one stays.
Polynomial read_polynomial(const std::string& argument, const std::string& what) {
    Polynomial polynomial;
    if (extension(argument) == ".npy") {
        polynomial = load_npy(argument);
    } else if (!argument.empty() && argument[0] == '@') {
        const std::string path = argument.substr(1);
        polynomial = parse_polynomial(read_text(path), "'" + path + "'");
    } else {
        polynomial = parse_polynomial(argument, what);
    }
    auto& values = polynomial.values;
    if (values.empty()) throw Failure(what + ": expected at least one coefficient, got none");
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!std::isfinite(values[i].real()) || !std::isfinite(values[i].imag()))
            throw Failure(what + ": coefficient " + std::to_string(i + 1) + ": expected a finite number");
    const auto nonzero = std::find_if(values.begin(), values.end() - 1, [](auto value) { return value != 0.0; });
    const std::ptrdiff_t zeros = nonzero - values.begin();
    values.erase(values.begin(), nonzero);
    if (polynomial.is_exact)
        polynomial.integers.erase(polynomial.integers.begin(), polynomial.integers.begin() + zeros);
    return polynomial;
}

/// The same; what is wrong in the words of the command line themselves is no file's fault.
Polynomial read_factor(const std::string& argument, const std::string& what) {
    const bool is_file = extension(argument) == ".npy" || (!argument.empty() && argument[0] == '@');
    try {
        return read_polynomial(argument, what);
    } catch (const Failure& failure) {
        if (is_file) throw;
        throw UsageError(failure.what());
    }
}

/// What is written: the values in the type that numpy would give them, exact integers as int64.
struct Result {
    io::ElementType type = io::ElementType::int64;
    std::vector<std::int64_t> integers;
    std::vector<std::complex<double>> values;
    std::size_t size() const { return type == io::ElementType::int64 ? integers.size() : values.size(); }
};

std::string text_of(const Result& result) {
    std::string text;
    for (const std::int64_t value : result.integers) text += (text.empty() ? "" : " ") + std::to_string(value);
    for (const std::complex<double>& value : result.values)
        text += (text.empty() ? "" : " ") + (result.type == io::ElementType::float32
                                                 ? shortest(static_cast<float>(value.real()))
                                                 : shortest(value.real()));
    return text;
}

/// The real numbers of the values as T.
template <class T>
std::vector<T> parts_of(const Result& result) {
    std::vector<T> parts;
    for (const std::complex<double>& value : result.values) {
        parts.push_back(static_cast<T>(value.real()));
        if (is_complex(result.type)) parts.push_back(static_cast<T>(value.imag()));
    }
    return parts;
}

void write(const std::string& path, const Result& result) {
    io::OutputFile file(path);
    const auto write_all = [&file](const auto& list) { file.write(list.data(), list.size() * sizeof list[0]); };
    if (io::output_extension(path, ".txt") != ".npy") {
        file.write(text_of(result) + "\n");
    } else {
        file.write(io::npy_preamble({result.type, false, false, {result.size()}}));
        const bool is_single = result.type == io::ElementType::float32 || result.type == io::ElementType::complex64;
        if (result.type == io::ElementType::int64) {
            write_all(result.integers);
        } else if (is_single) {
            write_all(parts_of<float>(result));
        } else {
            write_all(parts_of<double>(result));
        }
    }
    file.commit();
}

void report(const PolymulCommand& command, const ProductReport& made, const Result& result) {
    if (command.json) {
        Json json = to_json(made);
        json.update({{"coefficients", result.size()}, {"dtype", to_string(result.type)}});
        if (command.output.empty())
            json["product"] = result.integers.empty() ? Json(parts_of<double>(result)) : Json(result.integers);
        print_json(json);
    } else if (command.output.empty()) {
        print(text_of(result) + "\n");
    } else {
        print(made, {{"coefficients", std::to_string(result.size())}, {"dtype", to_string(result.type)}});
    }
}

/// numpy's type of a product that is not exact.
io::ElementType type_of(const Polynomial& a, const Polynomial& b) {
    const bool is_single = a.is_single && b.is_single;
    if (a.is_complex || b.is_complex) return is_single ? io::ElementType::complex64 : io::ElementType::complex128;
    return is_single ? io::ElementType::float32 : io::ElementType::float64;
}

void run(const PolymulCommand& command) {
    const std::string kind = io::output_extension(command.output, ".txt");
    if (!command.output.empty() && kind != ".npy" && kind != ".txt")
        throw UsageError("expected an output that ends in .npy or .txt, got '" + command.output + "'");
    const Polynomial a = read_factor(command.a, "A"), b = read_factor(command.b, "B");
    if ((a.is_complex || b.is_complex) && kind != ".npy")
        throw UsageError("expected -o FILE.npy for complex coefficients");
    const Device device = open_device(command.device);
    number::require_double(device);
    Result result;
    number::Evidence evidence;
    const bool is_exact = a.is_exact && b.is_exact;
    if (is_exact) {
        number::IntegerPolynomial product = number::multiply(device, a.integers, b.integers);
        result.integers = std::move(product.values);
        evidence = product.evidence;
    } else {
        number::ComplexPolynomial product = number::multiply(device, a.values, b.values);
        result.type = type_of(a, b);
        result.values = std::move(product.values);
        evidence.figures = product.figures;
    }
    if (!command.output.empty()) write(command.output, result);
    report(command, {device, command.output, is_exact ? &evidence : nullptr, evidence.figures}, result);
}

}  // namespace

void add_polymul(Command& app) {
    Command command =
        app.add_subcommand("polymul", "Multiply two polynomials, as numpy.polymul does; integers exactly");
    auto options = std::make_shared<PolymulCommand>();
    command
        .add_option("A", options->a,
                    "Coefficients, highest power first: FILE.npy with one axis, @FILE with numbers as text, or the "
                    "numbers themselves: \"1 -2,3\"")
        .value("FILE")
        .required();
    command.add_option("B", options->b, "The other factor, in the same forms").value("FILE").required();
    command.add_option("-o,--output", options->output, "The file to write, .npy or .txt (default: standard output)")
        .value("FILE");
    add_device_option(command, options->device);
    add_json_option(command, options->json);
    command.footer(
        "Products of integers are exact int64: a proof bounds the rounding errors (docs/explanation/bigmul.md). A "
        "coefficient "
        "outside int64 is an error. Other products are computed in double precision, with errors relative to the norms "
        "of the factors; the result is float32 or complex64 if both factors are, else float64 or complex128. Leading "
        "zeros are dropped, as in numpy.polymul.\n\n"
        "Put a list that starts with a minus sign behind --: seiche polymul -- \"-1 2\" \"3 4\".");
    command.callback([options] { run(*options); });
}

}  // namespace seiche::cli
