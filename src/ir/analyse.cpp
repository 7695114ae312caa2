// The analyser: takes part in an interpreter run through its hooks and notes every access before it happens.
#include "ir/analyse.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <tuple>

#include "ir/analyse_shadow.hpp"
#include "ir/analyse_traffic.hpp"
#include "ir/interpret_values.hpp"
#include "ir/liveness.hpp"

namespace seiche::ir {

namespace {

enum class Space { global, shared, neighbour, own };  // own: a private array

/// What an op does to memory and where it says so.
struct AccessForm {
    Space space = Space::global;
    unsigned index = 0;  ///< Operand slots.
    int predicate = -1;
    bool reads = false, writes = false, atomic = false;
};

AccessForm form_of(Op op) {
    switch (op) {
        case Op::global_load: return {Space::global, 0, 1, true, false, false};
        case Op::global_store: return {Space::global, 0, 2, false, true, false};
        case Op::shared_load: return {Space::shared, 0, 1, true, false, false};
        case Op::shared_store: return {Space::shared, 0, 2, false, true, false};
        case Op::private_load: return {Space::own, 0, -1, true, false, false};
        case Op::private_store: return {Space::own, 0, -1, false, true, false};
        case Op::cluster_load: return {Space::neighbour, 1, 2, true, false, false};
        case Op::cluster_store: return {Space::neighbour, 1, 3, false, true, false};
        case Op::call_load: return {Space::global, 0, 2, true, false, false};
        case Op::call_store: return {Space::global, 0, 3, false, true, false};
        case Op::atomic_load: return {Space::global, 0, 1, true, false, true};
        case Op::atomic_store: return {Space::global, 0, 2, false, true, true};
        default: return {Space::global, 0, 2, true, true, true};  // atomic_add, atomic_exchange
    }
}

/// Addresses in the parts of one array lie so far apart where sectors are counted.
constexpr std::uint64_t buffers_apart = std::uint64_t{1} << 48;

/// The accesses of one instruction by all threads of a group.
struct Accesses {
    AccessForm form;
    std::uint32_t bytes = 0;             ///< Of one access.
    std::vector<std::uint64_t> address;  ///< Bytes from the start of the buffer or array, by thread.
    std::vector<std::uint32_t> buffer;   ///< Of a global access that names a part, by thread; else empty.
    std::uint32_t buffer_of(std::uint32_t thread, std::uint32_t symbol) const {
        return buffer.empty() ? symbol : buffer[thread];
    }
    std::vector<std::uint8_t> active;
};

enum class Finding { out_of_bounds, uninitialised, shared_race, global_race };

const char* finding_name(Finding f) {
    switch (f) {
        case Finding::out_of_bounds: return "out of bounds";
        case Finding::uninitialised: return "uninitialised read";
        case Finding::shared_race: return "race in shared memory";
        case Finding::global_race: return "race in global memory";
    }
    return "?";
}

/// The shadow of what belongs to one group under way.
struct GroupShadow {
    std::vector<std::vector<Cell>> shared;           ///< By array and element.
    std::vector<std::vector<std::uint8_t>> written;  ///< By private array, then element and thread.
    bool fenced = false;                             ///< Has executed a releasing fence.
};

}  // namespace

class Analyser {
public:
    Analyser(const Program& program, const Launch& launch, const MachineModel& machine)
        : program_(program),
          launch_(launch),
          machine_(machine),
          order_(program, launch),
          global_(make_global_shadow(program.kernel, launch)) {
        machine_.subgroup_size = program.subgroup_size;
    }

    Analysis result;

    void begin_group(Frame& f) {
        GroupShadow& shadow = groups_[&f];
        shadow = {};
        for (const ArraySymbol& a : program_.kernel.shared) shadow.shared.emplace_back(a.count);
        for (const ArraySymbol& a : program_.kernel.privates)
            shadow.written.emplace_back(std::size_t{a.count} * program_.threads, 0);
    }

