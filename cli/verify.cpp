// Whether a plan's answers are right: the error against the reference, in the units of the accuracy contract, and
// what must not be touched.
#include "cli/verify.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <cstring>
#include <vector>

#include "cli/dft_bins.hpp"
#include "cli/geometry.hpp"
#include "cli/in_parallel.hpp"
#include "cli/random_data.hpp"
#include "cli/stored_form.hpp"

namespace seiche::cli {
namespace {

constexpr unsigned char poison = 0xff;  // all ones is a NaN in either precision
constexpr std::uint64_t guard_elements = 64;
constexpr std::uint64_t largest_whole = std::uint64_t{1} << 22;  // points of a transform that is compared whole

bool has_large_prime(std::uint64_t n) {
    for (const std::uint64_t p : {2u, 3u, 5u, 7u, 11u, 13u}) {
        while (n % p == 0) n /= p;
    }
    return n > 1;
}

long double factor_of(const Scale& scale, std::uint64_t n) {
    const auto points = static_cast<long double>(n);
    switch (scale.rule()) {
        case Scale::Rule::none: return 1;
        case Scale::Rule::by_n: return 1 / points;
        case Scale::Rule::by_sqrt_n: return 1 / std::sqrt(points);
        default: return scale.value(static_cast<double>(n));
    }
}

const Scale& scale_of(const Problem& problem, Direction direction) {
    return direction == Direction::forward ? problem.forward_scale : problem.inverse_scale;
}

}  // namespace

double accuracy_bound(const Problem& problem, Direction direction) {
    constexpr double smooth = 1.0, bluestein = 2.5, scaled = 0.5;
    bool large_prime = false;
    for (const std::uint64_t n : Geometry(problem).lengths()) large_prime = large_prime || has_large_prime(n);
    return (large_prime ? bluestein : smooth) + (scale_of(problem, direction) == Scale::none() ? 0.0 : scaled);
}

double storage_error(const Problem& problem, std::uint32_t roundings) {
    const Storage storage = problem.storage;
    const double unit = storage == Storage::f16 ? 0x1p-11 : storage == Storage::bf16 ? 0x1p-8 : 0x1p-24;
    bool short_axis = false;
    for (const std::uint64_t n : Geometry(problem).lengths()) short_axis = short_axis || n < 16;
    return (short_axis ? 0.5 : 0.45) * unit * std::sqrt(static_cast<double>(roundings));
}

struct Verifier::Base {
    virtual ~Base() = default;
    virtual Accuracy run(Direction direction, const VerifyOptions& options) = 0;
    virtual Execution execution(Direction direction) const = 0;
};

namespace {

template <class T>
class Engine final : public Verifier::Base {
public:
    Engine(const Device& device, const Plan& plan, std::uint64_t offset)
        : plan_(plan), geometry_(plan.problem()), queue_(device.create_queue()) {
        if (geometry_.points() <= largest_whole) {
            reference_ = std::make_unique<const ReferenceArrayDft>(geometry_.lengths());
        }
        in_place_ = plan.problem().placement == Placement::in_place;
        host_input_.resize(geometry_.input_elements() + guard_elements);
        host_output_.resize(geometry_.output_elements() + guard_elements);
        input_form_ = StoredForm(plan.problem(), false, geometry_.input_elements());
        output_form_ = StoredForm(plan.problem(), true, geometry_.output_elements());
        const auto make_view = [&](const StoredForm& form) {
            return BufferView(device.allocate(offset + form.bytes(2 * guard_elements)), offset);
        };
        input_ = make_view(input_form_);
        output_ = in_place_ ? input_ : make_view(output_form_);
        workspace_bytes_ = plan.workspace_bytes();
        if (workspace_bytes_ > 0) workspace_ = device.allocate(workspace_bytes_ + guard_elements);
    }

    Accuracy run(Direction direction, const VerifyOptions& options) override {
        const Problem& problem = plan_.problem();
        Accuracy accuracy;
        accuracy.bound = accuracy_bound(problem, direction);
        accuracy.fault = size_fault();
        Random random(options.seed);
        double sum = 0;
        const std::uint64_t wanted =
            std::clamp<std::uint64_t>(options.points / geometry_.points(), 1, options.transforms);
        while (accuracy.fault.empty() && accuracy.transforms < wanted) {
            execute(direction, random.next());
            const auto chosen = choose(wanted - accuracy.transforms, random);
            sum += squared_errors(chosen, direction);
            accuracy.fault = check_untouched();
            accuracy.transforms += chosen.size();
        }
        const double n = static_cast<double>(std::max<std::uint64_t>(geometry_.points(), 2));
        const double unit = (sizeof(T) == 4 ? 0x1p-24 : 0x1p-53) * std::sqrt(std::log2(n));
        accuracy.units = std::sqrt(sum / static_cast<double>(std::max<std::uint64_t>(accuracy.transforms, 1))) / unit;
        accuracy.bound += storage_error(problem, plan_.report().storage_roundings) / unit;
        return accuracy;
    }

