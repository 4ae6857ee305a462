/** Which failures of a job are those of the machine, and how the job of a half-done run ends. */
import { describe, expect, test } from 'vitest';
import { RefusedError, UnavailableError } from '../../../src/exchange/api/exchange.ts';
import { ApprovalError } from '../../../src/engine/approval/approval-error.ts';
import { ConfigError } from '../../../src/base/error.ts';
import { CredentialError } from '../../../src/app/config/credential-error.ts';
import { refusedJob } from '../../../src/cli/worker/follow.ts';
import { endingOf, isOfMachine, isPassing, waitOf } from '../../../src/app/worker/job-failure.ts';
import { UnservedError } from '../../../src/app/worker/served.ts';
import { DiskError } from '../../../src/engine/journal/file.ts';
import { AccountError } from '../../../src/engine/journal/standing.ts';
import { StalePlanError } from '../../../src/engine/plan/stale.ts';
import { CheckoutError } from '../../../src/app/machine/checkout.ts';
import { errorOfContinued } from '../../../src/app/running/begun.ts';
import { HeldError } from '../../../src/stores/store.ts';
import { doubtRun, longRun } from '../../support/entries.ts';

const full = Object.assign(new Error('no space left on device'), {
  code: 'ENOSPC',
  syscall: 'write',
});
const refused = (code: string): RefusedError =>
  new RefusedError('agent/list-assets', { code, message: '', status: 400 });

test.each([
  ['a full disk', full, true],
  ['a disk error', new DiskError('the journal could not be written', full), true],
  ['another checkout', new CheckoutError('ladder.yaml is not what plan p-1 was made from'), true],
  ['a profile without a key', new UnservedError('main'), true],
  ['a missing passphrase', new CredentialError('no passphrase', 'set it'), true],
  ['a wrong file of settings', new ConfigError('no such profile'), true],
  ['a key of another account', new AccountError('another account', 'see it'), true],
  ['no way to the exchange', new UnavailableError('market/list-tickers', 'refused'), true],
  ['a key that the exchange refuses', refused('40006'), true],
  ['an order that the exchange refuses', refused('40762'), false],
  ['a missing approval', new ApprovalError('not approved', 'approve it'), false],
  ['a plan that expired', new StalePlanError('it expired'), false],
  ['a bug', new TypeError('x is undefined'), false],
])('%s: %s', (_name, error, expected) => {
  expect(isOfMachine(error)).toBe(expected);
  expect(isOfMachine(errorOfContinued(error, doubtRun()))).toBe(expected);
});

test('an account that another run has is waited for, with the run', () => {
  const error = new HeldError('run r-9 on desk-2 has main', 'wait for it', true, 'r-9');
  expect(isPassing(error)).toBe(true);
  expect(waitOf(error, [])).toEqual({
    because: 'run r-9 on desk-2 has main',
    hint: 'wait for it',
    run: 'r-9',
  });
});

describe('the job of a begun run', () => {
  const endings = (entries: ReturnType<typeof doubtRun>) =>
    [
      new CheckoutError('ladder.yaml is not what plan p-1 was made from'),
      new ApprovalError('plan p-1 has no approval', 'deskhand approve p-1'),
      new StalePlanError('plan p-1 expired'),
      new UnservedError('main'),
    ].map((error) => endingOf(errorOfContinued(error, entries), []));

  test('ends with 6 and what is in doubt, and the way on is no new plan', () => {
    for (const { exit, message, hint } of endings(doubtRun())) {
      expect([exit, message]).toEqual([6, expect.stringMatching(/; in doubt: \S+ \(/)]);
      expect(message).not.toContain('nothing was sent');
      expect(hint).toMatch(/`deskhand resume r-\w+`$/);
      expect(hint).not.toContain('new plan');
    }
  });

  test('ends with 1 and what was sent, without a doubt', () => {
    const settled = longRun(3).filter(({ kind }) => kind !== 'finished');
    for (const { exit, message } of endings(settled)) {
      expect([exit, message]).toEqual([
        1,
        expect.stringMatching(/; 3 writes sent; nothing more was sent$/),
      ]);
    }
  });
});

test('who follows a job is told which worker ended it, and every doubt that it names', () => {
  const doubts = Array.from({ length: 5 }, (_none, at) => `orders[desk-${at}] (${'x'.repeat(90)})`);
  const ending = { exit: 6, message: `the disk is full; in doubt: ${doubts.join(', ')}` } as const;
  const error = refusedJob({ ending, worker: 'desk-2' });
  expect([error.exit, error.message]).toEqual([6, `desk-2: ${ending.message}`]);
  expect(refusedJob({ ending, worker: 'desk-2', stoppedBy: 'ann' }).message).toBe(ending.message);
});

test('a queued run is continued by a worker', () => {
  const error = errorOfContinued(new UnservedError('main'), doubtRun(), true);
  expect(endingOf(error, []).hint).toMatch(/then `deskhand resume r-\w+ --queue`$/);
});
