/** What differs between two plans, although orders that only the run knows have no line of their own. */
import { expect, test } from 'vitest';
import type { Plan } from '../../src/engine/plan/plan.ts';
import { changesBetween } from '../../src/report/plan-changes.ts';
import { samplePlan } from '../support/plans.ts';

const nested = { file: 'bids.yaml', digest: 'a', text: '' };
const sample = samplePlan();
const limit = { guard: 'max-order-notional', limit: '1500', used: '0', isKept: true, message: '' };
const plan: Plan = {
  ...sample,
  playbook: { ...sample.playbook, includes: [nested] },
  inputs: { below: '0.5', desks: ['ash', 'birch'] },
  guards: [limit],
};

test('nothing differs between plans of the same texts, inputs and limits', () => {
  const used = { ...plan, id: 'p-00000000', guards: [{ ...limit, used: '900' }] };
  expect(changesBetween(plan, used)).toEqual([]);
});

test.each<[string, Partial<Plan>, object]>([
  [
    'the text of a nested playbook',
    { playbook: { ...plan.playbook, includes: [{ ...nested, digest: 'b' }] } },
    { sign: '~', text: 'the text of bids.yaml' },
  ],
  [
    'the text of the playbook',
    { playbook: { ...plan.playbook, digest: 'b' } },
    { sign: '~', text: 'the text of the playbook' },
  ],
  [
    'a playbook that is not used any more',
    { playbook: sample.playbook },
    { sign: '~', text: 'the text of bids.yaml' },
  ],
  [
    'an input',
    { inputs: { below: '0.9', desks: ['ash', 'birch'] } },
    { sign: '~', text: 'input below: 0.9', was: '0.5' },
  ],
  [
    'an input of many values',
    { inputs: { below: '0.5', desks: ['ash'] } },
    { sign: '~', text: 'input desks.1: not there', was: 'birch' },
  ],
  [
    'a new input',
    { inputs: { below: '0.5', desks: ['ash', 'birch'], rungs: 3 } },
    { sign: '~', text: 'input rungs: 3', was: 'not there' },
  ],
  [
    'a loosened guard',
    { guards: [{ ...limit, limit: '9000' }] },
    { sign: '~', text: 'guard max-order-notional: 9000', was: '1500' },
  ],
  [
    'a removed guard',
    { guards: [] },
    { sign: '~', text: 'guard max-order-notional: not there', was: '1500' },
  ],
])('%s is a difference', (_name, change, line) => {
  expect(changesBetween(plan, { ...plan, ...change })).toEqual([line]);
});

test('what only the run knows, and a nested playbook, have a line each', () => {
  const late = (id: string, uses: string): Plan['steps'][number] => ({
    id,
    uses,
    effect: 'keyed',
    actions: [{ address: id, account: 'ash', change: { kind: 'later' }, input: {} }],
  });
  const [bid, desk] = [late('bid', 'futures/place-order'), late('desk', './bids.yaml')];
  expect(changesBetween({ ...plan, steps: [] }, { ...plan, steps: [bid, desk] })).toEqual([
    { sign: '+', text: 'bid: futures/place-order on ash, known only during the run' },
    { sign: '+', text: 'desk: ./bids.yaml on ash, known only during the run' },
  ]);
});