    Execution execution(Direction direction) const override {
        Execution execution;
        execution.direction = direction;
        execution.input = input_;
        if (!in_place_) execution.output = output_;
        if (workspace_) execution.workspace = workspace_;
        // Where the views are shifted the halves are named, else they are found where the layout says.
        if (input_.byte_offset == 0) return execution;
        const auto half_of = [](const BufferView& real, const StoredForm& form) {
            return BufferView(real.buffer, real.byte_offset + form.half_distance());
        };
        if (input_form_.is_planar()) execution.input_imaginary = half_of(input_, input_form_);
        if (output_form_.is_planar() && !in_place_) execution.output_imaginary = half_of(output_, output_form_);
        return execution;
    }

private:
    using Element = std::complex<T>;

    std::string size_fault() const {
        const std::uint64_t in = input_form_.bytes(), out = output_form_.bytes();
        if (plan_.input_bytes() == in && plan_.output_bytes() == out) return {};
        return "the plan asks for buffers of " + std::to_string(plan_.input_bytes()) + " and " +
               std::to_string(plan_.output_bytes()) + " bytes, expected " + std::to_string(in) + " and " +
               std::to_string(out);
    }

    // Calls work(t, positions in the input or output) for every transform; on all processors where that pays and no two
    // can share an element, as they may in an input that is not dense.
    template <class Work>
    void for_each_transform(bool output, const Work& work) const {
        constexpr std::uint64_t most_chunks = 256, worth_threads = 1u << 16;
        const std::uint64_t all = geometry_.transforms(), chunks = std::min(all, most_chunks);
        const bool apart = (output || plan_.problem().input == Layout()) && all * geometry_.points() >= worth_threads;
        in_parallel(chunks, apart ? 0 : 1, [&](std::size_t chunk) {
            std::vector<std::uint64_t> places;
            for (std::uint64_t t = all * chunk / chunks; t < all * (chunk + 1) / chunks; ++t) {
                geometry_.positions(t, output, places);
                work(t, places);
            }
        });
    }

    // New random input, everything else poisoned; one execution; the results on the host.
    void execute(Direction direction, std::uint64_t seed) {
        std::memset(static_cast<void*>(host_input_.data()), poison, host_input_.size() * sizeof(Element));
        const auto fill = [&](std::uint64_t t, const std::vector<std::uint64_t>& places) {
            Random random(seed ^ splitmix(t));
            for (const std::uint64_t place : places) {
                const T re = random.value<T>(), im = random.value<T>();
                host_input_[place] = {re, im};
            }
        };
        for_each_transform(false, fill);
        if (!in_place_) {
            std::memset(static_cast<void*>(host_output_.data()), poison, host_output_.size() * sizeof(Element));
            upload(output_, output_form_, host_output_);
        }
        upload(input_, input_form_, host_input_);
        if (workspace_) {
            const std::vector<unsigned char> dirt(workspace_.bytes(), poison);
            queue_.upload(workspace_, dirt.data(), dirt.size());
        }
        plan_.execute(queue_, execution(direction));
        download(host_output_, output_, output_form_);
    }

    // What the form rounds is rounded on the host too.
    void upload(const BufferView& to, const StoredForm& form, std::vector<Element>& host) {
        if (form.is_plain()) return queue_.upload(to, host.data(), host.size() * sizeof(Element));
        T* numbers = reinterpret_cast<T*>(host.data());
        const std::vector<unsigned char> memory = form.encoded(numbers, 2 * host.size());
        queue_.upload(to, memory.data(), memory.size());
        form.decode(memory, numbers, 2 * host.size());
    }

    void download(std::vector<Element>& host, const BufferView& from, const StoredForm& form) {
        if (form.is_plain()) return queue_.download(host.data(), from, host.size() * sizeof(Element));
        std::vector<unsigned char> memory(form.bytes(2 * guard_elements));
        queue_.download(memory.data(), from, memory.size());
        form.decode(memory, reinterpret_cast<T*>(host.data()), 2 * host.size());
    }

