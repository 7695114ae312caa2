// Kernels as functions that other kernels call.
#include <bit>

#include "emit/c_like.hpp"
#include "emit/legalise.hpp"
#include "emit/narrow_addresses.hpp"
#include "seiche/error.hpp"

namespace seiche::emit {

namespace {

// What every OpenCL device has of constant memory (OpenCL 1.2, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE).
constexpr std::uint64_t constant_limit = 65536;

ir::Kernel with_named_table(ir::Kernel kernel) {
    for (const ir::ArraySymbol& array : kernel.shared) {
        if (array.element != kernel.shared.front().element)
            throw InternalError("function " + kernel.name + ": expected shared arrays of one type");
    }
    const bool has_parameters = kernel.buffers.size() > 1 || !kernel.scalars.empty() || !kernel.images.empty();
    if (has_parameters) throw InternalError("function " + kernel.name + ": expected no buffer but a table");
    if (!kernel.buffers.empty()) kernel.buffers.front().name = kernel.name + "_twiddles";
    return kernel;
}

}  // namespace

std::string Writer::constant_text(const std::vector<double>& table) const {
    if (kernel_.buffers.empty()) return {};
    constexpr std::size_t numbers_per_line = 8;
    const ir::Type type = kernel_.buffers.front().element;
    const std::string name = dialect_.type_name(type), size = "[" + std::to_string(table.size() / 2) + "]";
    std::string text = std::string(dialect_.constant_space) + " " + name + " " + buffers_.front() + size + " = " +
                       (dialect_.constructs_arrays ? name + size + "(" : "{");
    const auto number = [&](double value) { return literal(type.scalar, std::bit_cast<std::uint64_t>(value)); };
    for (std::size_t i = 0; i + 1 < table.size(); i += 2) {
        text += i % numbers_per_line == 0 ? "\n    " : " ";
        text += dialect_.pair(type, number(table[i]), number(table[i + 1])) + ",";
    }
    text.back() = dialect_.constructs_arrays ? ')' : '}';
    return text + ";\n\n";
}

std::string Writer::function_text(const std::vector<double>& table, const std::string& definitions) {
    is_function_ = true;
    dialect_.open_function(*this);
    write_body();
    std::string opening = comment() + dialect_.function_preamble(*this);
    for (const std::string& helper : helpers_) opening += helper + "\n";
    return opening + definitions + constant_text(table) + prologue_ + body_ + "}\n";
}

void check_has_functions(Dialect dialect) {
    if (dialect != Dialect::cuda && dialect != Dialect::hip && dialect != Dialect::opencl && dialect != Dialect::glsl &&
        dialect != Dialect::glsl_es)
        throw Unsupported("a device function: expected the dialect cuda, hip, opencl, glsl or glsl-es");
}

std::string emit_function(const ir::Kernel& kernel, const std::vector<double>& table, const std::string& definitions,
                          const Target& target) {
    check_has_functions(target.dialect);
    const ir::Kernel named = with_named_table(kernel);
    if (target.dialect == Dialect::cuda || target.dialect == Dialect::hip) {
        const CDialect& dialect = target.dialect == Dialect::cuda ? cuda_dialect : hip_dialect;
        return Writer(legalise(named, target), target, dialect).function_text(table, definitions);
    }
    if (target.dialect == Dialect::glsl || target.dialect == Dialect::glsl_es) {
        const CDialect& dialect = target.dialect == Dialect::glsl ? glsl_dialect : glsl_es_dialect;
        return Writer(with_narrow_addresses(legalise(named, target)), target, dialect)
            .function_text(table, definitions);
    }
    const std::uint64_t bytes =
        named.buffers.empty() ? 0 : table.size() * ir::scalar_bytes(named.buffers.front().element.scalar);
    if (bytes > constant_limit)
        throw Unsupported("opencl: function " + kernel.name + ": expected at most " + std::to_string(constant_limit) +
                          " bytes of constants, got " + std::to_string(bytes) + " of twiddles");
    return Writer(named, target, opencl_dialect).function_text(table, definitions);
}

}  // namespace seiche::emit