    void barrier(Frame& f, const Step& s) {
        finish_stores();
        ++f.passed.subgroup;
        if (s.instruction->op == Op::subgroup_barrier) return;
        if (s.instruction->op == Op::part_barrier) {
            const std::uint64_t parts = program_.threads / s.instruction->immediate;
            for (std::size_t k = 0; k < f.passed.part.size(); ++k)
                if (std::uint64_t{2} << k >= parts) ++f.passed.part[k];
            return;
        }
        ++f.passed.group;
        if (meets_cluster(s.instruction->op)) ++f.passed.cluster;
    }

    void fence(Frame& f, const Step& s) {
        const Order order = s.instruction->order;
        if (order == Order::release || order == Order::acquire_release) groups_[&f].fenced = true;
    }

    void waited(Frame& f, const Step& s) {
        const std::byte* at = launch_.buffers[s.instruction->symbol].data;
        const unsigned bytes = type_bytes(program_.kernel.buffers[s.instruction->symbol].element);
        order_.acquire(number(f), at + *f.operand<std::uint64_t>(s, 0) * bytes);
        ++f.passed.subgroup;
        ++f.passed.group;
        ++result.waits;
    }

    /// Of a user's function the element that it is called for counts; the function itself, which may need memory that
    /// is not here, is not called, and gives 0.
    void call(Frame& f, const Step& s) {
        const Accesses all = collect(f, s);
        count_traffic(f, s, all);
        note_global(f, s, all);
        const std::size_t bytes = std::size_t{stored_bytes(s.instruction->type.scalar)} * s.lanes * s.threads;
        if (s.instruction->op == Op::call_load) std::fill_n(f.result<std::byte>(s), bytes, std::byte{0});
    }

    /// Notes the accesses of one instruction, then lets the interpreter do those that are within bounds.
    void access(Frame& f, const Step& s) {
        const Accesses all = collect(f, s);
        count_traffic(f, s, all);
        switch (all.form.space) {
            case Space::global: note_global(f, s, all); break;
            case Space::shared:
            case Space::neighbour: note_shared(f, s, all); break;
            case Space::own: note_private(f, s, all); break;
        }
        perform(f, s, all);
    }

    void image(Frame& f, const Step& s) {
        const bool store = s.instruction->op == Op::image_store;
        const unsigned predicate = store ? 3 : 2;
        const BoundImage& image = launch_.images[s.instruction->symbol];
        Accesses all;
        all.form.predicate = static_cast<int>(predicate);
        all.active.assign(program_.threads, 1);
        for (std::uint32_t t = 0; t < program_.threads; ++t) {
            if (s.operands[predicate].present && f.operand<std::uint8_t>(s, predicate)[t] == 0) all.active[t] = 0;
            const std::uint32_t x = f.operand<std::uint32_t>(s, 0)[t], y = f.operand<std::uint32_t>(s, 1)[t];
            if (all.active[t] == 0) continue;
            if (x < image.width && y < image.height) {
                (store ? result.bytes_written : result.bytes_read) +=
                    texel_bytes(program_.kernel.images[s.instruction->symbol].format);
                continue;
            }
            all.active[t] = 0;
            ++result.out_of_bounds;
            found(Finding::out_of_bounds, s, f, t, "texel (" + std::to_string(x) + ", " + std::to_string(y) + ")");
        }
        perform(f, s, all);
    }

    /// A copy that reaches beyond its memory is not made at all.
    void async_copy(Frame& f, const Step& s) {
        if (bulk_in_bounds(f, s)) group_action (*s.instruction)(f, s);
    }

