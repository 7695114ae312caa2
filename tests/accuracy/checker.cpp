// Runs a problem among NaNs and canaries and compares every element with the judge's.
#include "tests/accuracy/checker.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <optional>
#include <random>
#include <set>

#include "cli/check/array_memory.hpp"
#include "tests/accuracy/judge.hpp"
#include "tests/accuracy/real_judge.hpp"

namespace seiche::accuracy {

namespace {

using cli::ArrayMemory;
using cli::StoredForm;

constexpr unsigned char poison = 0xff;  // eight of them are a NaN, four as well
constexpr std::uint64_t guard_elements = 64;

/// One of the two arrays, as real numbers in memory: an element has one or two.
struct Array {
    std::vector<std::vector<std::uint64_t>> at;  // the elements of each transform
    std::uint64_t parts = 2;
};

template <class T>
class Run {
public:
    using Memory = std::vector<T>;

    Run(const Plan& plan, const CheckOptions& options)
        : device_(plan.device()),
          problem_(plan.problem()),
          options_(options),
          plan_(plan),
          queue_(device_.create_queue()),
          shape_(shape_of(problem_)) {
        Addresses where = addresses(problem_, problem_.batch);
        in_ = {std::move(where.input), shape_.real_input() ? 1u : 2u};
        out_ = {std::move(where.output), shape_.real_output() ? 1u : 2u};
        const std::uint64_t in_bytes = bytes_of(false), out_bytes = bytes_of(true);
        input_form_ = form_of(false, in_place() ? std::max(in_bytes, out_bytes) : in_bytes);
        output_form_ = in_place() ? input_form_ : form_of(true, out_bytes);
        if (problem_.spectrum_order == SpectrumOrder::pass) find_order();
        make_input();
    }

    Outcome outcome() {
        Outcome worst;
        for (const Direction direction : {Direction::forward, Direction::inverse}) {
            const bool forward = direction == Direction::forward;
            if (options_.directions == (forward ? Directions::inverse : Directions::forward)) continue;
            if (!shape_.has(direction)) continue;
            const Scale& scale = forward ? problem_.forward_scale : problem_.inverse_scale;
            const double factor = scale.value(static_cast<double>(shape_.logical_points()));
            const Memory output = execute(direction, worst);
            const std::vector<std::vector<QuadComplex>> exact = exact_results(direction);
            double sum = 0;
            for (std::size_t t = 0; t < exact.size(); ++t)
                sum += relative_square_error(gather(output, out_, t, forward), exact[t], factor);
            const bool is_scaled = factor != 1.0 || shape_.weighs_edges();
            note(worst, direction, std::sqrt(sum / static_cast<double>(exact.size())),
                 allowed_error(problem_, is_scaled, size_of(problem_).way) * slack());
        }
        return worst;
    }

private:
    /// Of the view, in real numbers.
    std::uint64_t shift() const { return 2 * options_.view_offset_elements; }
    bool in_place() const { return problem_.placement == Placement::in_place; }

    /// The contract is about the mean over 64 transforms; a few short ones scatter around it.
    double slack() const {
        const std::size_t values = out_.at.size() * out_.at.front().size();
        return out_.at.size() >= 64 || values >= 512 ? 1.0 : 1.0 + 2.0 / std::sqrt(static_cast<double>(values));
    }

    std::vector<std::vector<QuadComplex>> exact_results(Direction direction) {
        std::vector<std::vector<QuadComplex>> results;
        if (!shape_.is_complex()) {
            RealJudge judge(shape_.in(direction));
            const bool is_spectrum = direction == Direction::inverse;
            for (std::size_t t = 0; t < in_.at.size(); ++t)
                results.push_back(judge.transform(gather(input_, in_, t, is_spectrum)));
            return results;
        }
        if (forward_results_.empty() || !order_.empty()) {
            Judge judge(shape_.lengths);
            forward_results_.clear();
            for (std::size_t t = 0; t < in_.at.size(); ++t)
                forward_results_.push_back(judge.forward(gather(input_, in_, t, direction == Direction::inverse)));
        }
        if (direction == Direction::forward) return forward_results_;
        for (const auto& forward : forward_results_) results.push_back(inverse_from_forward(forward, shape_.lengths));
        return results;
    }

    /// A spectrum by frequency.
    std::vector<std::complex<double>> gather(const Memory& memory, const Array& array, std::size_t transform,
                                             bool is_spectrum) const {
        const std::vector<std::uint64_t>& at = array.at[transform];
        std::vector<std::complex<double>> values(at.size());
        for (std::size_t i = 0; i < at.size(); ++i) {
            const T* parts = memory.data() + shift() + at[i] * array.parts;
            const std::size_t index = is_spectrum && !order_.empty() ? order_[i] : i;
            const bool is_ignored = &array == &in_ && ignores_imaginary_part(i);
            values[index] = {parts[0], array.parts == 2 && !is_ignored ? parts[1] : T{0}};
        }
        return values;
    }

