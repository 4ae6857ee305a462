/** Everything a plan depends on: on a change, the error shows the old and the new value. */
import { expect, test } from 'vitest';
import { differencesOf } from '../../../src/engine/plan/moved.ts';
import type { Plan, PlannedAction } from '../../../src/engine/plan/plan.ts';
import { samplePlan } from '../../support/plans.ts';

const plan = samplePlan();

function differenceLines(now: Partial<Plan>, move = '0.01'): string[] {
  const moved = differencesOf(plan, { ...plan, ...now }, move);
  return moved.map(({ what, was, is }) => `${what}: ${was} → ${is}`);
}

function withAction(address: string, change: Partial<PlannedAction>): Partial<Plan> {
  const steps = plan.steps.map((step) => ({
    ...step,
    actions: step.actions.map((action) =>
      action.address === address ? { ...action, ...change } : action,
    ),
  }));
  return { steps };
}

test('an unchanged plan has not moved', () => {
  expect(differenceLines({})).toEqual([]);
});

test('times, ids and irrelevant rows are not differences', () => {
  const later = { id: 'p-00000000', digest: '', observedAt: 1, expiresAt: 2 };
  const read = withAction('volume', { change: { kind: 'read', requests: 13, rows: 9 } });
  expect(differenceLines({ ...later, ...read })).toEqual([]);
});

const { playbook, destination, steps } = plan;
const [first] = plan.guards;

test.each<[string, Partial<Plan>, RegExp]>([
  ['the playbook', { playbook: { ...playbook, digest: 'x' } }, /desk-setup.yaml: .* → x$/],
  [
    'a playbook it uses',
    { playbook: { ...playbook, includes: [{ file: 'b.yaml', digest: 'b', text: '' }] } },
    /^b.yaml: not there → b$/,
  ],
  ['the API', { contract: 'other' }, /^the API of the exchange: .* → other$/],
  ['the key', { destination: { ...destination, keyFingerprint: 'ffffffff' } }, /key ffffffff$/],
  ['the profile', { destination: { ...destination, profile: 'other' } }, /→ other, live/],
  ['another account', { accounts: [destination] }, /^the account: /],
  ['an input', { inputs: { size: '2' } }, /^input size: not there → 2$/],
  ['a limit', { guards: first ? [{ ...first, limit: '9' }] : [] }, /^guard max-writes: 20 → 9$/m],
  ['a step', { steps: steps.slice(1) }, /^volume: a read → not there$/m],
  [
    'a price',
    withAction('ladder[61000.0]', { input: { price: '1' } }),
    /^ladder\[61000.0\] price: 61000.0 → 1$/m,
  ],
  [
    'what is to be done',
    withAction('ladder[61000.0]', { change: { kind: 'none', because: 'order 7 is live' } }),
    /^ladder\[61000.0\]: to be created → nothing to do: order 7 is live$/,
  ],
  [
    'the evidence',
    withAction('subs[alpha]', { change: { kind: 'none', because: 'subUid 8' } }),
    /created before → nothing to do: subUid 8$/,
  ],
  [
    'the account of an action',
    withAction('ladder[61000.0]', { account: 'two' }),
    /^ladder\[61000.0\] account: not there → two$/,
  ],
  [
    'open positions',
    { positions: { 'USDT-FUTURES': ['BTCUSDT'] } },
    /^open positions in USDT-FUTURES: not there → BTCUSDT$/,
  ],
  [
    'the file of a read',
    { steps: steps.map((step) => (step.file ? { ...step, file: 'b.csv' } : step)) },
    /^volume file file: out\/volume.csv → b.csv$/,
  ],
])('%s', (_name, now, expected) => {
  expect(differenceLines(now).join('\n')).toMatch(expected);
});

test('a mark price may move up to the limit', () => {
  expect(differenceLines({ marks: { BTCUSDT: '62634.645' } })).toEqual([]); // 1 %, exactly
  expect(differenceLines({ marks: { BTCUSDT: '62634.7' } })).toEqual([
    'the mark price of BTCUSDT: 62014.5 → 62634.7 (+1.00 %; 1 % is allowed)',
  ]);
  expect(differenceLines({ marks: { BTCUSDT: '55813.05' } }, '0.05')).toEqual([
    'the mark price of BTCUSDT: 62014.5 → 55813.05 (-10.00 %; 5 % is allowed)',
  ]);
  expect(differenceLines({ marks: { BTCUSDT: '62014.6' } }, '0')).toHaveLength(1);
});
