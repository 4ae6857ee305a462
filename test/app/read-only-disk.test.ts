/** A read-only disk names the variables that move folders elsewhere. */
import { expect, test } from 'vitest';
import { describeError } from '../../src/app/running/describe.ts';

test('the error of a read-only disk names the variables of the folders', () => {
  const error = Object.assign(new Error("EROFS: read-only file system, mkdir '/x'"), {
    code: 'EROFS',
    syscall: 'mkdir',
    path: '/x',
  });
  expect(describeError(error)).toMatchObject({
    code: 'EROFS',
    hint: expect.stringMatching(/DESKHAND_STATE_DIR.*--dir.*TMPDIR/),
  });
});