    void element_copies(Frame& f, const Step& s) {
        Accesses all;
        all.form = {Space::global, 1, 2, true, false, false};
        const Instruction& i = *s.instruction;
        const ArraySymbol& array = program_.kernel.shared[i.symbol];
        const auto buffer = static_cast<std::uint32_t>(i.immediate);
        all.bytes = type_bytes(array.element) * i.width;
        all.active.assign(program_.threads, 1);
        all.address.assign(program_.threads, 0);
        const Window from = global_window(f, buffer);
        for (std::uint32_t t = 0; t < program_.threads; ++t) {
            if (s.operands[2].present && f.operand<std::uint8_t>(s, 2)[t] == 0) all.active[t] = 0;
            if (all.active[t] == 0) continue;
            const std::uint64_t to = f.operand<std::uint32_t>(s, 0)[t], at = f.operand<std::uint64_t>(s, 1)[t];
            const bool fits = to + i.width <= array.count && at < from.limit(i.width * array.element.lanes);
            if (!fits) report_bounds(f, s, t, fits || to + i.width <= array.count ? at : to);
            all.active[t] = fits;
            all.address[t] = at * from.stride * scalar_bytes(array.element.scalar);
        }
        count_global(all, buffer);
        perform(f, s, all);
    }

    void issued(Frame& f, const PendingCopy& copy) {
        note_copy(f, copy, true);
        const Instruction& i = *copy.step->instruction;
        if (i.op == Op::async_neighbour_copy) return note_copy_source(f, copy);
        if (i.op == Op::async_bulk_copy) count_bulk(copy);
        note_global_range(f, *copy.step, copy.thread, static_cast<std::uint32_t>(i.immediate), copy.from, copy.bytes);
    }

    void landed(Frame& f, const PendingCopy& copy) { note_copy(f, copy, false); }

    /// Where a run of stores ends.
    void finish_stores() { add(stores_.finish(machine_)); }

private:
    std::uint32_t number(const Frame& f) const { return static_cast<std::uint32_t>(f.group_number); }

    AccessRecord record(const Frame& f, const Step& s, std::uint32_t thread) const {
        AccessRecord r;
        r.instruction = s.id;
        r.group = number(f);
        r.thread = thread;
        r.passed = f.passed;
        return r;
    }

    std::string thread_text(std::uint32_t group, std::uint32_t thread) const {
        const auto at = order_.position(group);
        return "thread " + std::to_string(thread) + " of group (" + std::to_string(at[0]) + ", " +
               std::to_string(at[1]) + ", " + std::to_string(at[2]) + ")";
    }
    std::string instruction_text(ValueId id) const {
        return std::string(op_name(program_.kernel.code[id].op)) + " %" + std::to_string(id);
    }

    // ---- Findings: one line for each pair of instructions

    void add_line(Finding kind, ValueId first, ValueId second, const std::string& line) {
        constexpr std::size_t most_lines = 20;
        if (result.findings.size() < most_lines && told_.insert({kind, first, second}).second)
            result.findings.push_back(line);
    }
    void found(Finding kind, const Step& s, const Frame& f, std::uint32_t thread, const std::string& where) {
        add_line(kind, s.id, s.id,
                 std::string(finding_name(kind)) + ": " + instruction_text(s.id) + " by " +
                     thread_text(number(f), thread) + ", " + where);
    }
    void found_race(Finding kind, const AccessRecord& before, const AccessRecord& after, const std::string& where) {
        add_line(kind, before.instruction, after.instruction,
                 std::string(finding_name(kind)) + ": " + instruction_text(before.instruction) + " by " +
                     thread_text(before.group, before.thread) + " and " + instruction_text(after.instruction) + " by " +
                     thread_text(after.group, after.thread) + ", " + where);
    }
    void report_bounds(const Frame& f, const Step& s, std::uint32_t thread, std::uint64_t index) {
        ++result.out_of_bounds;
        found(Finding::out_of_bounds, s, f, thread, memory_text(s) + " element " + std::to_string(index));
    }
    std::string memory_text(const Step& s) const {
        const Instruction& i = *s.instruction;
        switch (op_kind(i.op)) {
            case OpKind::memory:
                if (i.op == Op::private_load || i.op == Op::private_store)
                    return "'" + program_.kernel.privates[i.symbol].name + "'";
                if (i.op == Op::global_load || i.op == Op::global_store) break;
                return "'" + program_.kernel.shared[i.symbol].name + "'";
            case OpKind::cluster:
            case OpKind::async: return "'" + program_.kernel.shared[i.symbol].name + "'";
            default: break;
        }
        return "'" + program_.kernel.buffers[i.symbol].name + "'";
    }

