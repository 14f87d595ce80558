/* SPDX-License-Identifier: Apache-2.0
 *
 * What a manifest may say of the method that grouped. Only src/audit may include this.
 */
#ifndef BT_AUDIT_METHOD_H
#define BT_AUDIT_METHOD_H

#include "spec/manifest.h"

/* What is wrong with manifest->method, of a release that has classes; NULL: nothing. */
const char *bt_method_fault(const bt_manifest *manifest);

#endif
