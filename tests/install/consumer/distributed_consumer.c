/* A program in C99 that cuts an array for two ranks. */
#include <seiche/distributed.h>
#include <stdio.h>

int main(void) {
    const uint64_t lengths[] = {9, 4};
    seiche_communicator* ranks[2];
    seiche_boxes* boxes;
    char* text;
    if (seiche_thread_ranks(2, NULL, ranks) != SEICHE_OK || seiche_boxes_slab(2, lengths, 0, 2, &boxes) != SEICHE_OK ||
        seiche_boxes_text(boxes, (size_t)seiche_communicator_rank(ranks[1]), &text) != SEICHE_OK) {
        printf("%s\n", seiche_last_error());
        return 1;
    }
    printf("%s %s\n", seiche_version(), text);
    seiche_text_release(text);
    seiche_boxes_release(boxes);
    seiche_communicator_release(ranks[0]);
    seiche_communicator_release(ranks[1]);
    return 0;
}
