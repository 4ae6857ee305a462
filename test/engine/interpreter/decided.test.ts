/** Failures that a run continued after are final: no resume places an order after its fallback. */
import { describe, expect, test } from 'vitest';
import { TransportError, type Transport } from '../../../src/exchange/api/exchange.ts';
import { NoticeError } from '../../../src/engine/effects/delivery.ts';
import { playAgain } from '../../../src/engine/runtime/playback.ts';
import type { Entry } from '../../../src/engine/journal/entry.ts';
import type { GuardRules } from '../../../src/language/limits.ts';
import { takenOver } from '../../../src/engine/journal/possible.ts';
import { emptyJournal, journalOver } from '../../../src/engine/journal/journal.ts';
import {
  entriesOf,
  live,
  openHarness,
  playbookFrom,
  type CrashPoint,
  type Harness,
  type Life,
} from '../../support/harness.ts';
import { limitOrder } from '../../support/order.ts';

type Others = Readonly<Record<string, string>>;

const order = (id: string, price: string, more = ''): string => `
  - id: ${id}
    uses: futures/place-order${more}
    outputs: { id: "{{ response.orderId }}" }
    with:${limitOrder({ price })}`;

const goesOn = '\n    on-error: continue';
const instead = (of: string): string =>
  `\n    if: "{{ eq (default steps.${of}.outputs.id '') '' }}"`;

const whole = (text: string, others: Others = {}) =>
  playbookFrom(`playbook: 1\nname: decided\n${text}\n`, others);

/** Prices of our orders on the exchange. */
function placed(harness: Harness): number[] {
  const { uid } = harness.sandbox.accounts.hedge;
  const { open, closed } = Object(harness.sandbox.control('GET', 'orders', { uid }));
  return [...open, ...closed]
    .filter(({ clientOid }) => clientOid.startsWith('dh'))
    .map(({ price }) => Number(price))
    .sort((a, b) => a - b);
}

const refused = (harness: Harness) => ({
  status: 400,
  headers: {},
  body: Buffer.from(
    JSON.stringify({ code: '40762', msg: 'balance', requestTime: harness.clock.now(), data: null }),
  ),
});

/** Refuses every order with this price. */
const refusing =
  (harness: Harness, price: string): NonNullable<Life['wrap']> =>
  (transport) =>
  async (request, signal) =>
    request.operation === 'futures/place-order' && request.body.includes(`"price":"${price}"`)
      ? refused(harness)
      : transport(request, signal);

const lost =
  (operation: string, sent: 'no' | 'maybe' = 'no') =>
  (transport: Transport): Transport =>
  async (request, signal) => {
    if (request.operation === operation) throw new TransportError('no route', sent);
    return transport(request, signal);
  };

async function again(harness: Harness, text: string, others: Others = {}): Promise<unknown> {
  const { clock } = harness;
  return playAgain({
    playbook: whole(text, others),
    inputs: {},
    entries: entriesOf(harness),
    clock,
  });
}

const outcomeAt = (harness: Harness, address: string) =>
  entriesOf(harness).findLast(
    (entry): entry is Extract<Entry, { kind: 'settled' }> =>
      entry.kind === 'settled' && entry.address === address,
  )?.outcome;

interface Case {
  readonly text: string;
  readonly others?: Others;
  /** Faults until the first crash or the first end. */
  readonly trouble: (harness: Harness) => NonNullable<Life['wrap']>;
  /** Limits of the first process. */
  readonly guards?: GuardRules;
  /** Orders that may exist at the end. */
  readonly ends: readonly (readonly number[])[];
}

const main = order('main', '41000', goesOn);
const fallback = order('fallback', '39000', instead('main'));
const child = `playbook: 1
name: child
steps:${order('first', '40500')}${order('main', '41000')}
`;

