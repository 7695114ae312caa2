// The C interface of tuning: words, wisdom, textbook recipes, kernel packs.
#include <memory>

#include "api/c_handles.hpp"
#include "seiche/pack.hpp"
#include "seiche/problem.hpp"
#include "seiche/textbook.hpp"
#include "seiche/wisdom.hpp"

struct seiche_wisdom {
    seiche::Wisdom value;
    /// What seiche_wisdom_get has shown of tunings, which wisdom has as values; an entry each.
    std::vector<std::string> tunings;

    void say_tunings() {
        tunings.clear();
        for (const seiche::WisdomEntry& entry : value.entries()) tunings.push_back(to_string(entry.tuning));
    }
};

using seiche::api::guard;
using seiche::api::require;

namespace seiche::api {

Tuning tuning_of(const char* tuning) { return tuning == nullptr ? Tuning() : parse_tuning(tuning); }

}  // namespace seiche::api

namespace {

const char* or_empty(const char* text) { return text == nullptr ? "" : text; }

/// The place of what `find` found among the entries.
seiche_status index_of(const seiche_wisdom* wisdom, const seiche_device* device, const seiche_problem* problem,
                       std::size_t* index,
                       const seiche::WisdomEntry* (seiche::Wisdom::*find)(const seiche::DeviceInfo&,
                                                                          const seiche::Problem&) const) {
    return guard([&] {
        require(index, "index");
        *index = SIZE_MAX;
        require(wisdom, "wisdom");
        require(device, "device");
        const seiche::WisdomEntry* entry =
            (wisdom->value.*find)(device->value.info(), seiche::api::problem_of(problem));
        if (entry != nullptr) *index = static_cast<std::size_t>(entry - wisdom->value.entries().data());
    });
}

const std::vector<seiche::TextbookRecipe>& recipes() {
    static const std::vector<seiche::TextbookRecipe> all = seiche::textbook_recipes();
    return all;
}

}  // namespace

extern "C" {

seiche_status seiche_tuning_text(const char* tuning, char** text) {
    return guard([&] {
        require(text, "text");
        *text = nullptr;
        *text = seiche::api::copy_of(to_string(seiche::api::tuning_of(tuning)));
    });
}

seiche_status seiche_candidate_tunings(const seiche_problem* problem, const seiche_device_limits* limits,
                                       seiche_text_list** tunings) {
    return guard([&] {
        require(tunings, "tunings");
        *tunings = nullptr;
        auto list = std::make_unique<seiche_text_list>();
        const seiche::DeviceLimits given = seiche::api::limits_of(limits);
        for (const seiche::Tuning& tuning : seiche::candidate_tunings(seiche::api::problem_of(problem), given))
            list->value.push_back(to_string(tuning));
        *tunings = list.release();
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
        *tuning = seiche::api::copy_of(entry == nullptr ? std::string() : to_string(entry->tuning));
    });
}

seiche_status seiche_wisdom_parse(const char* text, seiche_wisdom** wisdom) {
    return guard([&] {
        require(wisdom, "wisdom");
        *wisdom = nullptr;
        auto made = std::make_unique<seiche_wisdom>();
        if (text != nullptr) made->value = seiche::Wisdom::parse(text);
        made->say_tunings();
        *wisdom = made.release();
    });
}

void seiche_wisdom_release(seiche_wisdom* wisdom) { delete wisdom; }

seiche_status seiche_wisdom_text(const seiche_wisdom* wisdom, char** text) {
    return guard([&] {
        require(text, "text");
        *text = nullptr;
        require(wisdom, "wisdom");
        *text = seiche::api::copy_of(wisdom->value.text());
    });
}

size_t seiche_wisdom_count(const seiche_wisdom* wisdom) {
    return wisdom == nullptr ? 0 : wisdom->value.entries().size();
}

seiche_status seiche_wisdom_get(const seiche_wisdom* wisdom, size_t index, seiche_wisdom_entry* entry) {
    return guard([&] {
        require(wisdom, "wisdom");
        seiche::api::require_index(index, wisdom->value.entries().size(), "index");
        const seiche::WisdomEntry& known = wisdom->value.entries()[index];
        auto c = seiche::api::default_struct<seiche_wisdom_entry>();
        c.device = known.device.c_str();
        c.version = known.version.c_str();
        c.problem = known.problem.c_str();
        c.tuning = wisdom->tunings[index].c_str();
        c.milliseconds = known.milliseconds;
        c.untuned_milliseconds = known.untuned_milliseconds;
        seiche::api::write_struct(entry, c, "entry");
    });
}

seiche_status seiche_wisdom_set(seiche_wisdom* wisdom, const seiche_wisdom_entry* entry) {
    return guard([&] {
        require(wisdom, "wisdom");
        const seiche_wisdom_entry c = seiche::api::read_struct(entry, "entry");
        require(c.device, "entry.device");
        require(c.version, "entry.version");
        require(c.problem, "entry.problem");
        wisdom->value.set({c.device, c.version, c.problem, seiche::parse_tuning(or_empty(c.tuning)), c.milliseconds,
                           c.untuned_milliseconds});
        wisdom->say_tunings();
    });
}

seiche_status seiche_wisdom_index(const seiche_wisdom* wisdom, const seiche_device* device,
                                  const seiche_problem* problem, size_t* index) {
    return index_of(wisdom, device, problem, index, &seiche::Wisdom::find);
}

seiche_status seiche_wisdom_index_exactly(const seiche_wisdom* wisdom, const seiche_device* device,
                                          const seiche_problem* problem, size_t* index) {
    return index_of(wisdom, device, problem, index, &seiche::Wisdom::find_exactly);
}

size_t seiche_textbook_recipe_count(void) {
    std::size_t count = 0;
    guard([&] { count = recipes().size(); });
    return count;
}

seiche_status seiche_textbook_recipe_get(size_t index, seiche_textbook_recipe* recipe) {
    return guard([&] {
        seiche::api::require_index(index, recipes().size(), "index");
        auto c = seiche::api::default_struct<seiche_textbook_recipe>();
        c.name = recipes()[index].name.c_str();
        c.text = recipes()[index].text.c_str();
        c.description = recipes()[index].description.c_str();
        seiche::api::write_struct(recipe, c, "recipe");
    });
}

seiche_status seiche_pack_kernels(const seiche_plan* const* list, size_t plans, unsigned char** bytes, size_t* count) {
    return guard([&] {
        require(bytes, "bytes");
        *bytes = nullptr;
        require(count, "count");
        *count = 0;
        seiche::api::require_array(list, plans, seiche::api::most_elements, "list");
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

}  // extern "C"
