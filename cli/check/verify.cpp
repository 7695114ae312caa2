// Whether a plan's answers are right: the error against the reference, in the units of the accuracy contract, and
// what must not be touched.
#include "cli/check/verify.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cli/check/array_memory.hpp"
#include "cli/check/fill_buffer.hpp"
#include "cli/check/geometry.hpp"
#include "cli/check/judge.hpp"
#include "cli/check/large_memory.hpp"
#include "cli/check/stored_form.hpp"
#include "cli/reference/random_data.hpp"
#include "cli/system/in_parallel.hpp"
#include "cli/text/failure.hpp"
#include "seiche/error.hpp"

namespace seiche::cli {
namespace {

constexpr unsigned char poison = 0xff;  // all ones is a NaN in either precision
constexpr std::uint64_t guard_numbers = 128;

bool is_smooth(std::uint64_t n) {
    for (const std::uint64_t p : {2u, 3u, 5u, 7u, 11u, 13u}) {
        while (n % p == 0) n /= p;
    }
    return n == 1;
}

bool is_prime(std::uint64_t n) {
    for (std::uint64_t p = 2; p * p <= n; ++p) {
        if (n % p == 0) return false;
    }
    return n > 1;
}

// Of the complex transform that a real kind answers for.
std::uint64_t inner_length(const KindAxis& axis) {
    switch (axis.kind) {
        case Kind::c2c: return axis.length;
        case Kind::dct1: return axis.length - 1;
        case Kind::dst1: return axis.length + 1;
        default: return axis.length % 2 == 0 ? axis.length / 2 : axis.length;
    }
}

/// Whatever way a plan goes, it answers for the best of the published ones for the length: butterflies, Rader,
/// Bluestein.
double bound_of(std::uint64_t n) {
    constexpr double smooth = 1.0, rader = 2.0, bluestein = 2.5;
    if (is_smooth(n)) return smooth;
    return is_smooth(n - 1) && is_prime(n) ? rader : bluestein;
}

/// The u of the contract; where arrays of doubles hide what double-double arithmetic does, that of a double.
double unit_of(const Problem& problem) {
    if (problem.precision == Precision::f16) return 0x1p-11;
    if (problem.precision == Precision::f32) return 0x1p-24;
    return problem.precision == Precision::f64 || problem.storage == Storage::f64 ? 0x1p-53 : 0x1p-104;
}

/// Numbers that the error of so many transforms is a mean of, or somewhat fewer.
double compared_values(const Problem& problem, const Geometry& geometry, std::uint64_t values,
                       std::uint64_t transforms) {
    const std::uint64_t bins = is_complex(geometry.axes()) ? complex_bins(problem.precision, values) : real_bins;
    const std::uint64_t each = compares_whole(problem, geometry) ? values : std::min(values, bins);
    return static_cast<double>(each) * static_cast<double>(transforms);
}

}  // namespace

double textbook_bound(const Problem& problem, Direction direction, TwiddleMethod twiddles) {
    constexpr double times_the_contract = 3.0, of_native = 16.0;  // u
    if (twiddles != TwiddleMethod::native && twiddles != TwiddleMethod::recurrence)
        return accuracy_bound(problem, direction) * times_the_contract;
    double longest = 2, points = 1;
    for (const std::uint64_t length : problem.lengths) {
        longest = std::max(longest, static_cast<double>(length));
        points *= static_cast<double>(length);
    }
    return (longest + of_native) / std::sqrt(std::log2(std::max(points, 2.0)));
}

double accuracy_bound(const Problem& problem, Direction direction) {
    constexpr double double_double = 4.0 * 0x1p-104;
    if (problem.precision == Precision::f64x2) return double_double / unit_of(problem);
    constexpr double scaled = 0.5, real_to_real = 0.5;
    const Geometry geometry(problem);
    double worst = 1.0, maps = 0.0;
    for (const KindAxis& axis : geometry.axes()) {
        worst = std::max(worst, bound_of(inner_length(axis)));
        maps += is_real_to_real(axis.kind) ? real_to_real : 0.0;
    }
    const bool is_scaled =
        problem.orthonormal || problem.orthogonalize || scale_of(problem, direction) != Scale::none();
    return worst + (is_scaled ? scaled : 0.0) + maps;
}

double storage_error(const Problem& problem, std::uint32_t roundings, std::uint64_t transforms) {
    const Storage storage = problem.storage;
    const double unit = storage == Storage::f16    ? 0x1p-11
                        : storage == Storage::bf16 ? 0x1p-8
                        : storage == Storage::f32  ? 0x1p-24
                                                   : 0x1p-53;
    bool short_axis = false;
    const Geometry geometry(problem);
    for (const KindAxis& axis : geometry.axes()) short_axis = short_axis || axis.length < 32;
    constexpr std::uint64_t few = 64;
    std::uint64_t values = geometry.points();
    for (const bool output : {false, true}) {
        const std::vector<bool>& kept = geometry.kept(Direction::forward, output);
        const auto count = static_cast<std::uint64_t>(std::count(kept.begin(), kept.end(), true));
        if (!kept.empty()) values = std::min(values, count);
    }
    const bool keeps_few = values < std::min(few, geometry.points());
    const double compared = compared_values(problem, geometry, values, transforms);
    constexpr double many = 0.45, scatter = 0.91, sigmas = 3;
    const double spread = many * (1 + sigmas * scatter / std::sqrt(compared));
    const double worst = compared < few ? 1.0 : short_axis || keeps_few ? std::max(std::sqrt(0.5), spread) : spread;
    return worst * unit * std::sqrt(static_cast<double>(roundings));
}

struct Verifier::Base {
    using Memory = Verifier::Memory;
    virtual ~Base() = default;
    virtual Accuracy run(Direction direction, const VerifyOptions& options) = 0;
    virtual Execution execution(Direction direction) const = 0;
};

namespace {

bool is_finite(float x) { return std::isfinite(x); }
bool is_finite(double x) { return std::isfinite(x); }
bool is_finite(DoubleDouble x) { return std::isfinite(x.hi) && std::isfinite(x.lo); }

template <class T>
T random_value(Random& random) {
    if constexpr (sizeof(T) == sizeof(DoubleDouble)) {
        const auto hi = random.value<double>();
        return {hi, hi * random.value<double>() * 0x1p-54};
    } else {
        return random.value<T>();
    }
}

template <class T>
class Engine final : public Verifier::Base {
public:
    Engine(const Device& device, const Plan& plan, const Memory& memory)
        : plan_(plan),
          geometry_(plan_.problem()),
          judge_(plan_.problem(), geometry_, order_of_spectrum()),
          queue_(device.create_queue()),
          host_(memory.host),
          input_period_(memory.input_period) {
        in_place_ = plan.problem().placement == Placement::in_place;
        input_form_ = form(false);
        output_form_ = form(true);
        if (has_two_arrays()) input_form_ = output_form_ = form_of_both();
        if (input_period_ != 0) require_plain_input();
        const auto memory_of = [&](const StoredForm& form, const Layout& layout, std::uint64_t period = 0) {
            if (layout.image != ImageFormat::none)
                return ArrayMemory(device, form, layout.image,
                                   &form == &input_form_ ? plan.input_texels() : plan.output_texels(),
                                   guard_numbers * form.real_bytes());
            return ArrayMemory(device, form, layout.part_bytes, memory.byte_offset, guard_numbers * form.real_bytes(),
                               period);
        };
        const Problem& problem = plan.problem();
        const bool is_output_given = in_place_ && problem.input.part_bytes == 0;
        input_ = memory_of(input_form_, is_output_given ? problem.output : problem.input, input_period_);
        output_ = in_place_ ? input_ : memory_of(output_form_, problem.output);
        for (const std::uint64_t bytes : plan.workspace_part_bytes())
            workspace_.emplace_back(device.allocate(bytes + guard_numbers));
        if (const ImageSize size = plan.workspace_texels(); size.width != 0)
            workspace_image_.emplace(device, problem.output.image, size);
    }

