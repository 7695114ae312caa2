// The C interface of problems: from C to C++, and the other way round.
#include <array>
#include <memory>

#include "api/c_handles.hpp"
#include "api/c_stages.hpp"
#include "seiche/problem.hpp"

namespace seiche::api {

namespace {

Scale scale_of(const seiche_scale& scale, const char* name) {
    switch (checked_enum<seiche_scale_rule>(scale.rule, SEICHE_SCALE_FACTOR, name)) {
        case SEICHE_SCALE_NONE: return Scale::none();
        case SEICHE_SCALE_BY_N: return Scale::by_n();
        case SEICHE_SCALE_BY_SQRT_N: return Scale::by_sqrt_n();
        case SEICHE_SCALE_FACTOR: return Scale::factor(scale.factor);
    }
    return Scale::none();
}

seiche_scale scale_in_c(const Scale& scale) {
    return {static_cast<seiche_scale_rule>(scale.rule()), scale.rule() == Scale::Rule::factor ? scale.value(1.0) : 1.0};
}

Layout layout_of(const seiche_layout* given, std::size_t rank, const char* name) {
    const seiche_layout layout = read_struct_or_default(given, name);
    Layout result;
    if (layout.strides != nullptr) result.strides.assign(layout.strides, layout.strides + rank);
    result.batch_distance = layout.batch_distance;
    result.byte_offset = layout.byte_offset;
    result.planar = layout.planar != 0;
    result.part_bytes = layout.part_bytes;
    result.image =
        checked_enum<ImageFormat>(layout.image, SEICHE_IMAGE_RGBA16F, (std::string(name) + ".image").c_str());
    result.image_width = layout.image_width;
    return result;
}

std::vector<Block> blocks_of(const seiche_block* blocks, std::size_t count, const char* name) {
    require_array(blocks, count, most_elements, name);
    std::vector<Block> result;
    for (std::size_t i = 0; i < count; ++i) result.push_back({blocks[i].axis, blocks[i].begin, blocks[i].end});
    return result;
}

/// An array's layout whose strides belong to it.
struct OwnedLayout {
    seiche_layout c = SEICHE_LAYOUT_INIT;
    std::vector<std::int64_t> strides;

    void set(const Layout& layout) {
        strides = layout.strides;
        c.strides = strides.empty() ? nullptr : strides.data();
        c.batch_distance = layout.batch_distance;
        c.byte_offset = layout.byte_offset;
        c.part_bytes = layout.part_bytes;
        c.planar = layout.planar;
        c.image = static_cast<seiche_image_format>(layout.image);
        c.image_width = layout.image_width;
    }
};

/// What seiche_problem_release gives up.
struct OwnedProblem : seiche_problem {
    std::vector<std::uint64_t> own_lengths;
    std::vector<int> own_axes;
    std::vector<seiche_kind> own_kinds;
    int own_halved_axis = 0;
    OwnedLayout own_input, own_output;
    std::vector<seiche_block> own_signal_zeros, own_spectrum_zeros;
    std::array<OwnedStage, 4> own_stages;

    explicit OwnedProblem(const Problem& problem)
        : seiche_problem(default_struct<seiche_problem>()),
          own_lengths(problem.lengths),
          own_axes(problem.axes),
          own_signal_zeros(blocks_in_c(problem.signal_zeros)),
          own_spectrum_zeros(blocks_in_c(problem.spectrum_zeros)) {
        for (const Kind own : problem.axis_kinds) own_kinds.push_back(static_cast<seiche_kind>(own));
        own_input.set(problem.input);
        own_output.set(problem.output);
        lengths = own_lengths.data();
        rank = own_lengths.size();
        axes = own_axes.data();
        axis_count = own_axes.size();
        batch = problem.batch;
        kind = static_cast<seiche_kind>(problem.kind);
        orthonormal = problem.orthonormal;
        orthogonalize = problem.orthogonalize;
        axis_kinds = own_kinds.empty() ? nullptr : own_kinds.data();
        if (problem.halved_axis) {
            own_halved_axis = *problem.halved_axis;
            halved_axis = &own_halved_axis;
        }
        precision = static_cast<seiche_precision>(problem.precision);
        storage = static_cast<seiche_storage>(problem.storage);
        placement = static_cast<seiche_placement>(problem.placement);
        spectrum_order = static_cast<seiche_spectrum_order>(problem.spectrum_order);
        forward_scale = scale_in_c(problem.forward_scale);
        inverse_scale = scale_in_c(problem.inverse_scale);
        input = &own_input.c;
        output = &own_output.c;
        signal_zeros = own_signal_zeros.data();
        signal_zero_count = own_signal_zeros.size();
        spectrum_zeros = own_spectrum_zeros.data();
        spectrum_zero_count = own_spectrum_zeros.size();
        may_overwrite_input = problem.may_overwrite_input;
        forward_load = own_stages[0].set(problem.forward_load);
        forward_store = own_stages[1].set(problem.forward_store);
        inverse_load = own_stages[2].set(problem.inverse_load);
        inverse_store = own_stages[3].set(problem.inverse_store);
    }
    ~OwnedProblem() = default;
    OwnedProblem(const OwnedProblem&) = delete;
    OwnedProblem& operator=(const OwnedProblem&) = delete;

