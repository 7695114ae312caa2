/* Calls with a number that no enumeration has: 0 if each was refused, else the line of odd_numbers.c that was not. */
#ifndef SEICHE_ODD_NUMBERS_H
#define SEICHE_ODD_NUMBERS_H

#include "seiche/seiche.h"

#ifdef __cplusplus
extern "C" {
#endif

int odd_names(int odd);
int odd_problems(const seiche_device* device, int odd);
/* With a plan of 8 complex f32. */
int odd_transforms(const seiche_plan* plan, seiche_queue* queue, int odd);

#ifdef __cplusplus
}
#endif

#endif