    Accuracy run(Direction direction, const VerifyOptions& options) override {
        const Problem& problem = plan_.problem();
        judge_.prepare(direction);
        Accuracy accuracy;
        accuracy.bound = options.tuning.recipe.empty() ? accuracy_bound(problem, direction)
                                                       : textbook_bound(problem, direction, options.tuning.twiddles);
        accuracy.fault = size_fault();
        Random random(options.seed);
        double sum = 0;
        const std::uint64_t wanted =
            std::clamp<std::uint64_t>(options.points / geometry_.points(), 1, options.transforms);
        while (accuracy.fault.empty() && accuracy.transforms < wanted) {
            execute(direction, random.next());
            const auto chosen = choose(wanted - accuracy.transforms, random);
            sum += judge_.squared_errors(chosen, host_input_.data(), host_output_.data());
            accuracy.fault = check_untouched();
            accuracy.transforms += chosen.size();
        }
        const double n = static_cast<double>(std::max<std::uint64_t>(geometry_.points(), 2));
        const double unit = unit_of(problem) * std::sqrt(std::log2(n));
        accuracy.units = std::sqrt(sum / static_cast<double>(std::max<std::uint64_t>(accuracy.transforms, 1))) / unit;
        accuracy.bound += storage_error(problem, plan_.report().storage_roundings, accuracy.transforms) / unit;
        return accuracy;
    }