const cases: Readonly<Record<string, Case>> = {
  'an order that was refused': {
    text: `steps:${main}${fallback}`,
    trouble: (harness) => refusing(harness, '41000'),
    ends: [[41000], [39000]],
  },
  'an order with steps around it, side by side': {
    text: `parallel: 3\nsteps:${order('main', '41000', `${goesOn}\n    needs: []`)}${order(
      'fallback',
      '39000',
      `${instead('main')}\n    needs: [main]`,
    ).replace('needs: [main]', 'needs: []')}`,
    trouble: (harness) => refusing(harness, '41000'),
    ends: [[41000], [39000]],
  },
  'a read that failed': {
    text: `steps:
  - id: look
    uses: market/list-tickers
    on-error: continue
    with: { category: SPOT }
    outputs: { n: "{{ length response }}" }${order('main', '41000', '\n    if: "{{ gt (default steps.look.outputs.n 0) 0 }}"')}${order('fallback', '39000', '\n    if: "{{ eq (default steps.look.outputs.n 0) 0 }}"')}`,
    trouble: () => lost('market/list-tickers'),
    ends: [[41000], [39000]],
  },
  'a poll that ended': {
    text: `steps:
  - id: look
    uses: market/list-tickers
    on-error: continue
    with: { category: SPOT }
    until: "{{ gt (length response) 2 }}"
    poll: { every: 1s, for: 3s }
    outputs: { n: "{{ length response }}" }${order('main', '41000', '\n    if: "{{ gt (default steps.look.outputs.n 0) 0 }}"')}${order('fallback', '39000', '\n    if: "{{ eq (default steps.look.outputs.n 0) 0 }}"')}`,
    trouble: () => (transport) => async (request, signal) => {
      const answer = await transport(request, signal);
      if (request.operation !== 'market/list-tickers') return answer;
      const none = { ...JSON.parse(Buffer.from(answer.body).toString()), data: [] };
      return { ...answer, body: Buffer.from(JSON.stringify(none)) };
    },
    ends: [[41000], [39000]],
  },
  'items of a for-each': {
    text: `steps:
  - id: main
    for-each: ["41000", "41001"]
    on-error: partial
    uses: futures/place-order
    outputs: { id: "{{ response.orderId }}" }
    with:${limitOrder({ price: '{{ each.value }}' })}${order('fallback', '39000', `\n    if: "{{ lt (length (pluck steps.main.outputs 'id')) 2 }}"`)}`,
    trouble: (harness) => refusing(harness, '41000'),
    ends: [
      [41000, 41001],
      [39000, 41001],
    ],
  },
  'a nested playbook': {
    text: `steps:
  - { id: child, uses: ./child.yaml, with: {}, on-error: continue }${order('fallback', '39000', "\n    needs: []\n    if: \"{{ eq (default steps.child.outputs.id '') '' }}\"").replace('\n    needs: []', '')}`,
    others: { 'child.yaml': `${child}outputs: { id: "{{ steps.main.outputs.id }}" }\n` },
    trouble: (harness) => refusing(harness, '41000'),
    ends: [
      [40500, 41000],
      [39000, 40500],
    ],
  },
  'the other way within a nested playbook': {
    text: `steps:
  - { id: child, uses: ./child.yaml, with: {} }${order('last', '38000')}`,
    others: { 'child.yaml': `playbook: 1\nname: child\nsteps:${main}${fallback}\n` },
    trouble: (harness) => refusing(harness, '41000'),
    ends: [[38000, 41000], [39000]],
  },
  'on-failure': {
    text: `steps:${order('main', '41000')}${order('last', '38000')}\non-failure:${order('fallback', '39000')}`,
    trouble: (harness) => refusing(harness, '41000'),
    ends: [[38000, 41000], [39000]],
  },
  finally: {
    text: `steps:${order('main', '41000')}${order('last', '38000')}\nfinally:${order('undo', '39000', instead('main'))}`,
    trouble: (harness) => refusing(harness, '41000'),
    ends: [[38000, 41000], [39000]],
  },
  'on-failure of a nested playbook': {
    text: `steps:
  - { id: child, uses: ./child.yaml, with: {} }${order('last', '38000')}`,
    others: {
      'child.yaml': `playbook: 1\nname: child\nsteps:${order('main', '41000')}\non-failure:${order('fallback', '39000')}\n`,
    },
    trouble: (harness) => refusing(harness, '41000'),
    ends: [[38000, 41000], [39000]],
  },
  'on-failure around a nested playbook': {
    text: `steps:
  - { id: child, uses: ./child.yaml, with: {} }${order('last', '38000')}\non-failure:${order('fallback', '39000')}`,
    others: { 'child.yaml': child },
    trouble: (harness) => refusing(harness, '41000'),
    ends: [
      [38000, 40500, 41000],
      [39000, 40500],
    ],
  },
  'on-failure that uses a playbook': {
    text: `steps:${order('main', '41000')}${order('last', '38000')}
on-failure:
  - { id: undo, uses: ./undo.yaml, with: {} }`,
    others: { 'undo.yaml': `playbook: 1\nname: undo\nsteps:${order('fallback', '39000')}\n` },
    trouble: (harness) => refusing(harness, '41000'),
    ends: [[38000, 41000], [39000]],
  },
  'an order that a guard blocked': {
    text: `steps:${main}${fallback}`,
    trouble: () => (transport) => transport,
    guards: { maxOrderNotional: '40' },
    ends: [[41000], [39000]],
  },
  'on-failure after a failed read': {
    text: `steps:
  - { id: look, uses: market/list-tickers, with: { category: SPOT } }${order('main', '41000')}\non-failure:${order('fallback', '39000')}`,
    trouble: () => lost('market/list-tickers'),
    ends: [[41000], [39000]],
  },
};