    static std::vector<seiche_block> blocks_in_c(const std::vector<Block>& blocks) {
        std::vector<seiche_block> result;
        result.reserve(blocks.size());
        for (const Block& block : blocks) result.push_back({block.axis, block.begin, block.end});
        return result;
    }
};

void set_arrays(const seiche_problem& problem, Problem& result) {
    result.input = layout_of(problem.input, problem.rank, "problem.input");
    result.output = layout_of(problem.output, problem.rank, "problem.output");
    result.signal_zeros = blocks_of(problem.signal_zeros, problem.signal_zero_count, "problem.signal_zeros");
    result.spectrum_zeros = blocks_of(problem.spectrum_zeros, problem.spectrum_zero_count, "problem.spectrum_zeros");
    result.forward_load = stage_of(problem.forward_load, "problem.forward_load");
    result.forward_store = stage_of(problem.forward_store, "problem.forward_store");
    result.inverse_load = stage_of(problem.inverse_load, "problem.inverse_load");
    result.inverse_store = stage_of(problem.inverse_store, "problem.inverse_store");
}

}  // namespace

Problem problem_of(const seiche_problem* given) {
    const seiche_problem problem = read_struct(given, "problem");
    require(problem.lengths, "problem.lengths");
    Problem result;
    result.lengths = vector_of(problem.lengths, problem.rank, most_axes, "problem.lengths");
    result.axes = vector_of(problem.axes, problem.axis_count, most_axes, "problem.axes");
    result.batch = problem.batch;
    result.kind = checked_enum<Kind>(problem.kind, SEICHE_IHFFT, "problem.kind");
    for (std::size_t i = 0;
         problem.axis_kinds != nullptr && i < (problem.axis_count ? problem.axis_count : problem.rank); ++i)
        result.axis_kinds.push_back(checked_enum<Kind>(problem.axis_kinds[i], SEICHE_IHFFT, "problem.axis_kinds"));
    if (problem.halved_axis != nullptr) result.halved_axis = *problem.halved_axis;
    result.orthonormal = problem.orthonormal != 0;
    result.orthogonalize = problem.orthogonalize != 0;
    result.precision = checked_enum<Precision>(problem.precision, SEICHE_F16, "problem.precision");
    result.storage = checked_enum<Storage>(problem.storage, SEICHE_STORAGE_F64, "problem.storage");
    result.placement = checked_enum<Placement>(problem.placement, SEICHE_IN_PLACE, "problem.placement");
    result.forward_scale = scale_of(problem.forward_scale, "problem.forward_scale.rule");
    result.inverse_scale = scale_of(problem.inverse_scale, "problem.inverse_scale.rule");
    result.spectrum_order =
        checked_enum<SpectrumOrder>(problem.spectrum_order, SEICHE_ORDER_PASS, "problem.spectrum_order");
    result.may_overwrite_input = problem.may_overwrite_input != 0;
    set_arrays(problem, result);
    return result;
}

seiche_problem* problem_in_c(const Problem& problem) { return new OwnedProblem(problem); }

std::optional<Direction> direction_of(const seiche_direction& direction, const char* name) {
    const int number = number_of(direction);
    if (number == SEICHE_DIRECTION_OF_PLAN) return std::nullopt;
    if (number != SEICHE_FORWARD && number != SEICHE_INVERSE)
        throw InvalidProblem(std::string(name) + ": expected 0 to 2, got " + std::to_string(number));
    return static_cast<Direction>(number);
}

}  // namespace seiche::api