    Execution execution(Direction direction) const override {
        Execution execution;
        execution.direction = direction;
        input_.bind(execution, false);
        if (!in_place_) output_.bind(execution, true);
        execution.workspace_parts = workspace_;
        if (workspace_image_) execution.workspace_image = workspace_image_->image();
        return execution;
    }

private:
    void require_plain_input() const {
        const Problem& problem = plan_.problem();
        const bool is_one = problem.input.part_bytes == 0 && problem.input.image == ImageFormat::none;
        if (in_place_ || problem.may_overwrite_input || !is_one || input_form_.is_planar() || !is_filled(false))
            throw Failure("an input in the cache: expected one that is dense, in one buffer and not overwritten, got " +
                          to_string(problem));
        const std::uint64_t array = input_form_.bytes() / problem.batch;
        if (array > input_period_)  // the spectrum of a signal that repeats itself is mostly zeros
            throw Failure("an input in the cache: expected arrays of at most " + std::to_string(input_period_) +
                          " bytes, got " + std::to_string(array) + " of " + to_string(problem));
    }

    std::uint64_t parts(bool output) const { return geometry_.parts(output); }
    StoredForm form(bool output) const {
        return StoredForm(plan_.problem(), output, geometry_.elements(output), parts(output), geometry_.offset(output));
    }
    // In one buffer, and not the same elements.
    bool has_two_arrays() const { return in_place_ && (parts(false) != parts(true) || geometry_.has_two_layouts()); }
    StoredForm form_of_both() const {
        const std::uint64_t elements = std::max(geometry_.elements(false), geometry_.elements(true));
        if (plan_.problem().input.planar)
            return StoredForm::of_both(plan_.problem(), elements,
                                       std::min(geometry_.offset(false), geometry_.offset(true)));
        return StoredForm(plan_.problem(), false, std::max(input_form_.numbers(), output_form_.numbers()), 1);
    }

    // Of every element of the spectrum as it lies, row-major, the frequency that the plan says is there; empty where
    // that is natural.
    std::vector<std::uint64_t> order_of_spectrum() const {
        if (plan_.problem().spectrum_order != SpectrumOrder::pass) return {};
        const bool is_output = geometry_.has(Direction::forward);
        std::vector<std::uint64_t> order{0};
        for (std::size_t i = 0; i < geometry_.axes().size(); ++i) {
            const std::uint64_t count = geometry_.elements_along(i, is_output);
            std::vector<std::uint64_t> next;
            for (const std::uint64_t before : order)
                for (std::uint64_t k = 0; k < count; ++k)
                    next.push_back(before * count + plan_.spectrum_index(geometry_.number(i), k));
            order = std::move(next);
        }
        return order;
    }

    std::string size_fault() const {
        const auto bytes_of = [&](bool output) {  // an image takes none
            const Layout& layout = output ? plan_.problem().output : plan_.problem().input;
            return layout.image == ImageFormat::none ? form(output).bytes() : 0;
        };
        std::uint64_t in = bytes_of(false), out = bytes_of(true);
        if (in_place_) in = out = std::max(in, out);
        if (plan_.input_bytes() == in && plan_.output_bytes() == out) return {};
        return "the plan asks for buffers of " + std::to_string(plan_.input_bytes()) + " and " +
               std::to_string(plan_.output_bytes()) + " bytes, expected " + std::to_string(in) + " and " +
               std::to_string(out);
    }

    using Run = Geometry::Run;