    // ---- What an instruction is about to touch

    Window window_of(const Frame& f, const Step& s, Space space) const {
        const std::uint32_t symbol = s.instruction->symbol;
        if (space == Space::global) return global_window(f, symbol);
        if (space != Space::own) return shared_window(f, symbol);
        const ArraySymbol& a = program_.kernel.privates[symbol];
        return {nullptr, std::uint64_t{a.count} * a.element.lanes, a.element.lanes};
    }

    Accesses collect(Frame& f, const Step& s) {
        const Instruction& i = *s.instruction;
        const bool is_call = op_kind(i.op) == OpKind::call;
        const Type type = is_call ? called_element(program_.kernel, i) : i.type;
        Accesses all{form_of(i.op), type_bytes(type), std::vector<std::uint64_t>(program_.threads), {}, {}};
        all.active.assign(program_.threads, 1);
        if (names_part(i)) all.buffer.assign(program_.threads, i.symbol);
        Window window = window_of(f, s, all.form.space);
        if (is_call) window.stride = type.lanes;
        for (std::uint32_t t = 0; t < program_.threads; ++t) {
            if (all.form.predicate >= 0) {
                const auto slot = static_cast<unsigned>(all.form.predicate);
                if (s.operands[slot].present && f.operand<std::uint8_t>(s, slot)[t] == 0) all.active[t] = 0;
            }
            if (all.active[t] == 0) continue;
            if (names_part(i)) {
                const std::uint32_t part = f.operand<std::uint32_t>(s, static_cast<unsigned>(part_slot(i.op)))[t];
                const std::uint32_t parts = program_.kernel.buffers[i.symbol].parts;
                all.buffer[t] = i.symbol + std::min(part, parts - 1);
                window = part < parts ? global_window(f, all.buffer[t]) : Window{};
            }
            const std::uint64_t limit = window.limit(type.lanes);
            const unsigned pitch = window.stride * scalar_bytes(type.scalar);
            const std::uint64_t index = all.form.space == Space::global
                                            ? f.operand<std::uint64_t>(s, all.form.index)[t]
                                            : f.operand<std::uint32_t>(s, all.form.index)[t];
            const bool no_such_group =
                all.form.space == Space::neighbour && f.operand<std::uint32_t>(s, 0)[t] >= program_.cluster_size;
            all.address[t] = index * pitch;
            if (index < limit && !no_such_group) continue;
            all.active[t] = 0;
            report_bounds(f, s, t, index);
        }
        return all;
    }

    /// The interpreter's own action, with a predicate that leaves out what is out of bounds.
    void perform(Frame& f, const Step& s, const Accesses& all) {
        const Instruction& i = *s.instruction;
        const OpKind kind = op_kind(i.op);
        Step masked = s;
        if (all.form.predicate >= 0) {
            std::copy(all.active.begin(), all.active.end(), f.at<std::uint8_t>(program_.mask_at));
            masked.operands[static_cast<unsigned>(all.form.predicate)] = {program_.mask_at, true, false,
                                                                          Scalar::boolean};
        } else if (std::find(all.active.begin(), all.active.end(), 0) != all.active.end()) {
            return;  // a private access has no predicate: leave it out altogether
        }
        const bool memory = kind == OpKind::memory || kind == OpKind::image;
        (memory ? memory_action(i, all.form.predicate >= 0) : group_action(i))(f, masked);
    }

    // ---- Traffic

