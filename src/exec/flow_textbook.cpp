// The flow graph of a textbook kernel, one launch of a published algorithm: what kernels/textbook/items.cpp and
// textbook/groups.cpp do with the points of one line.
#include <bit>
#include <numeric>
#include <string>

#include "exec/flow.hpp"
#include "exec/flow_side.hpp"

namespace seiche::exec {

namespace {

using namespace kernels;

std::uint32_t place_of(std::uint64_t place) { return static_cast<std::uint32_t>(place); }

/// What a launch does, as steps on places of a line.
class TextbookSteps {
public:
    TextbookSteps(const KernelSpec& spec, std::uint64_t line, bool has_graph)
        : spec_(spec), book_(*spec.textbook()), line_(line), has_graph_(has_graph) {}

    std::vector<FlowStep> run() {
        std::visit([this](const auto& work) { describe(work); }, book_.work);
        return std::move(steps_);
    }

private:
    FlowStep& add(FlowKind kind, const std::string& text, std::uint32_t radix = 1) {
        FlowStep step;
        step.kind = kind;
        step.text = text;
        step.radix = radix;
        step.count = radix > 1 ? book_.length / radix : 0;
        steps_.push_back(std::move(step));
        return steps_.back();
    }

    std::uint64_t reversed(std::uint64_t place) const {
        std::uint64_t result = 0;
        for (int b = 0; b < std::countr_zero(book_.length); ++b) result = result << 1 | (place >> b & 1);
        return result;
    }

    /// That has an item: begin_items() of kernels/textbook/textbook.cpp.
    std::uint32_t thread(std::uint64_t item) const {
        if (const auto* levels = std::get_if<BlockLevels>(&book_.work)) return place_of(item % levels->points);
        const std::uint32_t group = std::get<GroupShape>(spec_.shape).sequences, lines = book_.lines;
        if (lines == 1) return static_cast<std::uint32_t>((line_ * textbook_items(book_) + item) % group);
        const std::uint64_t across = group / lines, x = item % across, y = line_ % lines;
        return static_cast<std::uint32_t>(book_.lines_first ? x * lines + y : y * across + x);
    }

    FlowNode moved(std::uint64_t from, std::uint64_t to) const { return {{place_of(from)}, {place_of(to)}, {}, {}, 0}; }

    Exchange through_shared() const {
        Exchange exchange;
        exchange.level = MemoryLevel::shared;
        exchange.bytes_written = exchange.bytes_read = book_.length * 2 * stored_bytes(spec_.precision, Storage::same);
        return exchange;
    }

    // ---- From memory to memory

    std::uint64_t place(Places places, const Butterflies& work, std::uint64_t item, std::uint64_t j) const {
        const std::uint64_t s = work.stride;
        if (places == Places::strided) return item + j * (book_.length / work.radix);
        if (places == Places::neighbours) return item * work.radix + j;
        const std::uint64_t at = item / s * work.radix * s + item % s + j * s;
        return places == Places::reversed ? reversed(at) : at;
    }

    static std::string places_text(Places places, const Butterflies& work, std::uint64_t length, char point) {
        const std::string r = std::to_string(work.radix), s = std::to_string(work.stride);
        const std::string own(1, point);
        if (places == Places::strided) return "b + " + std::to_string(length / work.radix) + " " + own;
        if (places == Places::neighbours) return r + " b + " + own;
        const std::string at = work.stride == 1
                                   ? r + " b + " + own
                                   : std::to_string(work.radix * work.stride) + " q + p + " + s + " " + own;
        return places == Places::reversed ? "with the bits of " + at + " reversed" : at;
    }

    void describe(const Butterflies& work) {
        const std::uint64_t items = book_.length / work.radix;
        std::string text = work.moves_only ? "points "
                                           : std::to_string(items) + (items == 1 ? " butterfly" : " butterflies") +
                                                 " of radix " + std::to_string(work.radix) + ": points ";
        text += places_text(work.from, work, book_.length, 'j');
        const bool has_factors = work.root > work.radix;
        const std::string factors =
            has_factors ? ", times w" + std::to_string(work.root) + (work.by_block ? "^(j q)" : "^(j p)") : "";
        text += (work.twiddles_first ? factors : "") + " to places " + places_text(work.to, work, book_.length, 'k');
        if (!work.twiddles_first && has_factors)
            text += ", results times w" + std::to_string(work.root) + (work.by_block ? "^(k q)" : "^(k p)");
        if (work.stride > 1) text += ", b = " + std::to_string(work.stride) + " q + p";
        FlowStep& step = add(work.moves_only ? FlowKind::move : FlowKind::butterflies, text, work.radix);
        step.stride = work.stride;
        for (std::uint64_t i = 0; has_graph_ && i < items; ++i) add_butterfly(work, i, step);
    }

