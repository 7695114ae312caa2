// The five texts, each by its own protocol.
#pragma once

#include <string>
#include <vector>

#include "study/document.hpp"
#include "study/laboratory.hpp"

namespace seiche::study {

Section study_mota2022(Laboratory& laboratory);
Section study_romero2007(Laboratory& laboratory);
Section study_amd2011(Laboratory& laboratory);
Section study_vkfft2022(Laboratory& laboratory);
Section study_wang(Laboratory& laboratory);

struct Text {
    std::string key;
    Section (*study)(Laboratory&);
    bool has_recipes = true;  ///< Otherwise it describes a library.
};

/// In the order of docs/explanation/textbook-recipes.md.
const std::vector<Text>& texts();

}  // namespace seiche::study
