// The texts by their keys.
#include "study/texts.hpp"

namespace seiche::study {

const std::vector<Text>& texts() {
    static const std::vector<Text> all{{"mota2022", study_mota2022},
                                       {"romero2007", study_romero2007},
                                       {"amd2011", study_amd2011},
                                       {"vkfft2022", study_vkfft2022, false},
                                       {"wang", study_wang}};
    return all;
}

}  // namespace seiche::study