using seiche::api::checked_enum;
using seiche::api::guard;
using seiche::api::name_of;
using seiche::api::number_of;
using seiche::api::require;

extern "C" {

const char* seiche_kind_name(seiche_kind kind) { return name_of<seiche::Kind>(kind, SEICHE_IHFFT); }

int seiche_kind_is_real_to_real(seiche_kind kind) {
    const int number = number_of(kind);
    return number >= 0 && number <= SEICHE_IHFFT && seiche::is_real_to_real(static_cast<seiche::Kind>(number)) ? 1 : 0;
}

seiche_status seiche_kind_inverse(seiche_kind kind, seiche_kind* inverse) {
    return guard([&] {
        require(inverse, "inverse");
        *inverse = static_cast<seiche_kind>(seiche::inverse_of(checked_enum<seiche::Kind>(kind, SEICHE_IHFFT, "kind")));
    });
}

seiche_status seiche_kind_logical_length(seiche_kind kind, uint64_t n, uint64_t* logical) {
    return guard([&] {
        require(logical, "logical");
        *logical = seiche::logical_length(checked_enum<seiche::Kind>(kind, SEICHE_IHFFT, "kind"), n);
    });
}

const char* seiche_norm_name(seiche_norm norm) { return name_of<seiche::Norm>(norm, SEICHE_NORM_FORWARD); }

seiche_status seiche_problem_set_norm(seiche_problem* problem, seiche_norm norm) {
    return guard([&] {
        constexpr std::size_t end = offsetof(seiche_problem, inverse_scale) + sizeof(seiche_scale);
        if (seiche::api::checked_size(problem, "problem") < end)
            throw seiche::InvalidProblem("problem.struct_size: expected at least " + std::to_string(end) +
                                         ", so that it has scales, got " + std::to_string(problem->struct_size));
        seiche::Problem scales;
        scales.set_norm(checked_enum<seiche::Norm>(norm, SEICHE_NORM_FORWARD, "norm"));
        problem->forward_scale = seiche::api::scale_in_c(scales.forward_scale);
        problem->inverse_scale = seiche::api::scale_in_c(scales.inverse_scale);
    });
}

const char* seiche_precision_name(seiche_precision precision) {
    return name_of<seiche::Precision>(precision, SEICHE_F16);
}

const char* seiche_storage_name(seiche_storage storage) {
    return name_of<seiche::Storage>(storage, SEICHE_STORAGE_F64);
}

seiche_status seiche_stored_bytes(seiche_precision precision, seiche_storage storage, uint64_t* bytes) {
    return guard([&] {
        require(bytes, "bytes");
        *bytes = seiche::stored_bytes(checked_enum<seiche::Precision>(precision, SEICHE_F16, "precision"),
                                      checked_enum<seiche::Storage>(storage, SEICHE_STORAGE_F64, "storage"));
    });
}

seiche_status seiche_scale_value(seiche_scale scale, double n, double* value) {
    return guard([&] {
        require(value, "value");
        *value = seiche::api::scale_of(scale, "scale.rule").value(n);
    });
}

const char* seiche_stage_type_name(seiche_stage_type type) {
    return name_of<seiche::StageType>(type, SEICHE_STAGE_U32);
}

uint64_t seiche_stage_type_bytes(seiche_stage_type type) {
    const int number = number_of(type);
    return number < 0 || number > SEICHE_STAGE_U32 ? 0 : seiche::bytes_of(static_cast<seiche::StageType>(number));
}

seiche_status seiche_problem_parse(const char* text, seiche_problem** problem) {
    return guard([&] {
        require(problem, "problem");
        *problem = nullptr;
        require(text, "text");
        *problem = seiche::api::problem_in_c(seiche::parse_problem(text));
    });
}

void seiche_problem_release(seiche_problem* problem) { delete static_cast<seiche::api::OwnedProblem*>(problem); }

seiche_status seiche_problem_text(const seiche_problem* problem, char** text) {
    return guard([&] {
        require(text, "text");
        *text = nullptr;
        *text = seiche::api::copy_of(to_string(seiche::api::problem_of(problem)));
    });
}

seiche_status seiche_next_fast_length(uint64_t n, uint64_t* m) {
    return guard([&] {
        require(m, "m");
        *m = seiche::next_fast_length(n);
    });
}

}  // extern "C"