    void add_butterfly(const Butterflies& work, std::uint64_t item, FlowStep& step) const {
        FlowNode node;
        node.thread = thread(item);
        const std::uint64_t e = work.by_block ? item / work.stride : item % work.stride;
        for (std::uint64_t j = 0; j < work.radix; ++j) {
            node.from.push_back(place_of(place(work.from, work, item, j)));
            node.to.push_back(place_of(place(work.to, work, item, j)));
            if (work.moves_only) step.nodes.push_back(moved(node.from.back(), node.to.back()));
            if (work.root > work.radix)
                (work.twiddles_first ? node.factors : node.after).push_back(root_of_unity(e * j, work.root));
        }
        if (!work.moves_only) step.nodes.push_back(std::move(node));
    }

    void describe(const SplitButterflies& work) {
        const std::uint32_t points = work.block == 2 ? 2 : 4;
        const std::uint64_t apart = work.block / points;
        FlowStep& step =
            add(points == 2 ? FlowKind::butterflies : FlowKind::split,
                points == 2 ? "butterflies of radix 2 where a block of 2 points is left"
                            : "L-shaped butterflies of blocks of " + std::to_string(work.block) +
                                  " points: a half by radix 2, two quarters by radix 4, times w" +
                                  std::to_string(work.block) + "^k and w" + std::to_string(work.block) + "^(3 k)",
                points);
        step.stride = apart;
        step.count = textbook_points(spec_) / points;
        for (std::uint64_t block = 0; has_graph_ && block < book_.length / work.block; ++block) {
            if (std::countr_one(block) % 2 != 0) continue;
            for (std::uint64_t k = 0; k < apart; ++k) {
                FlowNode node;
                node.thread = thread(block * apart + k);
                for (std::uint64_t j = 0; j < points; ++j)
                    node.from.push_back(place_of(block * work.block + k + j * apart));
                node.to = node.from;
                if (work.block > 4)
                    node.after = {{}, {}, root_of_unity(k, work.block), root_of_unity(3 * k, work.block)};
                step.nodes.push_back(std::move(node));
            }
        }
    }

    void describe(const CoprimeButterflies& work) {
        const std::uint64_t n = book_.length, items = n / work.radix, rotation = items % work.radix;
        const std::string r = std::to_string(work.radix), m = std::to_string(items), all = std::to_string(n);
        FlowStep& step = add(FlowKind::butterflies,
                             m + " butterflies of radix " + r + ": points " + r + " b + " + m + " j mod " + all +
                                 ", the place of point j gets result " + std::to_string(rotation) + " j mod " + r,
                             work.radix);
        step.stride = items;
        for (std::uint64_t i = 0; has_graph_ && i < items; ++i) {
            FlowNode node;
            node.thread = thread(i);
            node.to.resize(work.radix);
            for (std::uint64_t j = 0; j < work.radix; ++j) {
                node.from.push_back(place_of(work.place(n, i, j)));
                node.to[work.result(n, j)] = node.from.back();
            }
            step.nodes.push_back(std::move(node));
        }
    }

    void describe(const Level& work) { add_level(work.blocks); }

    void describe(const BlockLevels& work) {
        for (std::uint64_t blocks = work.blocks; blocks < book_.length; blocks *= 2) {
            FlowStep& step = add_level(blocks);
            step.before = through_shared();
            if (book_.length / blocks / 2 >= work.points) step.before.level = MemoryLevel::cluster;
        }
    }

    void describe(const FlaggedLevels& work) {
        for (std::uint64_t blocks = 1; blocks < work.near(book_.length).blocks; blocks *= 2) {
            FlowStep& step = add_level(blocks);
            if (blocks == 1) continue;
            step.before.level = MemoryLevel::global;
            step.before.bytes_written = step.before.bytes_read =
                book_.length * 2 * stored_bytes(spec_.precision, Storage::same);
        }
        describe(work.near(book_.length));
    }

    void describe(const Clearing&) {}  // no points

    FlowStep& add_level(std::uint64_t blocks) {
        const std::uint64_t points = book_.length / blocks, half = points / 2;
        const std::string root = std::to_string(book_.length);
        FlowStep& step = add(FlowKind::butterflies,
                             "sums and differences of points " + std::to_string(half) + " apart, differences times w" +
                                 root + "^(" + std::to_string(blocks) + " p); a thread for each result",
                             2);
        step.stride = half;
        for (std::uint64_t b = 0; has_graph_ && b < book_.length / 2; ++b) {
            const std::uint64_t p = b % half, at = b / half * points + p;
            const std::vector<std::uint32_t> pair{place_of(at), place_of(at + half)};
            step.nodes.push_back({pair, pair, {}, {{}, root_of_unity(p * blocks, book_.length)}, thread(at)});
        }
        return step;
    }

