#include "callback.hpp"

#include <algorithm>
#include <utility>

#include "entry.hpp"

namespace seiche::compat {

namespace {

// cufftXtCallbackType counts loads, then stores, of complex f32, complex f64, real f32, real f64.
constexpr int of_f64 = 1, of_real = 2, store_types = 4, types = 8;

std::size_t index_of(int type) {
    if (type < 0 || type >= types) throw Refused{invalid_type, "there is no callback of type " + std::to_string(type)};
    return static_cast<std::size_t>(type);
}

/// The name that C++'s ABI gives a callback `name` of that type whose offset is `unsigned long long` or `size_t`.
std::string mangled(const std::string& name, std::size_t type, bool has_size_t) {
    constexpr const char* elements[] = {"6float2", "7double2", "f", "d"};
    std::string text = "_Z" + std::to_string(name.size()) + name + "Pv" + (has_size_t ? "m" : "y");
    if (type >= store_types) text += elements[type - store_types];
    return text + "S_S_";
}

}  // namespace

UserStage Callbacks::stage_of(const Callback& callback) const {
    std::string symbol = callback.symbol;
    const auto type = static_cast<std::size_t>(&callback - all_.data());
    const bool is_mangled = symbol.rfind("_Z", 0) == 0;
    if (spelling_ != Spelling::as_given && !is_mangled)
        symbol = mangled(symbol, type, spelling_ == Spelling::cxx_size_t);
    return StageFunction{symbol, callback.code, nullptr};
}

void Callbacks::set(int type, Callback callback) { all_[index_of(type)] = std::move(callback); }

void Callbacks::clear(int type) { all_[index_of(type)] = {}; }

bool Callbacks::has(int type) const { return !all_[index_of(type)].code.empty(); }

bool Callbacks::empty() const { return load() == nullptr && store() == nullptr; }

const Callback* Callbacks::load() const {
    const auto* const end = all_.begin() + store_types;
    const auto* const found = std::find_if(all_.begin(), end, [](const Callback& one) { return !one.code.empty(); });
    return found == end ? nullptr : found;
}

const Callback* Callbacks::store() const {
    const auto* const found =
        std::find_if(all_.begin() + store_types, all_.end(), [](const Callback& one) { return !one.code.empty(); });
    return found == all_.end() ? nullptr : found;
}

void Callbacks::expect_types(const Problem& problem) const {
    const int precision = problem.precision == Precision::f64 ? of_f64 : 0;
    const std::size_t wanted_load = index_of(precision + (problem.kind == Kind::r2c ? of_real : 0));
    const std::size_t wanted_store = index_of(store_types + precision + (problem.kind == Kind::c2r ? of_real : 0));
    for (std::size_t type = 0; type < all_.size(); ++type)
        if (!all_[type].code.empty() && type != wanted_load && type != wanted_store)
            throw Refused{invalid_type,
                          "a callback of type " + std::to_string(type) + " is set, which the plan's arrays are not of"};
}

void Callbacks::add_to(Problem& problem) const {
    if (empty()) return;
    if (problem.storage != Storage::same) throw Refused{not_supported, "callbacks are for single and double precision"};
    expect_types(problem);
    const bool is_forward = problem.kind != Kind::c2r, is_inverse = problem.kind != Kind::r2c;
    if (const Callback* const own = load()) {
        if (is_forward) problem.forward_load = stage_of(*own);
        if (is_inverse) problem.inverse_load = stage_of(*own);
    }
    if (const Callback* const own = store()) {
        if (is_forward) problem.forward_store = stage_of(*own);
        if (is_inverse) problem.inverse_store = stage_of(*own);
    }
}

void Callbacks::add_to(Execution& execution) const {
    const Callback *const own_load = load(), *const own_store = store();
    if (own_load != nullptr) execution.load_pointer = own_load->pointer;
    if (own_store != nullptr) execution.store_pointer = own_store->pointer;
}

}  // namespace seiche::compat
