/** Tests of one file that tell a story: after a chapter that failed, the rest says nothing. */

import { beforeEach } from "vitest";

/** Skips what follows a failure, instead of letting each of it wait for what cannot come. */
export function story(): void {
  let isBroken = false;
  beforeEach(({ skip, onTestFailed }) => {
    if (isBroken) skip("an earlier chapter failed");
    onTestFailed(() => {
      isBroken = true;
    });
  });
}