    template <class Count>
    void for_each_subgroup(const Accesses& all, Count&& count) {
        std::vector<LaneAddress> lanes;
        for (std::uint32_t first = 0; first < program_.threads; first += machine_.subgroup_size) {
            const std::uint32_t last = std::min(program_.threads, first + machine_.subgroup_size);
            lanes.clear();
            for (std::uint32_t t = first; t < last; ++t) {
                const std::uint64_t apart = all.buffer.empty() ? 0 : all.buffer[t] * buffers_apart;
                lanes.push_back({all.address[t] + apart, all.active[t] != 0});
            }
            count(lanes);
        }
    }

    void count_global(const Accesses& all, std::uint32_t buffer) {
        const bool table = program_.kernel.buffers[buffer].table;
        for_each_subgroup(all, [&](const std::vector<LaneAddress>& lanes) {
            const Sectors sectors = count_sectors(lanes, all.bytes, machine_);
            if (table) {
                result.table_bytes_read += sectors.bytes;
                return;
            }
            result.sectors += sectors.taken;
            result.sectors_ideal += sectors.ideal;
            if (all.form.reads) result.bytes_read += sectors.bytes;
            if (all.form.writes) result.bytes_written += sectors.bytes;
        });
    }

    void count_traffic(const Frame& f, const Step& s, const Accesses& all) {
        if (all.form.space == Space::own) return;
        if (all.form.space == Space::global) return count_global(all, s.instruction->symbol);
        const auto active = static_cast<std::uint64_t>(std::count(all.active.begin(), all.active.end(), 1));
        (all.form.reads ? result.shared_bytes_read : result.shared_bytes_written) += active * all.bytes;
        if (all.form.space == Space::neighbour) return;  // no banks are known for the network between groups
        const std::uint64_t base = program_.shared_offsets[s.instruction->symbol];
        if (!all.form.reads) return count_store(f, s.instruction->symbol, base, all);
        finish_stores();
        for_each_subgroup(all, [&](std::vector<LaneAddress>& lanes) {
            for (LaneAddress& lane : lanes) lane.address += base;
            add(count_wavefronts(lanes, all.bytes, machine_));
        });
    }

    void count_store(const Frame& f, std::uint32_t array, std::uint64_t base, const Accesses& all) {
        std::vector<LaneAddress> threads;
        for (std::uint32_t t = 0; t < program_.threads; ++t)
            threads.push_back({all.address[t] + base, all.active[t] != 0});
        const auto bytes = static_cast<std::uint32_t>(all.bytes);
        if (storing_ == &f && stores_.extend(array, threads, bytes)) return;
        finish_stores();
        storing_ = &f;
        stores_.extend(array, threads, bytes);
    }

    void add(const Wavefronts& w) {
        result.shared_wavefronts += w.taken;
        result.shared_wavefronts_ideal += w.ideal;
    }

    void count_bulk(const PendingCopy& copy) {
        const Instruction& i = *copy.step->instruction;
        const BoundBuffer& bound = launch_.buffers[i.immediate];
        result.shared_bytes_written += copy.bytes;
        if (program_.kernel.buffers[i.immediate].table) {
            result.table_bytes_read += copy.bytes;
            return;
        }
        const Sectors sectors =
            count_sectors({{static_cast<std::uint64_t>(copy.from - bound.data), true}}, copy.bytes, machine_);
        result.sectors += sectors.taken;
        result.sectors_ideal += sectors.ideal;
        result.bytes_read += copy.bytes;
    }

    // ---- Races and uninitialised reads

    /// Notes one thread's access of one cell. True if it is a race; `where` then says of what.
    template <class Where>
    bool note_cell(Cell& cell, const AccessRecord& r, bool writes, Finding kind, Where&& where) {
        const auto race = writes ? note_write(cell, r, order_) : note_read(cell, r, order_);
        if (race) found_race(kind, *race, r, where());
        return race.has_value();
    }