    // Calls work(run, place of an element in the input or output) for all elements of every transform, in one run or
    // several; on all processors where that pays and no two transforms can share an element.
    template <class Work>
    void for_each_run(bool output, const Work& work) const {
        constexpr std::uint64_t most_chunks = 256, worth_threads = 1u << 16, longest = 1u << 18;
        const std::uint64_t all = geometry_.transforms(), elements = geometry_.elements_of_transform(output);
        const bool apart = (output || geometry_.is_apart(false)) && all * geometry_.points() >= worth_threads;
        const bool has_rule = geometry_.is_consecutive(output);
        const std::uint64_t runs = output || is_whole() ? (elements + longest - 1) / longest : 1;
        const std::uint64_t chunks = std::min(all * runs, most_chunks);
        in_parallel(chunks, apart ? 0 : 1, [&](std::size_t chunk) {
            std::vector<std::uint64_t> places;
            for (std::uint64_t i = all * runs * chunk / chunks; i < all * runs * (chunk + 1) / chunks; ++i) {
                const std::uint64_t first = i % runs * longest;
                const Run run{i / runs, first, runs == 1 ? elements : std::min(elements, first + longest)};
                if (has_rule) {
                    const std::uint64_t base = geometry_.first_position(run.transform, output);
                    work(run, [base](std::uint64_t j) { return base + j; });
                } else {
                    geometry_.positions(run, output, places);
                    work(run, [&](std::uint64_t j) { return places[j - run.first]; });
                }
            }
        });
    }
    // Where no other transform takes the same number for one of its own.
    bool poisons_ignored() const { return input_period_ == 0 && geometry_.is_apart(false); }
    // Nothing is left out: every element takes its random numbers.
    bool is_whole() const {
        return geometry_.kept(Direction::forward, false).empty() && geometry_.kept(Direction::forward, true).empty();
    }

    // Every number of the array is one of some transform, and of no other: nothing lies between them.
    bool is_filled(bool output) const {
        const std::uint64_t numbers = geometry_.transforms() * geometry_.elements_of_transform(output) * parts(output);
        return geometry_.is_apart(output) && numbers == (output ? output_form_ : input_form_).numbers();
    }

    // On the host, each with its guard; inputs out of place are read back to where the outputs were.
    void take_host_arrays() {
        const std::uint64_t inputs = input_form_.numbers() + guard_numbers;
        const std::uint64_t outputs = output_form_.numbers() + guard_numbers;
        host_input_ = host_->input.array<T>(inputs);
        host_output_ = host_->output.array<T>(std::max(outputs, inputs)).first(outputs);
    }

    // New random input, everything else poisoned; one execution; the results on the host.
    void execute(Direction direction, std::uint64_t seed) {
        take_host_arrays();
        const std::span<T> unwritten = is_whole() ? beside(host_input_, false) : host_input_;
        fill_bytes(unwritten.data(), poison, unwritten.size_bytes());
        const bool may_ignore = parts(false) == 2 && poisons_ignored();  // of a spectrum; real elements may be more
        for_each_run(false, [&](const Run& run, const auto& place) {
            constexpr std::uint64_t draws = sizeof(T) == sizeof(DoubleDouble) ? 2 : 1;  // of a number
            Random random(seed ^ splitmix(run.transform));
            random.skip(run.first * parts(false) * draws);
            for (std::uint64_t j = run.first; j < run.end; ++j) {
                if (!judge_.is_kept(j, false)) continue;  // stays poisoned: nobody may read it
                T* numbers = host_input_.data() + place(j) * parts(false);
                for (std::uint64_t part = 0; part < parts(false); ++part) numbers[part] = random_value<T>(random);
                if (may_ignore && judge_.ignores_imaginary_part(j)) fill_bytes(numbers + 1, poison, sizeof(T));
            }
        });
        if (input_period_ != 0) repeat_input();
        if (!in_place_) output_.fill_with_poison(queue_);
        upload_input();
        for (const BufferView& part : workspace_) fill_buffer(queue_, part.buffer, poison);
        if (workspace_image_) workspace_image_->fill_with_poison(queue_);
        plan_.execute(queue_, execution(direction));
        download(host_output_, output_, output_form_);
    }

    // On the host as it is on the device.
    void repeat_input() {
        const std::uint64_t period = input_period_ / input_form_.real_bytes(), count = input_form_.numbers();
        for (std::uint64_t i = period; i < count; i += period)
            std::copy_n(host_input_.data(), std::min(period, count - i), host_input_.data() + i);
    }

