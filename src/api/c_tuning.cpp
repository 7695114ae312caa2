// The C interface of tuning: plans with a tuning, wisdom, kernel packs.
#include <cstring>
#include <string>
#include <vector>

#include "api/c_handles.hpp"
#include "seiche/pack.hpp"
#include "seiche/problem.hpp"
#include "seiche/wisdom.hpp"

using seiche::api::guard;
using seiche::api::require;

seiche_status seiche_plan_create_tuned(const seiche_device* device, const char* problem, const char* tuning,
                                       seiche_directions directions, seiche_plan** plan) {
    return guard([&] {
        require(plan, "plan");
        *plan = nullptr;
        require(device, "device");
        require(problem, "problem");
        seiche::PlanOptions options;
        options.directions =
            seiche::api::checked_enum<seiche::Directions>(directions, SEICHE_ONLY_INVERSE, "directions");
        if (tuning != nullptr) options.tuning = seiche::parse_tuning(tuning);
        *plan = seiche::api::handle_of(seiche::Plan(device->value, seiche::parse_problem(problem), options));
    });
}

seiche_status seiche_wisdom_find(const seiche_device* device, const char* wisdom, const char* problem, char** tuning) {
    return guard([&] {
        require(tuning, "tuning");
        *tuning = nullptr;
        require(device, "device");
        require(wisdom, "wisdom");
        require(problem, "problem");
        const seiche::Wisdom known = seiche::Wisdom::parse(wisdom);
        const seiche::WisdomEntry* entry = known.find(device->value.info(), seiche::parse_problem(problem));
        const std::string text = entry == nullptr ? "" : to_string(entry->tuning);
        *tuning = new char[text.size() + 1];
        std::memcpy(*tuning, text.c_str(), text.size() + 1);
    });
}

void seiche_text_release(char* text) { delete[] text; }

seiche_status seiche_pack_kernels(const seiche_plan* const* list, size_t plans, unsigned char** bytes, size_t* count) {
    return guard([&] {
        require(bytes, "bytes");
        *bytes = nullptr;
        require(count, "count");
        *count = 0;
        if (plans != 0) require(list, "list");
        std::vector<seiche::Plan> all;
        for (size_t i = 0; i < plans; ++i) {
            require(list[i], "a plan of the list");
            all.push_back(list[i]->value);
        }
        const std::vector<std::byte> pack = seiche::pack_kernels(all);
        *bytes = seiche::api::copy_of(pack);
        *count = pack.size();
    });
}
