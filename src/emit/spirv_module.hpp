// A SPIR-V module under construction: its sections, ids, and types and constants that exist once each.
#pragma once

#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "emit/spirv_standard.hpp"

namespace seiche::emit::spirv {

/// A run of instructions.
class Section {
public:
    /// Appends an instruction; the first word is made from the code and the number of operands.
    void add(Code code, const std::vector<Word>& operands);
    const std::vector<Word>& words() const { return words_; }

private:
    std::vector<Word> words_;
};

/// A literal string as operand words: UTF-8, zero-terminated, least significant byte first.
std::vector<Word> literal_string(std::string_view text);

class Module {
public:
    Id new_id() { return ++last_id_; }

    void capability(Capability capability) { capabilities_.insert(capability); }
    void extension(const std::string& name) { extensions_.insert(name); }
    Id import(const std::string& set);
    void memory_model(AddressingModel addressing, MemoryModel memory);
    void execution_mode(Id entry, ExecutionMode mode, const std::vector<Word>& operands);
    void entry_point(ExecutionModel model, Id entry, const std::string& name, const std::vector<Id>& interface);
    /// A comment for who reads the module.
    void comment(const std::string& text);
    void name(Id id, const std::string& text);
    void member_name(Id type, Word member, const std::string& text);
    void decorate(Id id, Decoration decoration, const std::vector<Word>& operands = {});
    void member_decorate(Id type, Word member, Decoration decoration, const std::vector<Word>& operands);

    /// A type, once for equal operands.
    Id type(Code code, const std::vector<Word>& operands = {});
    Id pointer(StorageClass storage, Id to) { return type(Code::TypePointer, {static_cast<Word>(storage), to}); }
    /// A constant, once for equal type and operands.
    Id constant(Code code, Id type, const std::vector<Word>& operands = {});
    /// A variable outside of functions.
    Id variable(StorageClass storage, Id type);
    /// A type that is not shared with equal ones, because its decorations differ.
    Id own_type(Code code, const std::vector<Word>& operands);
    /// True the first time that this id is asked for: to decorate a shared type once.
    bool first_time(Id id) { return seen_.insert(id).second; }

    /// The whole module; `version` as in its header, e.g. 0x00010300 for 1.3.
    std::vector<Word> words(Word version, const Section& function) const;

private:
    Id last_id_ = 0;
    std::set<Capability> capabilities_;
    std::set<std::string> extensions_;
    std::map<std::string, Id> imports_;
    std::map<std::vector<Word>, Id> shared_;
    std::set<Id> seen_;
    Section imported_, model_, entries_, modes_, debug_, names_, decorations_, globals_;
};

}  // namespace seiche::emit::spirv
