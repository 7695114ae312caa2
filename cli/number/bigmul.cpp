// `seiche bigmul`: the exact product of two integers of any size.
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command/commands.hpp"
#include "cli/io/output_file.hpp"
#include "cli/number/multiply.hpp"
#include "cli/number/product_report.hpp"
#include "cli/text/failure.hpp"

namespace seiche::cli {
namespace {

struct BigmulCommand {
    std::string a, b, output, device;
    unsigned base = 10;
    bool json = false;
};

/// An argument is an integer, or @ and the name of a file with one.
number::Integer read_integer(const std::string& argument, unsigned base, const std::string& what) {
    if (argument.empty() || argument[0] != '@') {
        try {
            return number::parse_integer(argument, base, what);
        } catch (const Failure& failure) {  // no file's fault
            throw UsageError(failure.what());
        }
    }
    const std::string path = argument.substr(1);
    return number::parse_integer(read_text(path), base, "'" + path + "'");
}

void report(const BigmulCommand& command, const Device& device, const number::Product& product) {
    const ProductReport made{device, command.output, &product.evidence, product.evidence.figures};
    if (command.json) {
        Json json = to_json(made);
        json.update(
            {{"base", command.base}, {"digits", product.value.digits.size()}, {"digits_together", product.characters}});
        if (command.output.empty()) json["product"] = to_text(product.value);
        print_json(json);
    } else if (command.output.empty()) {
        print(to_text(product.value) + "\n");
    } else {
        print(made,
              {{"digits", std::to_string(product.value.digits.size()) + " in base " + std::to_string(command.base) +
                              ", " + std::to_string(product.characters) + " of a factor together"}});
    }
}

void run(const BigmulCommand& command) {
    const number::Integer a = read_integer(command.a, command.base, "A");
    const number::Integer b = read_integer(command.b, command.base, "B");
    const Device device = open_device(command.device);
    number::require_double(device);
    const number::Product product = number::multiply(device, a, b, command.base);
    if (!command.output.empty()) {
        io::OutputFile file(command.output);
        file.write(to_text(product.value) + "\n");
        file.commit();
    }
    report(command, device, product);
}

}  // namespace

void add_bigmul(Command& app) {
    Command command = app.add_subcommand("bigmul", "Multiply two integers of any size exactly");
    auto options = std::make_shared<BigmulCommand>();
    command.add_option("A", options->a, "An integer, or @FILE with one").value("FILE").required();
    command.add_option("B", options->b, "The other factor, in the same forms").value("FILE").required();
    command.add_option("-o,--output", options->output, "The file to write (default: standard output)").value("FILE");
    command.add_option("--base", options->base, "The base of factors and product, 10 or 16; 16 allows 0x before digits")
        .one_of({"10", "16"})
        .capture_default_str();
    add_device_option(command, options->device);
    add_json_option(command, options->json);
    command.footer(
        "The factors are split into balanced digits, as large as a proven bound on the rounding error allows "
        "(docs/explanation/bigmul.md), and multiplied by transforms in double precision. The product is checked modulo "
        "2^61 - 1."
        "\n\nPut a negative hexadecimal factor behind --: seiche bigmul --base 16 -- -ff 2.");
    command.callback([options] { run(*options); });
}

}  // namespace seiche::cli