async function pointsOf({ text, others, trouble, guards }: Case): Promise<readonly CrashPoint[]> {
  const harness = await openHarness();
  await live(harness, whole(text, others), { wrap: trouble(harness), ...(guards && { guards }) });
  return (['journal', 'request'] as const).flatMap((at) =>
    Array.from({ length: harness.counts[at] }, (_, index) => index + 1).flatMap((nth) =>
      (['before', 'after'] as const).map((when) => ({ at, nth, when })),
    ),
  );
}

/** Runs the first process until it crashes or ends. @returns whether it crashed */
async function lived(harness: Harness, life: Life, { text, others }: Case): Promise<void> {
  await live(harness, whole(text, others), life).catch((error: unknown) => {
    if (life.death === undefined) throw error;
  });
}

describe('whenever a run crashes, an order and its fallback never both exist', () => {
  test.each(Object.keys(cases))(
    '%s',
    async (name) => {
      const it = cases[name];
      if (it === undefined) throw new Error(name);
      const seen = new Set<string>();
      for (const death of [undefined, ...(await pointsOf(it))]) {
        const harness = await openHarness();
        const what = JSON.stringify(death);
        const { guards } = it;
        const life = {
          wrap: it.trouble(harness),
          ...(guards && { guards }),
          ...(death && { death }),
        };
        await lived(harness, life, it);
        for (let lives = 0; lives < 2; lives++) {
          await lived(harness, {}, it);
          expect(it.ends, what).toContainEqual(placed(harness));
          expect(await again(harness, it.text, it.others), what).toEqual([]);
        }
        seen.add(JSON.stringify(placed(harness)));
      }
      expect([...seen].sort()).toEqual(it.ends.map((end) => JSON.stringify(end)).sort());
    },
    120_000,
  );
});

test('a run that crashed after its finally sent something ends as done', async () => {
  const text = `steps:${order('main', '41000')}${order('last', '38000')}\nfinally:${order('a', '39000')}${order('b', '39001')}`;
  const points = await pointsOf({ text, trouble: () => (transport) => transport, ends: [] });
  for (const death of points) {
    const harness = await openHarness();
    await lived(harness, { death }, { text, trouble: () => (transport) => transport, ends: [] });
    const { status } = await live(harness, whole(text));
    expect([status, placed(harness)], JSON.stringify(death)).toEqual([
      'done',
      [38000, 39000, 39001, 41000],
    ]);
    expect(await again(harness, text), JSON.stringify(death)).toEqual([]);
  }
});

describe('a failed step after which no other was started', () => {
  test('is retried with every failed item', async () => {
    const text = cases['items of a for-each']?.text.replace(/\n {2}- id: fallback[^]*/, '') ?? '';
    const report =
      '\nfinally:\n  - { id: look, uses: market/list-tickers, with: { category: SPOT } }';
    const harness = await openHarness();
    const first = await live(harness, whole(text + report), { wrap: refusing(harness, '41000') });
    expect([first.status, placed(harness)]).toEqual(['stopped', [41001]]);
    expect((await live(harness, whole(text + report))).status).toBe('done');
    expect(placed(harness)).toEqual([41000, 41001]);
    expect(await again(harness, text + report)).toEqual([]);
  });

  test('is retried after on-failure sent a notification, even if the error text differs', async () => {
    const text = `steps:${order('main', '41000')}
on-failure:
  - id: tell
    uses: notify/webhook
    with: { url: "{{ secrets.HOOK }}", text: "{{ failure.message }}" }`;
    const harness = await openHarness();
    const notices: string[] = [];
    let isDown = true;
    const notify: Life['notify'] = async (_address, notice) => {
      if (isDown) throw new TransportError('no route', 'no');
      notices.push(JSON.stringify(notice));
    };
    const failing = { secret: () => 'https://hook.example', notify: down(notify) };
    await live(harness, whole(text), { wrap: refusing(harness, '41000'), ...failing });
    isDown = false;
    await live(harness, whole(text), { wrap: lost('futures/place-order'), ...failing });
    expect(notices).toHaveLength(1);
    expect((await live(harness, whole(text), failing)).status).toBe('done');
    expect(placed(harness)).toEqual([41000]);
  });
});

