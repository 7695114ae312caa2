// Problems: from keyword arguments or from text.
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"

namespace seichefft {

namespace {

template <class Enum>
Enum enumerator_of(const char* what, const std::string& word, const std::vector<Enum>& all) {
    std::string expected;
    for (const Enum one : all) {
        if (word == seiche::to_string(one)) return one;
        expected += std::string(expected.empty() ? "" : ", ") + seiche::to_string(one);
    }
    throw seiche::InvalidProblem(std::string(what) + ": expected one of " + expected + ", got '" + word + "'");
}

using BufferWords = std::vector<std::tuple<std::string, std::string, std::uint64_t>>;
using ScalarWords = std::vector<std::pair<std::string, std::string>>;

seiche::StageType stage_type_of(const std::string& word) {
    using seiche::StageType;
    return enumerator_of<StageType>("stage type", word,
                                    {StageType::f16, StageType::f32, StageType::f64, StageType::i8, StageType::u8,
                                     StageType::i16, StageType::u16, StageType::i32, StageType::u32});
}

/// A number, "none", "1/n" or "1/sqrt(n)".
seiche::Scale scale_of(nb::handle scale) {
    if (scale.is_none()) return seiche::Scale::none();
    std::string word;
    if (!nb::try_cast(scale, word)) return seiche::Scale::factor(nb::cast<double>(scale));
    if (word == "none") return seiche::Scale::none();
    if (word == "1/n") return seiche::Scale::by_n();
    if (word == "1/sqrt(n)") return seiche::Scale::by_sqrt_n();
    throw seiche::InvalidProblem("scale: expected a number, 'none', '1/n' or '1/sqrt(n)', got '" + word + "'");
}

nb::object word_of(const seiche::Scale& scale) {
    switch (scale.rule()) {
        case seiche::Scale::Rule::none: return nb::str("none");
        case seiche::Scale::Rule::by_n: return nb::str("1/n");
        case seiche::Scale::Rule::by_sqrt_n: return nb::str("1/sqrt(n)");
        case seiche::Scale::Rule::factor: break;
    }
    return nb::float_(scale.value(1));
}

std::vector<seiche::Block> blocks_of(const std::vector<std::tuple<int, std::uint64_t, std::uint64_t>>& blocks) {
    std::vector<seiche::Block> result;
    for (const auto& [axis, begin, end] : blocks) result.push_back({axis, begin, end});
    return result;
}

void bind_layout(nb::module_& module) {
    nb::class_<seiche::Layout>(module, "Layout", "Where the elements of an array lie, in elements of it.")
        .def(
            "__init__",
            [](seiche::Layout* self, std::vector<std::int64_t> strides, std::int64_t batch_distance,
               std::uint64_t byte_offset, bool planar, std::uint64_t part_bytes) {
                new (self) seiche::Layout();
                self->strides = std::move(strides);
                self->batch_distance = batch_distance;
                self->byte_offset = byte_offset;
                self->planar = planar;
                self->part_bytes = part_bytes;
            },
            nb::arg("strides") = std::vector<std::int64_t>(), nb::arg("batch_distance") = 0, nb::arg("byte_offset") = 0,
            nb::arg("planar") = false, nb::arg("part_bytes") = 0)
        .def_ro("strides", &seiche::Layout::strides)
        .def_ro("batch_distance", &seiche::Layout::batch_distance)
        .def_ro("byte_offset", &seiche::Layout::byte_offset)
        .def_ro("planar", &seiche::Layout::planar)
        .def_ro("part_bytes", &seiche::Layout::part_bytes)
        .def_prop_ro("is_image",
                     [](const seiche::Layout& layout) { return layout.image != seiche::ImageFormat::none; });
}

void bind_stage(nb::module_& module) {
    nb::class_<seiche::UserStage>(module, "Stage",
                                  "A text of the stage language, and the buffers and scalars it names.")
        .def(
            "__init__",
            [](seiche::UserStage* self, std::string text, const BufferWords& buffers, const ScalarWords& scalars) {
                new (self) seiche::UserStage(std::move(text));
                for (const auto& [name, type, count] : buffers)
                    self->buffers.push_back({name, stage_type_of(type), count});
                for (const auto& [name, type] : scalars) self->scalars.push_back({name, stage_type_of(type)});
            },
            nb::arg("text"), nb::arg("buffers") = BufferWords(), nb::arg("scalars") = ScalarWords())
        .def_ro("text", &seiche::UserStage::text);
}

void set_kinds(seiche::Problem& problem, const std::string& kind, const std::vector<std::string>& axis_kinds) {
    problem.kind = kind_of(kind);
    for (const std::string& word : axis_kinds) problem.axis_kinds.push_back(kind_of(word));
}

seiche::SpectrumOrder order_of(const std::string& word) {
    if (word == "natural") return seiche::SpectrumOrder::natural;
    if (word == "pass") return seiche::SpectrumOrder::pass;
    throw seiche::InvalidProblem("spectrum_order: expected 'natural' or 'pass', got '" + word + "'");
}

void make_problem(seiche::Problem* self, std::vector<std::uint64_t> lengths, std::vector<int> axes, std::uint64_t batch,
                  const std::string& kind, const std::vector<std::string>& axis_kinds, std::optional<int> halved_axis,
                  bool orthonormal, bool orthogonalize, const std::string& precision, const std::string& storage,
                  bool in_place, nb::handle forward_scale, nb::handle inverse_scale, const seiche::Layout& input,
                  const seiche::Layout& output,
                  const std::vector<std::tuple<int, std::uint64_t, std::uint64_t>>& signal_zeros,
                  const std::vector<std::tuple<int, std::uint64_t, std::uint64_t>>& spectrum_zeros,
                  const std::string& spectrum_order, bool overwrite_input, const seiche::UserStage& forward_load,
                  const seiche::UserStage& forward_store, const seiche::UserStage& inverse_load,
                  const seiche::UserStage& inverse_store) {
    seiche::Problem problem;
    problem.lengths = std::move(lengths);
    problem.axes = std::move(axes);
    problem.batch = batch;
    set_kinds(problem, kind, axis_kinds);
    problem.halved_axis = halved_axis;
    problem.orthonormal = orthonormal;
    problem.orthogonalize = orthogonalize;
    problem.precision = precision_of(precision);
    problem.storage = storage_of(storage);
    problem.placement = in_place ? seiche::Placement::in_place : seiche::Placement::out_of_place;
    problem.forward_scale = scale_of(forward_scale);
    problem.inverse_scale = scale_of(inverse_scale);
    problem.input = input;
    problem.output = output;
    problem.signal_zeros = blocks_of(signal_zeros);
    problem.spectrum_zeros = blocks_of(spectrum_zeros);
    problem.spectrum_order = order_of(spectrum_order);
    problem.may_overwrite_input = overwrite_input;
    problem.forward_load = forward_load;
    problem.forward_store = forward_store;
    problem.inverse_load = inverse_load;
    problem.inverse_store = inverse_store;
    new (self) seiche::Problem(std::move(problem));
}

void bind_problem(nb::module_& module) {
    using Blocks = std::vector<std::tuple<int, std::uint64_t, std::uint64_t>>;
    using seiche::Problem;
    nb::class_<Problem>(module, "Problem", "What is to be transformed.")
        .def("__init__", &make_problem, nb::arg("lengths"), nb::kw_only(), nb::arg("axes") = std::vector<int>(),
             nb::arg("batch") = 1, nb::arg("kind") = "c2c", nb::arg("axis_kinds") = std::vector<std::string>(),
             nb::arg("halved_axis") = nb::none(), nb::arg("orthonormal") = false, nb::arg("orthogonalize") = false,
             nb::arg("precision") = "f32", nb::arg("storage") = "same", nb::arg("in_place") = false,
             nb::arg("forward_scale").none() = nb::none(), nb::arg("inverse_scale").none() = nb::none(),
             nb::arg("input") = seiche::Layout(), nb::arg("output") = seiche::Layout(),
             nb::arg("signal_zeros") = Blocks(), nb::arg("spectrum_zeros") = Blocks(),
             nb::arg("spectrum_order") = "natural", nb::arg("overwrite_input") = false,
             nb::arg("forward_load") = seiche::UserStage(), nb::arg("forward_store") = seiche::UserStage(),
             nb::arg("inverse_load") = seiche::UserStage(), nb::arg("inverse_store") = seiche::UserStage())
        .def_static("parse", &seiche::parse_problem, nb::arg("text"))
        .def(
            "with_stages",
            [](const Problem& problem, const seiche::UserStage& forward_load, const seiche::UserStage& forward_store,
               const seiche::UserStage& inverse_load, const seiche::UserStage& inverse_store) {
                Problem result = problem;
                result.forward_load = forward_load;
                result.forward_store = forward_store;
                result.inverse_load = inverse_load;
                result.inverse_store = inverse_store;
                return result;
            },
            nb::arg("forward_load") = seiche::UserStage(), nb::arg("forward_store") = seiche::UserStage(),
            nb::arg("inverse_load") = seiche::UserStage(), nb::arg("inverse_store") = seiche::UserStage())
        .def("__str__", [](const Problem& problem) { return seiche::to_string(problem); })
        .def_ro("lengths", &Problem::lengths)
        .def_ro("axes", &Problem::axes)
        .def_ro("batch", &Problem::batch)
        .def_ro("halved_axis", &Problem::halved_axis)
        .def_ro("orthonormal", &Problem::orthonormal)
        .def_ro("orthogonalize", &Problem::orthogonalize)
        .def_ro("input", &Problem::input)
        .def_ro("output", &Problem::output)
        .def_prop_ro("forward_scale", [](const Problem& problem) { return word_of(problem.forward_scale); })
        .def_prop_ro("inverse_scale", [](const Problem& problem) { return word_of(problem.inverse_scale); })
        .def_prop_ro("kind", [](const Problem& problem) { return seiche::to_string(problem.kind); })
        .def_prop_ro("axis_kinds",
                     [](const Problem& problem) {
                         std::vector<std::string> words;
                         for (const seiche::Kind kind : problem.axis_kinds) words.emplace_back(seiche::to_string(kind));
                         return words;
                     })
        .def_prop_ro("precision", [](const Problem& problem) { return seiche::to_string(problem.precision); })
        .def_prop_ro("storage", [](const Problem& problem) { return seiche::to_string(problem.storage); })
        .def_prop_ro("in_place",
                     [](const Problem& problem) { return problem.placement == seiche::Placement::in_place; });
}

}  // namespace

seiche::Kind kind_of(const std::string& word) {
    using seiche::Kind;
    return enumerator_of<Kind>(
        "kind", word,
        {Kind::c2c, Kind::r2c, Kind::c2r, Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4, Kind::dst1, Kind::dst2,
         Kind::dst3, Kind::dst4, Kind::dht, Kind::r2hc, Kind::hc2r, Kind::hfft, Kind::ihfft});
}

seiche::Precision precision_of(const std::string& word) {
    using seiche::Precision;
    return enumerator_of<Precision>("precision", word,
                                    {Precision::f32, Precision::f64, Precision::f64x2, Precision::f16});
}

seiche::Storage storage_of(const std::string& word) {
    using seiche::Storage;
    return enumerator_of<Storage>("storage", word,
                                  {Storage::same, Storage::f16, Storage::bf16, Storage::f32, Storage::f64});
}

std::optional<seiche::Direction> direction_of(const std::optional<std::string>& word) {
    if (!word) return {};
    if (*word == "forward") return seiche::Direction::forward;
    if (*word == "inverse") return seiche::Direction::inverse;
    throw seiche::InvalidProblem("direction: expected 'forward' or 'inverse', got '" + *word + "'");
}

seiche::Directions directions_of(const std::string& word) {
    if (word == "both") return seiche::Directions::both;
    return *direction_of(word) == seiche::Direction::forward ? seiche::Directions::forward
                                                             : seiche::Directions::inverse;
}

void bind_problems(nb::module_& module) {
    bind_layout(module);
    bind_stage(module);
    bind_problem(module);
    module.def("next_fast_length", &seiche::next_fast_length, nb::arg("n"));
    module.def(
        "stored_bytes",
        [](const std::string& precision, const std::string& storage) {
            return seiche::stored_bytes(precision_of(precision), storage_of(storage));
        },
        nb::arg("precision"), nb::arg("storage") = "same", "Bytes of one real number in memory.");
}

}  // namespace seichefft