    /// The frequency, row-major, of every element of the spectrum as it lies.
    void find_order() {
        const bool is_output = shape_.has(Direction::forward);
        std::vector<int> axes = problem_.axes;
        for (std::size_t i = 0; problem_.axes.empty() && i < problem_.lengths.size(); ++i)
            axes.push_back(static_cast<int>(i));
        for (int& axis : axes) axis += axis < 0 ? static_cast<int>(problem_.lengths.size()) : 0;
        std::sort(axes.begin(), axes.end());
        order_ = {0};
        for (std::size_t i = 0; i < axes.size(); ++i) {
            const std::uint64_t count = is_output ? shape_.output_count(i) : shape_.input_count(i);
            std::vector<std::uint64_t> longer;
            for (const std::uint64_t outer : order_)
                for (std::uint64_t k = 0; k < count; ++k)
                    longer.push_back(outer * count + plan_.spectrum_index(axes[i], k));
            order_ = std::move(longer);
        }
    }

    /// Of an image, whose rows are the array's, all its texels.
    std::uint64_t bytes_of(bool output) const {
        const ImageFormat format = (output ? problem_.output : problem_.input).image;
        if (format == ImageFormat::none) return output ? plan_.output_bytes() : plan_.input_bytes();
        const ImageSize size = output ? plan_.output_texels() : plan_.input_texels();
        return size.width * size.height * texel_bytes(format);
    }

    /// What an array of so many bytes is made of.
    StoredForm form_of(bool output, std::uint64_t bytes) const {
        const Layout& layout = output ? problem_.output : problem_.input;
        const std::uint64_t real = stored_bytes(problem_.precision, problem_.storage), numbers = bytes / real;
        if (!layout.planar) return StoredForm(problem_, output, numbers, 1);
        return StoredForm(problem_, output, (numbers + layout.byte_offset / real) / 2);
    }

    /// Memory for an array, behind the view's offset and before the guard, all poisoned.
    Memory poisoned(const StoredForm& form) const {
        Memory memory(shift() + form.numbers() + guard_elements);
        std::memset(static_cast<void*>(memory.data()), poison, memory.size() * sizeof(T));
        return memory;
    }

    void make_input() {
        input_ = poisoned(input_form_);
        std::mt19937_64 random(options_.seed);
        std::uniform_real_distribution<T> uniform(-1, 1);
        for (const auto& transform : in_.at)
            for (const std::uint64_t address : transform)
                for (std::uint64_t part = 0; part < in_.parts; ++part)
                    input_[shift() + address * in_.parts + part] = uniform(random);
        if (shares_elements()) return;
        // One a NaN, the other an infinity.
        for (const auto& transform : in_.at)
            for (std::size_t i = 0; i < transform.size(); ++i)
                if (ignores_imaginary_part(i))
                    input_[shift() + transform[i] * in_.parts + 1] =
                        i == 0 ? std::numeric_limits<T>::quiet_NaN() : std::numeric_limits<T>::infinity();
    }

    /// What one transform ignores may be an element of another.
    bool shares_elements() const {
        std::set<std::uint64_t> all;
        std::size_t count = 0;
        for (const auto& transform : in_.at) {
            all.insert(transform.begin(), transform.end());
            count += transform.size();
        }
        return all.size() != count;
    }

    /// Of element i of a c2r of one axis, as it lies.
    bool ignores_imaginary_part(std::size_t i) const {
        if (shape_.lengths.size() != 1 || shape_.kinds.front() != Kind::c2r) return false;
        const std::uint64_t frequency = order_.empty() ? i : order_[i], n = shape_.lengths.front();
        return frequency == 0 || 2 * frequency == n;
    }

    ArrayMemory device_memory(bool output, const StoredForm& form) const {
        const ImageFormat image = (output ? problem_.output : problem_.input).image;
        if (image != ImageFormat::none)
            return ArrayMemory(device_, form, image, output ? plan_.output_texels() : plan_.input_texels(),
                               guard_elements * form.real_bytes());
        const std::uint64_t in = problem_.input.part_bytes, out = problem_.output.part_bytes;
        const std::uint64_t part = in_place() ? std::max(in, out) : output ? out : in;
        return ArrayMemory(device_, form, part, view_bytes(), guard_elements * form.real_bytes());
    }

    /// What the storage rounds is rounded in `memory` too.
    void upload(Memory& memory, const ArrayMemory& to, const StoredForm& form) {
        std::vector<unsigned char> stored(form.bytes(guard_elements));
        form.encode(memory.data() + shift(), memory.size() - shift(), stored.data());
        form.decode(stored.data(), memory.data() + shift(), memory.size() - shift());
        to.upload(queue_, stored.data());
    }

    Memory download(const ArrayMemory& from, const StoredForm& form) {
        Memory memory = poisoned(form);
        std::vector<unsigned char> stored(form.bytes(guard_elements));
        from.download(queue_, stored.data());
        form.decode(stored.data(), memory.data() + shift(), memory.size() - shift());
        return memory;
    }

