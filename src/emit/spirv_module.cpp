// A SPIR-V module under construction.
#include "emit/spirv_module.hpp"

#include "seiche/error.hpp"

namespace seiche::emit::spirv {

namespace {

constexpr std::size_t longest_instruction = 0xffff;  // words, the first included

std::vector<Word> joined(std::initializer_list<Word> first, const std::vector<Word>& rest) {
    std::vector<Word> all(first);
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
}

void append(std::vector<Word>& words, const Section& section) {
    words.insert(words.end(), section.words().begin(), section.words().end());
}

}  // namespace

void Section::add(Code code, const std::vector<Word>& operands) {
    const std::size_t count = operands.size() + 1;
    if (count > longest_instruction)
        throw InternalError("spirv: an instruction of " + std::to_string(count) + " words, expected at most " +
                            std::to_string(longest_instruction));
    words_.push_back(static_cast<Word>(count) << 16 | static_cast<Word>(code));
    words_.insert(words_.end(), operands.begin(), operands.end());
}

std::vector<Word> literal_string(std::string_view text) {
    std::vector<Word> words(text.size() / 4 + 1);  // at least one zero byte
    for (std::size_t i = 0; i < text.size(); ++i)
        words[i / 4] |= static_cast<Word>(static_cast<unsigned char>(text[i])) << (8 * (i % 4));
    return words;
}

Id Module::import(const std::string& set) {
    Id& id = imports_[set];
    if (id == 0) {
        id = new_id();
        imported_.add(Code::ExtInstImport, joined({id}, literal_string(set)));
    }
    return id;
}

void Module::memory_model(AddressingModel addressing, MemoryModel memory) {
    model_.add(Code::MemoryModel, {static_cast<Word>(addressing), static_cast<Word>(memory)});
}

void Module::execution_mode(Id entry, ExecutionMode mode, const std::vector<Word>& operands) {
    modes_.add(Code::ExecutionMode, joined({entry, static_cast<Word>(mode)}, operands));
}

void Module::entry_point(ExecutionModel model, Id entry, const std::string& name, const std::vector<Id>& interface) {
    std::vector<Word> operands = joined({static_cast<Word>(model), entry}, literal_string(name));
    operands.insert(operands.end(), interface.begin(), interface.end());
    entries_.add(Code::EntryPoint, operands);
}

void Module::comment(const std::string& text) {
    constexpr Word unknown_language = 0, no_version = 0;
    debug_.add(Code::String, joined({new_id()}, literal_string(text)));
    debug_.add(Code::Source, {unknown_language, no_version});
}

void Module::name(Id id, const std::string& text) { names_.add(Code::Name, joined({id}, literal_string(text))); }

void Module::member_name(Id type, Word member, const std::string& text) {
    names_.add(Code::MemberName, joined({type, member}, literal_string(text)));
}

void Module::decorate(Id id, Decoration decoration, const std::vector<Word>& operands) {
    decorations_.add(Code::Decorate, joined({id, static_cast<Word>(decoration)}, operands));
}

void Module::member_decorate(Id type, Word member, Decoration decoration, const std::vector<Word>& operands) {
    decorations_.add(Code::MemberDecorate, joined({type, member, static_cast<Word>(decoration)}, operands));
}

Id Module::type(Code code, const std::vector<Word>& operands) {
    Id& id = shared_[joined({static_cast<Word>(code)}, operands)];
    if (id == 0) id = own_type(code, operands);
    return id;
}

Id Module::own_type(Code code, const std::vector<Word>& operands) {
    const Id id = new_id();
    globals_.add(code, joined({id}, operands));
    return id;
}

Id Module::constant(Code code, Id type, const std::vector<Word>& operands) {
    Id& id = shared_[joined({static_cast<Word>(code), type}, operands)];
    if (id == 0) {
        id = new_id();
        globals_.add(code, joined({type, id}, operands));
    }
    return id;
}

Id Module::variable(StorageClass storage, Id type) {
    const Id id = new_id(), pointer_type = pointer(storage, type);
    globals_.add(Code::Variable, {pointer_type, id, static_cast<Word>(storage)});
    return id;
}

std::vector<Word> Module::words(Word version, const Section& function) const {
    constexpr Word unregistered_generator = 0, schema = 0;
    std::vector<Word> words{magic_number, version, unregistered_generator, last_id_ + 1, schema};
    Section opening;
    for (const Capability capability : capabilities_) opening.add(Code::Capability, {static_cast<Word>(capability)});
    for (const std::string& extension : extensions_) opening.add(Code::Extension, literal_string(extension));
    append(words, opening);
    for (const Section* section :
         {&imported_, &model_, &entries_, &modes_, &debug_, &names_, &decorations_, &globals_, &function})
        append(words, *section);
    return words;
}

}  // namespace seiche::emit::spirv
