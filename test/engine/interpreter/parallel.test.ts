/** Independent steps: how many run at once, in which order, and after a failure. */
import { expect, test } from 'vitest';
import type { Transport } from '../../../src/exchange/api/exchange.ts';
import { replay } from '../../../src/engine/journal/replay.ts';
import { entriesOf, live, openHarness, playbookFrom } from '../../support/harness.ts';

const read = (id: string, more = ''): string => `
  - id: ${id}
    uses: margin/get-interest-rate
    with: { coin: USDT }
${more}`;
const playbook = (parallel: number, steps: string): ReturnType<typeof playbookFrom> =>
  playbookFrom(`playbook: 1\nname: wide\nparallel: ${parallel}\nsteps:${steps}`);

/** Counts how many requests are in progress at once. */
function counting(): { most: () => number; wrap: (transport: Transport) => Transport } {
  let now = 0;
  let most = 0;
  return {
    most: () => most,
    wrap: (transport) => async (request, signal) => {
      most = Math.max(most, ++now);
      await new Promise(setImmediate);
      try {
        return await transport(request, signal);
      } finally {
        now -= 1;
      }
    },
  };
}

const fan = [
  read('a'),
  ...['b', 'c', 'd', 'e'].map((id) => read(id, '    needs: [a]\n')),
  read('last', '    needs: [b, c, d, e]\n'),
].join('');

async function orderOf(parallel: number): Promise<{ opened: string[]; most: number }> {
  const harness = await openHarness();
  const count = counting();
  expect((await live(harness, playbook(parallel, fan), { wrap: count.wrap })).status).toBe('done');
  const opened = entriesOf(harness).flatMap((entry) =>
    entry.kind === 'opened' ? [entry.step] : [],
  );
  return { opened, most: count.most() };
}

test('as many steps run at once as allowed, each after what it needs', async () => {
  const wide = await orderOf(3);
  expect(wide.most).toBe(3);
  expect(wide.opened.at(0)).toBe('a');
  expect(wide.opened.at(-1)).toBe('last');
  expect(await orderOf(1)).toEqual({ opened: ['a', 'b', 'c', 'd', 'e', 'last'], most: 1 });
});

test('a step without needs waits for all earlier steps; a step that reads another waits for that', async () => {
  const harness = await openHarness();
  const steps = [
    read('a'),
    read('b', '    needs: [a]\n'),
    read(
      'reader',
      '    needs: [a]\n    expect: [{ that: "{{ eq response.coin steps.b.response.coin }}" }]\n',
    ),
    read('plain'),
  ].join('');
  await live(harness, playbook(4, steps));
  const lines = entriesOf(harness).flatMap((entry) =>
    entry.kind === 'opened' || entry.kind === 'closed' ? [`${entry.kind} ${entry.step}`] : [],
  );
  expect(lines).toEqual([
    'opened a',
    'closed a',
    'opened b',
    'closed b',
    'opened reader',
    'closed reader',
    'opened plain',
    'closed plain',
  ]);
});

test('a step that needs a failed step is skipped, and so are those that need it', async () => {
  const harness = await openHarness();
  const bad = '    on-error: continue\n    expect: [{ that: "{{ eq response.coin \'BTC\' }}" }]\n';
  const steps = [
    read('a', bad),
    read('b', '    needs: [a]\n'),
    read('c', '    needs: [b]\n'),
    read('d', '    needs: []\n'),
  ].join('');
  await live(harness, playbook(1, steps));
  const closed = entriesOf(harness).flatMap((entry) =>
    entry.kind === 'closed' ? [`${entry.step} ${entry.status} ${entry.because ?? ''}`] : [],
  );
  expect(closed.slice(1)).toEqual([
    'b skipped it needs a, which failed',
    'c skipped it needs b, which was skipped',
    'd done ',
  ]);
});

test('every step of finally is tried, also after a failed one', async () => {
  const harness = await openHarness();
  const lastly =
    read('one', '    expect: [{ that: "{{ eq response.coin \'BTC\' }}" }]\n') + read('two');
  const text = `playbook: 1\nname: last\nsteps:${read('a')}\nfinally:${lastly}`;
  expect((await live(harness, playbookFrom(text))).status).toBe('stopped');
  expect(entriesOf(harness).some((entry) => entry.kind === 'opened' && entry.step === 'two')).toBe(
    true,
  );
});

test('after a failure no new step starts, and running steps are awaited', async () => {
  const harness = await openHarness();
  const steps = [
    read('a'),
    read('bad', '    needs: [a]\n    expect: [{ that: "{{ eq response.coin \'BTC\' }}" }]\n'),
    read('good', '    needs: [a]\n'),
    read('after', '    needs: [good]\n'),
  ].join('');
  const { status } = await live(harness, playbook(2, steps), { wrap: counting().wrap });
  expect(status).toBe('stopped');
  const closed = entriesOf(harness).flatMap((entry) =>
    entry.kind === 'closed' ? [`${entry.step} ${entry.status}`] : [],
  );
  expect(closed.toSorted()).toEqual(['a done', 'bad failed', 'good done']);
  expect(replay(entriesOf(harness)).has('after')).toBe(false);
});