    void note_global(Frame& f, const Step& s, const Accesses& all) {
        const bool everybody = std::find(all.active.begin(), all.active.end(), 0) == all.active.end();
        for (std::uint32_t t = 0; t < program_.threads; ++t) {
            if (all.active[t] == 0) continue;
            const std::uint32_t buffer = all.buffer_of(t, s.instruction->symbol);
            const std::byte* at = launch_.buffers[buffer].data + all.address[t];
            if (all.form.atomic) synchronise(f, s, at, everybody);
            note_global_range(f, s, t, buffer, at, all.bytes);
        }
    }

    void note_global_range(Frame& f, const Step& s, std::uint32_t thread, std::uint32_t buffer, const std::byte* at,
                           std::uint64_t bytes) {
        Region& region = global_.regions[global_.region_of[buffer]];
        if (!region.written) return;
        const bool async = op_kind(s.instruction->op) == OpKind::async;
        const AccessForm form =
            async ? AccessForm{Space::global, 0, -1, true, false, false} : form_of(s.instruction->op);
        AccessRecord r = record(f, s, thread);
        r.atomic = form.atomic;
        bool race = false, unwritten = false;
        for (std::uint64_t offset = 0; offset < bytes; offset += region.granule) {
            Cell& cell = region.cell(static_cast<std::uint64_t>(at + offset - region.begin) / region.granule);
            if (form.reads && !cell.write.valid() && !region.initially_written(at + offset)) unwritten = true;
            race |=
                note_cell(cell, r, form.writes, Finding::global_race, [&] { return global_text(buffer, at + offset); });
        }
        result.global_races += race;
        result.uninitialised_reads += unwritten;
        if (unwritten) found(Finding::uninitialised, s, f, thread, global_text(buffer, at));
    }

    std::string global_text(std::uint32_t buffer, const std::byte* at) const {
        const BufferParameter& parameter = program_.kernel.buffers[buffer];
        return "'" + parameter.name + "' element " +
               std::to_string(static_cast<std::uint64_t>(at - launch_.buffers[buffer].data) /
                              type_bytes(parameter.element));
    }

    /// What an atomic access tells and learns. Without a barrier since, a thread speaks only for itself; if all threads
    /// take part, for the group.
    void synchronise(Frame& f, const Step& s, const std::byte* at, bool everybody) {
        const Instruction& i = *s.instruction;
        const bool both = i.order == Order::acquire_release;
        const AccessForm form = form_of(i.op);
        if (form.reads && (both || i.order == Order::acquire)) order_.acquire(number(f), at);
        if (form.writes && (both || i.order == Order::release || groups_[&f].fenced)) {
            order_.release(number(f), at, f.passed.group + (everybody ? 1 : 0));
        }
    }

    void note_shared(Frame& f, const Step& s, const Accesses& all) {
        const std::uint32_t symbol = s.instruction->symbol;
        const unsigned element = type_bytes(program_.kernel.shared[symbol].element);
        for (std::uint32_t t = 0; t < program_.threads; ++t) {
            if (all.active[t] == 0) continue;
            const bool remote = all.form.space == Space::neighbour;
            const Frame& owner = remote ? *f.cluster[f.operand<std::uint32_t>(s, 0)[t]] : f;
            note_shared_range(f, s, t, owner, symbol, all.address[t] / element, all.bytes / element);
        }
    }

    void note_shared_range(Frame& f, const Step& s, std::uint32_t thread, const Frame& owner, std::uint32_t array,
                           std::uint64_t first, std::uint64_t count) {
        const bool async = op_kind(s.instruction->op) == OpKind::async;
        const AccessForm form =
            async ? AccessForm{Space::shared, 0, -1, true, false, false} : form_of(s.instruction->op);
        std::vector<Cell>& cells = groups_[&owner].shared[array];
        const AccessRecord r = record(f, s, thread);
        bool race = false, unwritten = false;
        for (std::uint64_t k = first; k < first + count; ++k) {
            unwritten |= form.reads && !cells[k].write.valid();
            race |= note_cell(cells[k], r, form.writes, Finding::shared_race, [&] { return shared_text(array, k); });
        }
        result.shared_races += race;
        result.uninitialised_reads += unwritten;
        if (unwritten) found(Finding::uninitialised, s, f, thread, shared_text(array, first));
    }

