/* SPDX-License-Identifier: Apache-2.0
 *
 * Diversity and probabilistic anonymity.
 */
#include "class/diversity.h"

#include "base/gamma.h"
#include "base/logarithm.h"

#include <math.h>

double bt_diversity(const int64_t *held, uint32_t size)
{
    double sum = 0;
    uint64_t total = 0;
    for (uint32_t i = 0; i < size; i++) {
        total += (uint64_t)held[i];
        if (held[i] > 1) sum += (double)held[i] * bt_log2_near((uint64_t)held[i]);
    }
    return exp2(bt_log2_near(total) - sum / (double)total);
}

double bt_probabilistic_anonymity(const bt_mechanism *mechanism, const double *diversity)
{
    double logarithm = 0, columns = (double)mechanism->columns;
    for (size_t i = 0; i < mechanism->columns; i++) {
        double share = bt_rational_double(mechanism->redrawn[i]);
        logarithm += share * log(diversity[i]);
        if (mechanism->lambda == 1) logarithm -= share * log(share);
    }
    if (mechanism->lambda > 1) /* all sets of lambda columns are equally likely */
        logarithm += bt_log_gamma(columns + 1) - bt_log_gamma(mechanism->lambda + 1.0) -
                     bt_log_gamma(columns - mechanism->lambda + 1);
    return exp(logarithm);
}

double bt_probabilistic_anonymity_best(const double *diversity, size_t columns)
{
    double sum = 0;
    for (size_t i = 0; i < columns; i++)
        sum += diversity[i];
    return sum;
}