    std::uint64_t view_bytes() const { return shift() * input_form_.real_bytes(); }

    Memory execute(Direction direction, Outcome& outcome) {
        const ArrayMemory input = device_memory(false, input_form_);
        upload(input_, input, input_form_);
        Memory before = in_place() ? input_ : poisoned(output_form_);
        const ArrayMemory output = in_place() ? input : device_memory(true, output_form_);
        if (!in_place()) upload(before, output, output_form_);
        Execution execution;
        execution.direction = direction;
        input.bind(execution, false);
        if (!in_place()) output.bind(execution, true);
        for (const std::uint64_t bytes : plan_.workspace_part_bytes()) {
            const std::vector<unsigned char> dirt(bytes, poison);
            execution.workspace_parts.emplace_back(device_.allocate(bytes));
            queue_.upload(execution.workspace_parts.back(), dirt.data(), bytes);
        }
        std::optional<cli::ImageMemory> workspace;
        if (const ImageSize size = plan_.workspace_texels(); size.width != 0) {
            workspace.emplace(device_, problem_.output.image, size);
            workspace->fill_with_poison(queue_);
            execution.workspace_image = workspace->image();
        }
        plan_.execute(queue_, execution);
        queue_.wait();
        if (workspace) compare_beside(*workspace, outcome);
        Memory after = download(output, output_form_);
        compare_gaps(before, after, out_, outcome);
        if (in_place()) return after;
        const Memory left = download(input, input_form_);
        if (problem_.may_overwrite_input) {
            compare_gaps(input_, left, in_, outcome);
        } else if (!same(left, input_, 0, input_.size())) {
            outcome.complaints.emplace_back("the input was overwritten");
        }
        return after;
    }

    void compare_beside(const cli::ImageMemory& workspace, Outcome& outcome) {
        const ImageSize size = plan_.workspace_texels();
        std::vector<unsigned char> held(size.width * size.height * texel_bytes(problem_.output.image));
        if (!workspace.download(queue_, held.data(), held.size()))
            outcome.complaints.emplace_back("texels beside the workspace were written");
    }

    static bool same(const Memory& a, const Memory& b, std::size_t first, std::size_t count) {
        return std::memcmp(a.data() + first, b.data() + first, count * sizeof(T)) == 0;
    }

    void mark(const Array& array, std::vector<bool>& marked) const {
        for (const auto& transform : array.at)
            for (const std::uint64_t address : transform)
                for (std::uint64_t part = 0; part < array.parts; ++part)
                    marked[shift() + address * array.parts + part] = true;
    }

    /// In place what was input may hold anything afterwards: the end of a row that got shorter.
    void compare_gaps(const Memory& before, const Memory& after, const Array& array, Outcome& outcome) const {
        std::vector<bool> free(before.size(), false);
        mark(array, free);
        if (in_place()) mark(in_, free);
        for (std::size_t i = 0; i < before.size(); ++i)
            if (!free[i] && !same(before, after, i, 1)) {
                outcome.complaints.push_back("number " + std::to_string(i) +
                                             " of the buffer is no element, but changed");
                return;
            }
    }

    void note(Outcome& worst, Direction direction, double relative, double bound) const {
        const double points = static_cast<double>(std::max<std::uint64_t>(shape_.points(), 2));
        const double unit = unit_roundoff(problem_.precision) * std::sqrt(std::log2(points));
        const double error = relative / unit;
        constexpr double of_textbooks = 3;
        if (options_.is_textbook) bound *= of_textbooks;
        bound += storage_error(problem_, plan_.report().storage_roundings) * slack() / unit;
        // Not `error > ...`: a NaN is the worst of all.
        if (!(error <= bound))
            worst.complaints.push_back(std::string(direction == Direction::forward ? "forward" : "inverse") +
                                       ": relative error " + std::to_string(error) + " beyond " +
                                       std::to_string(bound));
        if (worst.bound == 0 || !(error / bound <= worst.error / worst.bound)) {
            worst.error = error;
            worst.bound = bound;
        }
    }

    Device device_;
    Problem problem_;
    CheckOptions options_;
    Plan plan_;
    Queue queue_;
    Shape shape_;
    Array in_, out_;
    StoredForm input_form_, output_form_;
    Memory input_;
    std::vector<std::uint64_t> order_;                       // of a spectrum in pass order
    std::vector<std::vector<QuadComplex>> forward_results_;  // c2c: the inverse ones follow from them
};

}  // namespace

std::string Outcome::text() const {
    std::string text = "error " + std::to_string(error) + " of " + std::to_string(bound) + " allowed";
    for (const std::string& complaint : complaints) text += "; " + complaint;
    return text;
}

Outcome check(const Plan& plan, const CheckOptions& options) {
    const Precision precision = plan.problem().precision;
    if (precision == Precision::f32 || precision == Precision::f16) return Run<float>(plan, options).outcome();
    return Run<double>(plan, options).outcome();
}

}  // namespace seiche::accuracy