    std::string shared_text(std::uint32_t array, std::uint64_t element) const {
        return "'" + program_.kernel.shared[array].name + "' element " + std::to_string(element);
    }

    void note_private(Frame& f, const Step& s, const Accesses& all) {
        const std::uint32_t symbol = s.instruction->symbol;
        const unsigned element = type_bytes(program_.kernel.privates[symbol].element);
        std::vector<std::uint8_t>& written = groups_[&f].written[symbol];
        for (std::uint32_t t = 0; t < program_.threads; ++t) {
            if (all.active[t] == 0) continue;
            bool unwritten = false;
            for (std::uint64_t k = all.address[t] / element; k < (all.address[t] + all.bytes) / element; ++k) {
                std::uint8_t& cell = written[k * program_.threads + t];
                if (all.form.writes)
                    cell = 1;
                else
                    unwritten |= cell == 0;
            }
            result.uninitialised_reads += unwritten;
            if (unwritten)
                found(Finding::uninitialised, s, f, t,
                      memory_text(s) + " element " + std::to_string(all.address[t] / element));
        }
    }

    // ---- Asynchronous copies

    bool bulk_in_bounds(Frame& f, const Step& s) {
        const Instruction& i = *s.instruction;
        const bool neighbour = i.op == Op::async_neighbour_copy;
        const std::uint64_t own_count = program_.kernel.shared[i.symbol].count;
        const std::uint64_t count = *f.operand<std::uint32_t>(s, neighbour ? 3 : 2);
        const std::uint64_t own = *f.operand<std::uint32_t>(s, neighbour ? 2 : 0);
        bool fits = own + count <= own_count;
        std::uint64_t other = 0;
        if (neighbour) {
            other = *f.operand<std::uint32_t>(s, 1);
            fits &= *f.operand<std::uint32_t>(s, 0) < program_.cluster_size &&
                    other + count <= program_.kernel.shared[i.immediate].count;
        } else {
            other = *f.operand<std::uint64_t>(s, 1);
            const Window from = global_window(f, static_cast<std::uint32_t>(i.immediate));
            const std::uint64_t scalars = count * program_.kernel.shared[i.symbol].element.lanes;
            fits &= other <= from.scalars / from.stride && scalars <= from.scalars - other * from.stride;
        }
        if (!fits) report_bounds(f, s, 0, own + count <= own_count ? other : own);
        return fits;
    }

    void note_copy_source(Frame& f, const PendingCopy& copy) {
        const std::uint32_t array = copy.step->instruction->symbol;
        const unsigned element = type_bytes(program_.kernel.shared[array].element);
        const auto first = static_cast<std::uint64_t>(copy.from - shared_window(f, array).data) / element;
        result.shared_bytes_read += copy.bytes;
        note_shared_range(f, *copy.step, copy.thread, f, array, first, copy.bytes / element);
    }

    /// The write of a copy: under way from its issue on; when it has landed an element is its thread's, a bulk copy the
    /// whole group's, because the whole group has waited for it.
    void note_copy(Frame& f, const PendingCopy& copy, bool in_flight) {
        const Instruction& i = *copy.step->instruction;
        const auto array = i.op == Op::async_neighbour_copy ? static_cast<std::uint32_t>(i.immediate) : i.symbol;
        const unsigned element = type_bytes(program_.kernel.shared[array].element);
        const auto first = static_cast<std::uint64_t>(copy.to - shared_window(*copy.owner, array).data) / element;
        AccessRecord r = record(f, *copy.step, copy.thread);
        r.in_flight = in_flight;
        std::vector<Cell>& cells = groups_[copy.owner].shared[array];
        bool race = false;
        for (std::uint64_t k = first; k < first + copy.bytes / element; ++k) {
            if (in_flight) {
                race |= note_cell(cells[k], r, true, Finding::shared_race, [&] { return shared_text(array, k); });
                continue;
            }
            if (i.op != Op::async_copy) --r.passed.group;
            cells[k].write = r;
            r.passed = f.passed;
        }
        if (in_flight && i.op == Op::async_copy) result.shared_bytes_written += copy.bytes;
        result.shared_races += race;
    }