    void describe(const Reversal&) {
        FlowStep& step = add(FlowKind::move, "bit reversal: the point at a place goes to that of reversed bits");
        for (std::uint64_t i = 0; has_graph_ && i < book_.length; ++i) step.nodes.push_back(moved(reversed(i), i));
    }

    void describe(const Copying&) { add(FlowKind::deal, "points are copied"); }

    void describe(const Sums&) { add_sums("each the sum of all points times their roots, a thread each"); }

    void describe(const MatrixRows& work) {
        FlowStep& step = add_sums("rows of the matrix of all roots times the points, " + std::to_string(work.rows) +
                                  " rows a group, whose points pass through shared memory");
        const std::uint64_t n = book_.length, rows = work.rows, groups = textbook_items(book_);
        const std::uint64_t point = 2 * stored_bytes(spec_.precision, Storage::same);
        step.before.level = MemoryLevel::shared;
        step.before.bytes_written = groups * groups * rows * point;  // as many tiles of the points as of the rows
        step.before.bytes_read = groups * rows * n * point;
    }

    FlowStep& add_sums(const std::string& text) {
        FlowStep& step = add(FlowKind::butterflies, std::to_string(book_.length) + " results, " + text,
                             static_cast<std::uint32_t>(book_.length));
        if (has_graph_) {
            std::vector<std::uint32_t> all(book_.length);
            std::iota(all.begin(), all.end(), 0u);
            step.nodes.push_back({all, all, {}, {}, 0});
        }
        return step;
    }

    // ---- On chip

    /// Where memory has point `local` of a group.
    std::uint64_t memory_place(const ChunkStages& work, std::uint64_t group, std::uint64_t local) const {
        return work.transposed ? group * work.points() + local : work.place(group, local);
    }

    void describe(const ChunkStages& work) {
        if (work.reversed) {
            FlowStep& step = add(FlowKind::move, "bit reversal, as points are read");
            for (std::uint64_t i = 0; has_graph_ && i < book_.length; ++i) step.nodes.push_back(moved(reversed(i), i));
        }
        for (std::uint32_t stage = 0; stage < work.stages; ++stage) {
            const std::uint64_t half = std::uint64_t{1} << (work.first + stage);
            std::string text = std::to_string(book_.length / 2) + " butterflies of radix 2, stage " +
                               std::to_string(work.first + stage + 1) + " of the line";
            if (half > 1) text += ", times w" + std::to_string(2 * half) + "^p";
            FlowStep& step = add(FlowKind::butterflies, text, 2);
            step.stride = half;
            step.before = through_shared();
            if (has_graph_) add_stage(work, stage, step);
        }
        add(FlowKind::deal, "points are dealt to the threads that store them").before = through_shared();
    }

    void add_stage(const ChunkStages& work, std::uint32_t stage, FlowStep& step) const {
        const std::uint64_t span = std::uint64_t{1} << (work.pattern() + stage);
        const std::uint64_t half = std::uint64_t{1} << (work.first + stage);
        for (std::uint64_t group = 0; group < textbook_items(book_); ++group)
            for (std::uint64_t b = 0; b < work.points() / 2; ++b) {
                const std::uint64_t low = b % span + b / span * 2 * span;
                const std::vector<std::uint32_t> pair{place_of(memory_place(work, group, low)),
                                                      place_of(memory_place(work, group, low + span))};
                const std::uint64_t p = work.place(group, low) % half;
                step.nodes.push_back({pair, pair, {{}, root_of_unity(p, 2 * half)}, {}, place_of(b)});
            }
    }

    void describe(const Transposition& work) {
        FlowStep& step = add(FlowKind::move, "matrices of " + std::to_string(work.rows) + " x " +
                                                 std::to_string(work.columns) + " are transposed");
        step.before = through_shared();
        const std::uint64_t size = work.rows * work.columns;
        for (std::uint64_t i = 0; has_graph_ && i < book_.length; ++i) {
            const std::uint64_t row = i % size / work.columns, column = i % work.columns;
            step.nodes.push_back(moved(i, i / size * size + column * work.rows + row));
        }
    }

    const KernelSpec& spec_;
    const Textbook& book_;
    std::uint64_t line_;
    bool has_graph_;
    std::vector<FlowStep> steps_;
};

}  // namespace

kernels::KernelSpec line_spec(const kernels::KernelSpec& spec) {
    kernels::KernelSpec line = spec;
    line.n = static_cast<std::uint32_t>(spec.textbook()->length);
    line.loops.erase(line.loops.begin());
    line.work = kernels::CorePass{};
    return line;
}

std::vector<FlowStep> textbook_steps(const kernels::KernelSpec& spec, std::uint64_t line, bool has_graph) {
    return TextbookSteps(spec, line, has_graph).run();
}

}  // namespace seiche::exec
