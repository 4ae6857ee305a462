/** The built client and runner against an independent exchange: nothing is ever resent blindly. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { standingClock } from '../../../src/base/clock.ts';
import { seededRandom } from '../../../src/base/random.ts';
import { Secret } from '../../../src/base/secret.ts';
import { createClient } from '../../../src/exchange/client/client.ts';
import { httpTransport } from '../../../src/exchange/client/transports/http.ts';
import type { OnDoubt } from '../../../src/engine/effects/effect-context.ts';
import { memoryJournal } from '../../../src/engine/runtime/memory.ts';
import { run } from '../../../src/engine/runtime/run.ts';
import type { Entry } from '../../../src/engine/journal/entry.ts';
import { replay } from '../../../src/engine/journal/replay.ts';
import { documentRenderer } from '../../../src/report/renderer.ts';
import type { RunResult } from '../../../src/engine/interpreter/interpret.ts';
import { playbookFrom } from '../../support/harness.ts';
import { listedOn } from '../../support/listed.ts';
import { keys, startReferee, type Fate, type Referee } from '../../support/referee.ts';

const playbook = playbookFrom(`
playbook: 1
name: checked
steps:
  - id: ladder
    for-each: ["40000", "39990", "39980"]
    on-error: continue
    uses: futures/place-order
    with: { symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT,
      side: buy, tradeSide: open, orderType: limit, price: "{{ each.value }}", size: "0.001" }
`);

const open: Referee[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((referee) => referee.close()));
});

async function judged(
  fateOf: (nth: number) => Fate,
  { onDoubt = 'resend', isBlind = false }: { onDoubt?: OnDoubt; isBlind?: boolean } = {},
): Promise<{ referee: Referee; entries: readonly Entry[]; result: RunResult }> {
  const clock = standingClock(Date.UTC(2026, 10, 20, 4));
  const server = standingClock(Date.UTC(2026, 10, 20, 9)); // this machine is five hours behind
  const shown = (): number => server.now() + clock.monotonic();
  const referee = await startReferee(shown, fateOf, isBlind);
  open.push(referee);
  const wire = httpTransport({ baseUrl: referee.baseUrl });
  const entries: Entry[] = [];
  const never = new AbortController().signal;
  const exchange = createClient({
    transport: wire.transport,
    clock,
    random: seededRandom(5),
    credentials: {
      apiKey: new Secret(keys.apiKey),
      secretKey: new Secret(keys.secretKey),
      passphrase: new Secret(keys.passphrase),
    },
  });
  const time = await exchange.serverTime();
  const destination = { profile: 'main', target: 'live', host: 'referee' } as const;
  const result = await run({
    playbook,
    inputs: {},
    runId: 'r-judged',
    account: { destination, exchange, onDoubt },
    visibilities: listedOn(destination),
    journal: memoryJournal(clock, entries),
    earlier: [],
    ledger: new Map(),
    clock,
    time,
    accounts: [],
    guards: {},
    origin: { program: 'referee' },
    world: {
      workspace: mkdtempSync(join(tmpdir(), 'referee-')),
      documents: documentRenderer('referee'),
      secret: (name) => name,
    },
    drain: never,
    halt: never,
    onEntry: () => undefined,
  });
  await wire.close();
  return { referee, entries, result };
}

const fates: readonly Fate[] = [
  'placed',
  'placed, cut',
  'placed, half an answer',
  'placed, 502',
  'placed, a page',
  'placed, an unclear code',
  'placed, another clientOid',
  'lost, cut',
  'lost, 500',
  'lost, 408',
  'late, cut',
  'too many',
  'bad time',
];

describe('with a referee that checks everything itself', () => {
  test.each(fates)('an order with the fate "%s" exists once', async (fate) => {
    const { referee, entries, result } = await judged((nth) => (nth === 1 ? fate : 'placed'));
    expect(referee.fouls).toEqual([]);
    expect([...referee.executed.values()]).toEqual([1, 1, 1]);
    expect(result.status).toBe('done');
    expect([...replay(entries).values()].map(({ outcome }) => outcome?.kind)).toEqual([
      'done',
      'done',
      'done',
    ]);
  });

  test('it is sent again only if it was lost, and every attempt is recorded', async () => {
    const lost = await judged((nth) => (nth <= 2 ? 'lost, cut' : 'placed'));
    expect(lost.referee.fouls).toEqual([]);
    expect([...lost.referee.sent.values()]).toEqual([3, 1, 1]);
    const intents = lost.entries.filter((entry) => entry.kind === 'intended');
    expect(intents.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 1, 1]);
    const cut = await judged(() => 'placed, cut');
    expect([...cut.referee.sent.values()]).toEqual([1, 1, 1]);
  });

  test.each([7, 21, 99, 1234])(
    'with random fates (seed %i) there is no violation',
    async (seed) => {
      const random = seededRandom(seed);
      const { referee } = await judged(() => fates[random.integer(fates.length)] ?? 'placed');
      expect(referee.fouls).toEqual([]);
      expect([...referee.executed.values()].filter((times) => times > 1)).toEqual([]);
    },
  );

  test('with on-doubt: ask nothing is sent twice, whatever is lost', async () => {
    const { referee, result } = await judged(() => 'lost, cut', { onDoubt: 'ask' });
    expect(referee.fouls).toEqual([]);
    expect([...referee.sent.values()]).toEqual([1]);
    expect([result.status, result.exit]).toEqual(['doubt', 6]);
  });

  test('if the lists cannot be read nothing is sent twice', async () => {
    const { referee, result } = await judged(() => 'placed, cut', { isBlind: true });
    expect(referee.fouls).toEqual([]);
    expect([...referee.sent.values()]).toEqual([1]);
    expect([result.status, result.exit]).toEqual(['doubt', 6]);
  });

  test('a refusal is accepted without a lookup', async () => {
    const { referee, entries } = await judged((nth) => (nth === 1 ? 'refused' : 'placed'));
    expect([...referee.sent.values()]).toEqual([1, 1, 1]);
    expect(replay(entries).get('ladder[40000]')?.outcome?.kind).toBe('refused');
  });
});