    const Program& program_;
    const Launch& launch_;
    MachineModel machine_;
    Synchronisation order_;
    GlobalShadow global_;
    std::map<const Frame*, GroupShadow> groups_;
    StoreRun stores_;
    const Frame* storing_ = nullptr;  // whose run it is
    std::set<std::tuple<Finding, ValueId, ValueId>> told_;
};

namespace {

Action hooked_action(const Instruction& i) {
    switch (i.op) {
        case Op::group_barrier:
        case Op::part_barrier:
        case Op::subgroup_barrier:
        case Op::cluster_ready:
        case Op::cluster_arrivals:
        case Op::cluster_barrier: return [](Frame& f, const Step& s) { f.analyser->barrier(f, s); };
        case Op::fence: return [](Frame& f, const Step& s) { f.analyser->fence(f, s); };
        case Op::wait_until: return [](Frame& f, const Step& s) { f.analyser->waited(f, s); };
        case Op::async_copy: return [](Frame& f, const Step& s) { f.analyser->element_copies(f, s); };
        case Op::async_bulk_copy:
        case Op::async_neighbour_copy: return [](Frame& f, const Step& s) { f.analyser->async_copy(f, s); };
        default: break;
    }
    switch (op_kind(i.op)) {
        case OpKind::memory:
        case OpKind::cluster:
        case OpKind::atomic: return [](Frame& f, const Step& s) { f.analyser->access(f, s); };
        case OpKind::image: return [](Frame& f, const Step& s) { f.analyser->image(f, s); };
        case OpKind::call: return [](Frame& f, const Step& s) { f.analyser->call(f, s); };
        default: return nullptr;
    }
}

constexpr Hooks hooks{
    hooked_action,
    [](Frame& f) { f.analyser->begin_group(f); },
    [](Frame& f, const PendingCopy& copy) { f.analyser->issued(f, copy); },
    [](Frame& f, const PendingCopy& copy) { f.analyser->landed(f, copy); },
};

/// Floating operations of one thread.
std::uint64_t flops_of(const Instruction& i) {
    if (!i.type.is_float()) return 0;
    switch (i.op) {
        case Op::fma:
        case Op::mad: return 2u * i.type.lanes;
        case Op::matrix_multiply: return 2 * 8 * 8 * 4 / 32;
        case Op::neg:
        case Op::abs:
        case Op::min:
        case Op::max:
        case Op::floor:
        case Op::select: return 0;
        default: break;
    }
    const OpKind kind = op_kind(i.op);
    return kind == OpKind::unary || kind == OpKind::binary ? i.type.lanes : 0;
}

}  // namespace

Analysis analyse(const Kernel& kernel, const Launch& launch, const MachineModel& machine,
                 const InterpretOptions& options) {
    const std::unique_ptr<const Program> program = decode(kernel, {machine.subgroup_size, &hooks});
    check_launch(kernel, launch);
    Analyser analyser(*program, launch, machine);
    std::vector<std::uint64_t> executed(program->body.size(), 0);
    run_grid(*program, launch, options, {&analyser, executed.data()});
    for (std::size_t k = 0; k < executed.size(); ++k) {
        const Step& s = program->body[k];
        if (s.id == no_value) continue;
        analyser.result.flops += executed[k] * flops_of(*s.instruction) * program->threads;
        const Op op = s.instruction->op;
        if (op == Op::group_barrier || meets_cluster(op)) analyser.result.barriers += executed[k];
    }
    analyser.finish_stores();
    analyser.result.registers_live = registers_live(kernel);
    return analyser.result;
}

}  // namespace seiche::ir