    // Every output finite; whatever is not an output, the guards and an input out of place as they were. Uses the
    // results on the host up.
    std::string check_untouched() {
        const auto untouched = [](const void* data, std::size_t bytes) {
            const auto* first = static_cast<const unsigned char*>(data);  // equal to the first, each to the one before
            return first[0] == poison && std::memcmp(first, first + 1, bytes - 1) == 0;
        };
        constexpr std::uint64_t none = ~std::uint64_t{0};
        std::atomic<std::uint64_t> bad{none};
        for_each_transform(true, [&](std::uint64_t t, const std::vector<std::uint64_t>& places) {
            for (const std::uint64_t place : places) {
                Element& element = host_output_[place];
                if (!std::isfinite(element.real()) || !std::isfinite(element.imag())) bad = t;
                std::memset(static_cast<void*>(&element), poison, sizeof(Element));
            }
        });
        if (bad != none) return "an output of transform " + std::to_string(bad) + " was not written or is not finite";
        if (!untouched(host_output_.data(), host_output_.size() * sizeof(Element)))
            return "memory beside the output was written";
        if (!in_place_) {
            std::vector<Element> input(host_input_.size());
            download(input, input_, input_form_);
            if (std::memcmp(input.data(), host_input_.data(), input.size() * sizeof(Element)) != 0)
                return "the input was written";
        }
        if (workspace_) {
            std::vector<unsigned char> tail(guard_elements);
            queue_.download(tail.data(), BufferView(workspace_, workspace_bytes_), tail.size());
            if (!untouched(tail.data(), tail.size())) return "memory behind the workspace was written";
        }
        return {};
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

    double squared_errors(const std::vector<std::uint64_t>& chosen, Direction direction) const {
        std::vector<double> squares(chosen.size());
        in_parallel(chosen.size(), 0, [&](std::size_t i) {
            squares[i] = geometry_.points() > largest_whole ? squared_error_of_bins(chosen[i], direction)
                                                            : squared_error(chosen[i], direction);
        });
        double sum = 0;
        for (const double square : squares) sum += square;
        return sum;
    }

    // Of transform t, relative.
    double squared_error(std::uint64_t t, Direction direction) const {
        const long double scale = factor_of(scale_of(plan_.problem(), direction), geometry_.points());
        std::vector<std::uint64_t> places;
        geometry_.positions(t, false, places);
        std::vector<Wide> expected(places.size());
        for (std::size_t j = 0; j < places.size(); ++j) expected[j] = Wide(host_input_[places[j]]);
        reference_->run(expected, direction);
        geometry_.positions(t, true, places);
        long double error = 0, size = 0;
        for (std::size_t j = 0; j < places.size(); ++j) {
            const Wide value = expected[j] * scale;
            error += std::norm(Wide(host_output_[places[j]]) - value);
            size += std::norm(value);
        }
        return static_cast<double>(error / size);
    }

    // The same estimated from some outputs, where the whole reference would take minutes. By Parseval the mean of
    // |output|^2 is the sum of |input|^2.
    double squared_error_of_bins(std::uint64_t t, Direction direction) const {
        constexpr int bins = 8;
        const long double scale = factor_of(scale_of(plan_.problem(), direction), geometry_.points());
        const auto lengths = geometry_.lengths();
        std::vector<std::uint64_t> places;
        geometry_.positions(t, false, places);
        std::vector<Element> input(places.size());
        long double size = 0;
        for (std::size_t j = 0; j < places.size(); ++j) {
            input[j] = host_input_[places[j]];
            size += std::norm(Wide(input[j]));
        }
        geometry_.positions(t, true, places);
        Random random(t + 1);
        long double error = 0;
        for (int i = 0; i < bins; ++i) {
            const std::uint64_t flat = random.below(places.size());
            std::vector<std::uint64_t> bin(lengths.size());
            std::uint64_t rest = flat;
            for (std::size_t axis = bin.size(); axis-- > 0; rest /= lengths[axis]) bin[axis] = rest % lengths[axis];
            const Wide value = dft_bin(input.data(), lengths, bin, direction == Direction::inverse) * scale;
            error += std::norm(Wide(host_output_[places[flat]]) - value);
        }
        return static_cast<double>(error / (bins * size * scale * scale));
    }

    const Plan plan_;
    const Geometry geometry_;
    std::unique_ptr<const ReferenceArrayDft> reference_;  // null where only some outputs are compared
    Queue queue_;
    bool in_place_ = false;
    std::vector<Element> host_input_, host_output_;
    StoredForm input_form_, output_form_;
    BufferView input_, output_;
    Buffer workspace_;
    std::uint64_t workspace_bytes_ = 0;
};

}  // namespace

Verifier::Verifier(const Device& device, const Plan& plan, std::uint64_t byte_offset) {
    if (plan.problem().precision == Precision::f32) {
        impl_ = std::make_unique<Engine<float>>(device, plan, byte_offset);
    } else {
        impl_ = std::make_unique<Engine<double>>(device, plan, byte_offset);
    }
}

Verifier::~Verifier() = default;

Accuracy Verifier::run(Direction direction, const VerifyOptions& options) { return impl_->run(direction, options); }

Execution Verifier::execution(Direction direction) const { return impl_->execution(direction); }

Accuracy verify(const Device& device, const Problem& problem, const VerifyOptions& options) {
    PlanOptions how;
    how.directions = options.directions;
    const Plan plan(device, problem, how);
    const std::uint64_t element = 2 * stored_bytes(problem.precision, problem.storage);
    Verifier verifier(device, plan, options.seed % 2 * element);
    Accuracy worst;
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
        const Directions only = direction == Direction::forward ? Directions::forward : Directions::inverse;
        if (options.directions != Directions::both && options.directions != only) continue;
        Accuracy accuracy = verifier.run(direction, options);
        if (!accuracy.fault.empty()) return accuracy;
        if (!(accuracy.units / accuracy.bound <= worst.units / worst.bound)) worst = accuracy;  // NaN is the worst
    }
    return worst;
}

}  // namespace seiche::cli