    // What the form rounds is rounded on the host too.
    void upload_input() {
        if (input_form_.is_plain()) return input_.upload(queue_, host_input_.data());
        unsigned char* memory = host_->stored.reserve(input_form_.bytes(guard_numbers));
        input_form_.encode(host_input_.data(), host_input_.size(), memory);
        input_.upload(queue_, memory);
        input_form_.decode(memory, host_input_.data(), host_input_.size());
    }

    void download(std::span<T> host, const ArrayMemory& from, const StoredForm& form) {
        if (form.is_plain()) return from.download(queue_, host.data());
        unsigned char* memory = host_->stored.reserve(form.bytes(guard_numbers));
        from.download(queue_, memory);
        form.decode(memory, host.data(), host.size());
    }

    // Every output finite; whatever is not an output (in place: nor an input), the guards and an input out of place as
    // they were. Uses the results on the host up.
    std::string check_untouched() {
        constexpr std::uint64_t none = ~std::uint64_t{0};
        const std::uint64_t bad = unfinished_transform(none);
        if (bad != none) return "an output of transform " + std::to_string(bad) + " was not written or is not finite";
        // In place the end of a row that got shorter may hold anything.
        if (has_two_arrays()) poison_elements(false, host_output_);
        if (!is_poison(beside(host_output_, true))) return "memory beside the output was written";
        if (!in_place_) {
            const std::string fault = input_fault();
            if (!fault.empty()) return fault;
        }
        for (const BufferView& part : workspace_) {
            std::vector<unsigned char> tail(guard_numbers);
            queue_.download(tail.data(), BufferView(part.buffer, part.buffer.bytes() - guard_numbers), tail.size());
            if (!is_poison<unsigned char>(tail)) return "memory behind the workspace was written";
        }
        if (workspace_image_) {
            const ImageSize size = plan_.workspace_texels();
            std::vector<unsigned char> held(size.width * size.height * texel_bytes(plan_.problem().output.image));
            if (!workspace_image_->download(queue_, held.data(), held.size()))
                return "texels beside the workspace were written";
        }
        return {};
    }

    // One with an output that is not finite, else `none`. Outputs among gaps become poison, as these are.
    std::uint64_t unfinished_transform(std::uint64_t none) {
        std::atomic<std::uint64_t> bad{none};
        const bool has_gaps = !is_filled(true);
        for_each_run(true, [&](const Run& run, const auto& place) {
            for (std::uint64_t j = run.first; j < run.end; ++j) {
                T* numbers = host_output_.data() + place(j) * parts(true);
                for (std::uint64_t part = 0; part < parts(true); ++part)
                    if (!is_finite(numbers[part]) && judge_.is_kept(j, true)) bad = run.transform;
                if (has_gaps) poison_numbers(numbers, true);
            }
        });
        return bad;
    }

    std::string input_fault() {
        const std::span<T> input = host_->output.array<T>(host_input_.size());  // the results are used up
        download(input, input_, input_form_);
        if (!plan_.problem().may_overwrite_input)
            return same_bytes(input.data(), host_input_.data(), input.size_bytes()) ? "" : "the input was written";
        if (!is_filled(false)) poison_elements(false, input);
        return is_poison(beside(input, false)) ? "" : "memory beside the input was written";
    }

    // What must be poison of an array: its guard, or all of it where elements, poisoned, lie among gaps.
    std::span<T> beside(std::span<T> array, bool output) const {
        return is_filled(output) ? array.last(guard_numbers) : array;
    }
    template <class U>
    static bool is_poison(std::span<U> memory) {
        return all_bytes(memory.data(), poison, memory.size_bytes());
    }

    void poison_elements(bool output, std::span<T> memory) const {
        for_each_run(output, [&](const Run& run, const auto& place) {
            for (std::uint64_t j = run.first; j < run.end; ++j)
                poison_numbers(memory.data() + place(j) * parts(output), output);
        });
    }
    // Of one element.
    void poison_numbers(T* numbers, bool output) const {
        if (parts(output) == 2)
            std::memset(static_cast<void*>(numbers), poison, 2 * sizeof(T));
        else
            std::memset(static_cast<void*>(numbers), poison, sizeof(T));
    }

