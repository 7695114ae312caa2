#include "planner/recipe.hpp"

#include "support/text.hpp"

namespace seiche::planner {

namespace {

std::string pass_text(const Pass& pass) {
    const std::string core =
        "(stockham " + std::to_string(pass.core.n) + " " + support::join_numbers(pass.core.radices, " ") + ")";
    switch (pass.algorithm) {
        case Algorithm::rader:
            return (splits_parity(pass) ? "(rader-even-odd " : "(rader ") + std::to_string(pass.n) + " " + core + ")";
        case Algorithm::bluestein: return "(bluestein " + std::to_string(pass.n) + " " + core + ")";
        default: return core;
    }
}

std::string passes_text(const std::vector<Pass>& passes, std::uint64_t n) {
    if (passes.size() == 1) return pass_text(passes[0]);
    std::string text = "(four-step " + std::to_string(n);
    for (const Pass& pass : passes) text += " " + pass_text(pass);
    return text + ")";
}

std::string core_text(const AxisRecipe& axis) {
    if (axis.padded == 0) return passes_text(axis.passes, axis.n);
    return "(bluestein " + std::to_string(axis.n) + " " + passes_text(axis.passes, axis.padded) + ")";
}

std::string textbook_text(const TextbookLaunches& textbook) {
    static constexpr const char* methods[] = {"", "", " on-the-fly", " native", " recurrence"};
    return "(textbook " + textbook.text + " " + textbook.name + " " + std::to_string(textbook.launches.size()) +
           (textbook.launches.size() == 1 ? " launch" : " launches") +
           methods[static_cast<std::size_t>(textbook.twiddles)] + ")";
}

std::string axis_text(const AxisRecipe& axis) {
    if (axis.kind == Kind::c2c) return core_text(axis);
    return std::string("(") + to_string(axis.kind) + " " + std::to_string(axis.length) + " " + core_text(axis) +
           (axis.one_sided     ? " one-sided)"
            : axis.in_one_pass ? ")"
                               : " beside)");
}

std::string kernel_text(const KernelRecipe& kernel) {
    const auto text_of = [](const Stockham& core) { return core.n > 1 ? std::to_string(core.n) : "map"; };
    if (kernel.passes.size() == 1) return text_of(kernel.passes[0]);
    std::string text = kernel.groups > 1 ? "(cluster " + std::to_string(kernel.groups) : "(on-chip";
    for (const Stockham& core : kernel.passes) text += " " + text_of(core);
    return text + ")";
}

std::string launch_text(const LaunchRecipe& launch) {
    if (launch.kernels.size() == 1) return kernel_text(launch.kernels[0]);
    std::string text = "(pipelined";
    for (const KernelRecipe& kernel : launch.kernels) text += " " + kernel_text(kernel);
    return text + ")";
}

/// Empty: each pass is a launch.
std::string launches_text(const Sharing& sharing) {
    if (sharing.sequences_of_run) return " (runs " + std::to_string(sharing.sequences_of_run) + ")";
    if (!sharing.fusion && !sharing.pipelining) return "";
    std::string text = " (launches";
    for (const LaunchRecipe& launch : sharing.launches) text += " " + launch_text(launch);
    return text + ")";
}

}  // namespace

std::string to_string(const Recipe& recipe) {
    if (recipe.textbook) return textbook_text(*recipe.textbook);
    if (recipe.axes.empty()) return "(copy)";
    const std::string launches = launches_text(recipe.sharing);
    if (recipe.axes.size() == 1) return axis_text(recipe.axes[0]) + launches;
    std::string text = recipe.has_register_rows ? "(block" : "(axes";
    for (const AxisRecipe& axis : recipe.axes) text += " " + axis_text(axis);
    return text + ")" + launches;
}

}  // namespace seiche::planner