/** A response that cannot be delivered is our error, not a transport error. */
function down(notify: NonNullable<Life['notify']>): NonNullable<Life['notify']> {
  return async (...given) => {
    try {
      await notify(...given);
    } catch {
      throw new NoticeError('nobody listens');
    }
  };
}

test('a final failure is not a doubt for the machine that takes the run over', async () => {
  const { text, trouble } = cases['an order that was refused'] ?? {
    text: '',
    trouble: () => lost(''),
  };
  const harness = await openHarness();
  await live(harness, whole(text), { wrap: trouble(harness) });
  await live(harness, whole(text));
  const now = harness.clock.now();
  const events = takenOver(entriesOf(harness), { host: 'gone', since: now, until: now });
  expect(events.map(({ kind }) => kind)).toEqual(['taken-over']);
});

describe('a doubt that on-failure handled', () => {
  const text = `steps:${order('main', '41000')}${order('last', '38000')}\non-failure:${order('fallback', '39000')}`;
  /** The order's response and every lookup in the lists are lost. */
  const blind =
    (reaches: boolean): NonNullable<Life['wrap']> =>
    (transport) =>
    async (request, signal) => {
      if (request.operation === 'order/list-open') throw new TransportError('no route', 'no');
      const isMain = request.body.includes('"price":"41000"');
      if (request.operation !== 'futures/place-order' || !isMain) return transport(request, signal);
      if (reaches) await transport(request, signal);
      throw new TransportError('reset', 'maybe');
    };

  test.each([
    ['found', true, [39000, 41000]],
    ['not there', false, [39000]],
  ])('is settled when it is %s, and nothing else is sent', async (_name, reaches, there) => {
    const harness = await openHarness();
    const first = await live(harness, whole(text), { wrap: blind(reaches) });
    expect([first.status, placed(harness)]).toEqual(['doubt', there]);
    for (let lives = 0; lives < 2; lives++) {
      const { status, exit } = await live(harness, whole(text));
      expect([status, exit, placed(harness)]).toEqual(['stopped', 1, there]);
      expect(await again(harness, text)).toEqual([]);
    }
    expect(outcomeAt(harness, 'main')).toMatchObject(
      reaches ? { kind: 'done', evidence: 'looked-up' } : { kind: 'failed', code: 'decided' },
    );
  });

  test('stays a doubt under on-doubt: ask, for a person', async () => {
    const harness = await openHarness();
    await live(harness, whole(text), { wrap: blind(false), onDoubt: 'ask' });
    const { status, exit } = await live(harness, whole(text), { onDoubt: 'ask' });
    expect([status, exit, placed(harness)]).toEqual(['doubt', 6, [39000]]);
  });

  test('in a nested playbook is settled, and none of its steps is started', async () => {
    const outer = `steps:
  - { id: child, uses: ./child.yaml, with: {} }${order('end', '37000')}\non-failure:${order('fallback', '39000')}`;
    const others = {
      'child.yaml': `playbook: 1\nname: child\nsteps:${order('main', '41000')}${order('last', '38000')}\n`,
    };
    const harness = await openHarness();
    const first = await live(harness, whole(outer, others), { wrap: blind(true) });
    expect([first.status, placed(harness)]).toEqual(['doubt', [39000, 41000]]);
    for (let lives = 0; lives < 2; lives++) {
      const { status, exit } = await live(harness, whole(outer, others));
      expect([status, exit, placed(harness)]).toEqual(['stopped', 1, [39000, 41000]]);
      expect(await again(harness, outer, others)).toEqual([]);
    }
  });
});

test('a record of an older version, without the result of a failed read, is also final', async () => {
  const { text, trouble } = cases['a read that failed'] ?? { text: '', trouble: () => lost('') };
  const harness = await openHarness();
  await live(harness, whole(text), { wrap: trouble(harness) });
  const entries = entriesOf(harness).filter(
    (entry) => entry.kind !== 'settled' || entry.outcome.kind !== 'failed',
  );
  expect(entries.length).toBe(entriesOf(harness).length - 1);
  await rewrite(harness, entries.slice(0, -1)); // it crashed at its end
  const { status } = await live(harness, whole(text));
  expect([status, placed(harness)]).toEqual(['stopped', [39000]]);
  expect(await again(harness, text)).toEqual([]);
});

/** Replaces the journal's entries. */
async function rewrite(harness: Harness, entries: readonly Entry[]): Promise<void> {
  harness.disk = '';
  const file = {
    write: async (text: string) => {
      harness.disk += text;
    },
    sync: async () => undefined,
    close: async () => undefined,
  };
  const journal = journalOver(file, harness.clock, emptyJournal);
  for (const { seq: _seq, at: _at, ...event } of entries) await journal.append(event);
}