    // All transforms of the execution if they are no more than wanted, else the first, the last and some between.
    std::vector<std::uint64_t> choose(std::uint64_t wanted, Random& random) const {
        const std::uint64_t all = geometry_.transforms();
        std::vector<std::uint64_t> chosen;
        if (all <= wanted) {
            for (std::uint64_t t = 0; t < all; ++t) chosen.push_back(t);
            return chosen;
        }
        chosen.push_back(wanted == 1 ? random.below(all) : 0);
        if (wanted > 1) chosen.push_back(all - 1);
        while (chosen.size() < wanted) chosen.push_back(random.below(all));
        return chosen;
    }

    const Plan plan_;
    const Geometry geometry_;
    Judge<T> judge_;
    Queue queue_;
    bool in_place_ = false;
    const std::shared_ptr<HostArrays> host_;
    std::uint64_t input_period_ = 0;
    std::span<T> host_input_, host_output_;  // of a run: real numbers; a complex element is two
    StoredForm input_form_, output_form_;
    ArrayMemory input_, output_;
    std::vector<BufferView> workspace_;
    std::optional<ImageMemory> workspace_image_;
};

/// Those whose elements lie as in a buffer.
void check_image(const Layout& layout, const Problem& problem) {
    const bool is_known =
        layout.image == ImageFormat::none || layout.image == ImageFormat::r32f || layout.image == ImageFormat::rg32f;
    if (!is_known || (layout.image_width != 0 && problem.lengths.back() % layout.image_width != 0))
        throw Unsupported(
            "images are made here of r32f and rg32f, their rows those of the last axis or whole parts of "
            "them, got " +
            to_string(problem));
}

/// A GPU's copies are several times as fast there; where there is not so much of it ordinary memory will do.
LargeMemory::Allocate pinned_by(const Device& device) {
    return [device](std::size_t bytes) -> std::shared_ptr<unsigned char[]> {
        try {
            const auto memory = std::make_shared<HostMemory>(device.allocate_host(bytes));
            return {memory, static_cast<unsigned char*>(memory->data())};
        } catch (const Error&) {
            return nullptr;
        }
    };
}

}  // namespace

HostArrays::HostArrays(const Device& device) {
    if (!device.info().is_gpu) return;
    for (LargeMemory* memory : {&input, &output, &stored}) *memory = LargeMemory(pinned_by(device));
}

Verifier::Verifier(const Device& device, const Plan& plan, const Memory& wanted) {
    const Problem& problem = plan.problem();
    Memory memory = wanted;
    if (!memory.host) memory.host = std::make_shared<HostArrays>();
    check_image(problem.input, problem);
    check_image(problem.output, problem);
    switch (problem.precision) {
        case Precision::f16:  // whose halves the host has as floats
        case Precision::f32: impl_ = std::make_unique<Engine<float>>(device, plan, memory); break;
        case Precision::f64: impl_ = std::make_unique<Engine<double>>(device, plan, memory); break;
        case Precision::f64x2:
            if (!has_quad) throw Unsupported("check of f64x2: expected a compiler with 113 bits of significand");
            impl_ = std::make_unique<Engine<DoubleDouble>>(device, plan, memory);
            break;
    }
}

Verifier::~Verifier() = default;

Accuracy Verifier::run(Direction direction, const VerifyOptions& options) { return impl_->run(direction, options); }

Execution Verifier::execution(Direction direction) const { return impl_->execution(direction); }

Accuracy verify(const Device& device, const Problem& problem, const VerifyOptions& options) {
    PlanOptions how;
    how.directions = options.directions;
    how.tuning = options.tuning;
    const Plan plan(device, problem, how);
    const std::uint64_t element = 2 * stored_bytes(problem.precision, problem.storage);
    Verifier verifier(device, plan, {.byte_offset = options.seed % 2 * element});
    const Geometry geometry(problem);
    Accuracy worst;
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
        const Directions only = direction == Direction::forward ? Directions::forward : Directions::inverse;
        if (options.directions != Directions::both && options.directions != only) continue;
        if (!geometry.has(direction)) continue;
        Accuracy accuracy = verifier.run(direction, options);
        if (!accuracy.fault.empty()) return accuracy;
        if (!(accuracy.units / accuracy.bound <= worst.units / worst.bound)) worst = accuracy;  // NaN is the worst
    }
    return worst;
}

}  // namespace seiche::cli
