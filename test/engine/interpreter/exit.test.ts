/** Exit code 3 means that nothing was sent: after a write, a run never ends with it. */
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../../src/base/error.ts';
import { gravestExit } from '../../../src/app/schedule/open-scheduler.ts';
import { errorOfBegun } from '../../../src/engine/runtime/exit.ts';
import {
  entriesOf,
  live,
  openHarness,
  playbookFrom,
  type Harness,
  type Life,
} from '../../support/harness.ts';
import { limitOrder } from '../../support/order.ts';

const order = `
  - id: bid
    uses: futures/place-order
    with:${limitOrder({ price: '40000.0' })}`;
const market = `
  - id: market
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
    outputs:
      nothing: "{{ sub response.0.lastPrice response.0.lastPrice }}"
      name: "x {{ response.0.lastPrice }}"`;
const late = (body: string): string => `
  - id: late
${body}`;

const unset: Life = {
  programs: true,
  secret: (name) => {
    throw new ConfigError(`the secret ${name} is not set; nothing was sent`);
  },
};

/** Errors that are found only when the step starts, after a valid plan. */
const invalid: readonly (readonly [what: string, body: string, life?: Life])[] = [
  [
    'a secret',
    '    uses: notify/webhook\n    with: { url: "{{ secrets.HOOK }}", text: done }',
    unset,
  ],
  ['a program', '    uses: shell/run\n    with: { command: [node, -v] }'],
  [
    'an input of an operation',
    '    uses: futures/set-all-leverage\n    with: { productType: USDT-FUTURES, leverage: "{{ steps.market.outputs.nothing }}" }',
  ],
  [
    'an account',
    '    account: elsewhere\n    uses: market/list-tickers\n    with: { category: SPOT }',
  ],
];

const ended = async (harness: Harness, steps: string, life?: Life): Promise<number> => {
  const playbook = playbookFrom(`playbook: 1\nname: p\nsteps:${steps}\n`);
  return (await live(harness, playbook, life)).exit;
};

describe('an input found invalid during a run', () => {
  test.each(invalid.map(([what, body, life]) => ({ what, body, life })))(
    '$what: exit 1 after an order, 3 before',
    async ({ body, life }) => {
      expect(await ended(await openHarness(), market + late(body), life)).toBe(3);
      expect(await ended(await openHarness(), order + market + late(body), life)).toBe(1);
      const instead = `${order}
  - id: fails
    uses: market/list-tickers
    with: { category: SPOT }
    expect: [{ that: "{{ gt (length response) 1000 }}" }]`;
      if (body.includes('steps.market')) return;
      for (const list of ['on-failure', 'finally']) {
        const text = `${instead}\n${list}:${late(body)}`;
        expect([list, await ended(await openHarness(), text, life)]).toEqual([list, 1]);
      }
    },
  );
});

describe('a started run that cannot be resumed or resolved', () => {
  const wrong = new ConfigError('unknown profile "main"; nothing was sent');
  const exitOf = (error: unknown): unknown => Reflect.get(Object(error), 'exit');

  test('exits with 6 if a write has no outcome, 1 after a write or if another machine may have sent it, else 3', async () => {
    const playbook = playbookFrom(`playbook: 1\nname: p\nsteps:${market}${order}\n`);
    const harness = await openHarness();
    await live(harness, playbook);
    const all = entriesOf(harness);
    const placed = all.findIndex(({ kind }) => kind === 'intended');
    const opened = all.slice(0, placed); // another machine may have sent since
    const before = all.slice(
      0,
      all.findIndex((entry) => entry.kind === 'opened' && entry.writes !== undefined),
    );
    const after = all.slice(0, placed + 1);
    expect(
      [before, opened, after, all, undefined].map((known) => exitOf(errorOfBegun(wrong, known))),
    ).toEqual([3, 1, 6, 1, 1]);
    expect(errorOfBegun(wrong, all)).toMatchObject({ message: 'unknown profile "main"' });
  });
});

test('a scheduler that ran one playbook and skipped an invalid one exits with 1', () => {
  const left = { status: 'not-begun', exit: 3 } as const;
  const done = { status: 'done', exit: 0, run: 'r-a' } as const;
  expect(gravestExit([left])).toBe(3);
  expect(gravestExit([left, { ...done, status: 'stopped', exit: 3 }])).toBe(3);
  expect(gravestExit([done, left])).toBe(1);
  expect(gravestExit([done, left, { ...done, status: 'doubt', exit: 6 }])).toBe(6);
});
