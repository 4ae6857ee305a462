/** A scene for forgers: a playbook with every kind of step, partly done, and a plan of the rest. */
import { day } from '../../src/base/clock.ts';
import { DeskhandError } from '../../src/base/error.ts';
import { canonicalJson, digestOf, isRecord, plainJson, type Json } from '../../src/base/json.ts';
import { accountOf as lockNameOf } from '../../src/engine/journal/account.ts';
import type { Destination } from '../../src/engine/journal/entry.ts';
import type { Reused } from '../../src/engine/journal/reused.ts';
import { ledgerOf } from '../../src/engine/journal/ledger.ts';
import { PastWrites } from '../../src/engine/journal/past-writes.ts';
import { listsName, type Visibilities } from '../../src/engine/journal/visibility.ts';
import type { Account } from '../../src/engine/plan/account.ts';
import { planIn } from '../../src/engine/plan/file.ts';
import { sealOf } from '../../src/engine/plan/seal.ts';
import type { LeftByRun } from '../../src/engine/journal/unfinished.ts';
import type { Plan } from '../../src/engine/plan/plan.ts';
import { planSchema } from '../../src/engine/plan/plan-schema.ts';
import { accountOf, clientOf, openHarness, playbookFrom, type Harness } from './harness.ts';
import { forgeriesOf, type Forgery } from './forgeries.ts';
import { limitOrder } from './order.ts';
import { fileOf, heldAgain, reviewedOn, runFile, type Reviewing } from './reviewed.ts';

const part = `playbook: 1
name: part
inputs: { price: { type: decimal } }
steps:
  - id: inner
    uses: futures/place-order
    with:${limitOrder({ price: '{{ inputs.price }}' })}
`;

const text = `playbook: 1
name: everything
inputs:
  rungs: { type: integer, default: 2 }
let: { last: "{{ add inputs.rungs 0 }}" }
guards: { max-writes: 20, max-notional: 50000, max-position: 500000, symbols: [BTCUSDT] }
steps:
  - id: taken
    for-each: [1, 2]
    uses: futures/place-order
    with:${limitOrder({ price: '30000.0' })}
  - id: halves
    for-each: [{ size: "0.001" }, { size: "0.002" }]
    if: "{{ eq each.value.size '0.001' }}"
    uses: futures/place-order
    with:${limitOrder({ price: '30001.0', size: '{{ each.value.size }}' })}
  - { id: sub, uses: account/create-sub, once-per: playbook, with: { username: alpha } }
  - id: market
    name: Where the market is
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
    outputs: { price: "{{ floorTo (mul response.0.lastPrice 0.9) 0.1 }}" }
  - id: resting
    account: oneway
    uses: order/list-open
    with: { category: USDT-FUTURES }
    outputs: { count: "{{ length response.list }}" }
  - id: kept
    uses: futures/place-order
    with:${limitOrder({ price: '41000.0' })}
      clientOid: kept-by-hand
  - id: again
    if: "{{ ne steps.kept.outputs.orderId 'none' }}"
    for-each: "{{ range 1 let.last }}"
    uses: futures/place-order
    with:${limitOrder({ price: '{{ sub steps.market.outputs.price each.value }}' })}
  - { id: lever, uses: futures/set-all-leverage, with: { productType: USDT-FUTURES, leverage: 5 } }
  - { id: never, if: "{{ eq steps.market.response.0.symbol 'X' }}", uses: futures/set-all-leverage, with: { productType: USDT-FUTURES, leverage: 9 } }
  - { id: part, uses: ./part.yaml, with: { price: "{{ steps.market.outputs.price }}" } }
  - id: rows
    uses: market/list-tickers
    with: { category: SPOT }
    write: { file: out/rows.csv, columns: { symbol: "{{ row.symbol }}" } }
  - id: daily
    uses: futures/list-bills
    with: { productType: USDT-FUTURES }
    write: { file: out/daily.csv, since: last }
  - { id: bills, uses: futures/list-bills, with: { productType: USDT-FUTURES } }
  - id: look
    uses: order/list-open
    with: { category: USDT-FUTURES }
  - id: follow
    for-each: "{{ pluck steps.look.response.list 'clientOid' }}"
    if: "{{ eq each.value 'nobody' }}"
    uses: futures/place-order
    with:${limitOrder({ price: '40000.0' })}
finally:
  - { id: last, uses: futures/set-all-leverage, with: { productType: USDT-FUTURES, leverage: 3 } }
`;

const playbook = playbookFrom(text, { 'part.yaml': part });
/** A change of these may pass, and decides nothing: each has its reason in src/engine/plan/unlike.ts. */
const withoutEffect: ReadonlySet<string> = new Set([
  'accounts.*.accountId',
  'accounts.*.host',
  'accounts.*.keyFingerprint',
  'authors',
  'authors.*',
  'commit',
  'doubts',
  'destination.host',
  'expiresAt',
  'guards.*.used',
  'notes',
  'openOrders',
  'orphans',
  'notes.*',
  'quotes.*.places.price',
  'quotes.*.places.size',
  'seal', // only left out, as in a plan of an earlier version; a test has its other changes
  'steps.*.actions.*.change',
  'steps.*.actions.*.change.failed',
  'steps.*.actions.*.change.range',
  'steps.*.actions.*.change.range.*',
  'steps.*.actions.*.change.range.from',
  'steps.*.actions.*.change.range.to',
  'steps.*.actions.*.change.requests',
  'steps.*.actions.*.change.rows',
  'steps.*.actions.*.confidence.run',
  'steps.*.actions.*.position',
  'steps.*.actions.*.position.*',
  'steps.*.actions.*.position.long',
  'steps.*.actions.*.position.short',
  'steps.*.actions.*.position.unread',
  'totals.openOrdersAfter',
  'totals.requests',
  'totals.seconds',
  'unfinished',
  'unlisted',
  'unlisted.*',
]);

/** Whether a plan with this field changed may run as the honest one does. */
export function mayPass(field: string): boolean {
  return (
    withoutEffect.has(field) ||
    /^(?:orphans|openOrders|unfinished|doubts|steps\.\*\.actions\.\*\.change\.(?:was|continues))(?:\.|$)/.test(
      field,
    )
  );
}

/** A world in which some of the playbook is done already, and an honest plan of the rest. */
export interface Scene {
  readonly harness: Harness;
  readonly how: Reviewing;
  readonly plan: Plan;
  /** What people are shown when the honest plan is run. */
  readonly honest: string;
  readonly isLive: boolean;
}

/** What an earlier run of the playbook did. */
const earlier = playbookFrom(`playbook: 1
name: everything
steps:
  - { id: sub, uses: account/create-sub, once-per: playbook, with: { username: alpha } }
  - id: kept
    uses: futures/place-order
    with:${limitOrder({ price: '41000.0' })}
      clientOid: kept-by-hand
  - { id: gone, account: oneway, uses: futures/place-order, once-per: playbook, with: { symbol: ETHUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT, side: buy, orderType: limit, price: 1000, size: 0.1 } }
`);

/** @param isLive nothing tells trading rules that orders are checked against */
export async function forgersScene(isLive: boolean): Promise<Scene> {
  const { harness, how } = await worldOf(isLive);
  const plan = await reviewedOn(harness, playbook, how);
  const honest = shown((await heldAgain(harness, plan, playbook, how)).plan);
  return { harness, how, plan, honest, isLive };
}

async function worldOf(isLive: boolean): Promise<Pick<Scene, 'harness' | 'how'>> {
  const harness = await openHarness();
  const accounts = [named(accountOf(harness, 'oneway'))];
  const before = await reviewedOn(harness, earlier, { accounts });
  const { entries } = await runFile(harness, fileOf(before), earlier, { accounts });
  const records = [{ run: 'r-earlier', entries }];
  const how: Reviewing = {
    accounts,
    placed: (now) =>
      new PastWrites(records).of({
        as: now,
        playbook: earlier.name,
        standingOf: ({ profile }) => (profile === now.profile ? 'same' : 'other'),
      }),
    ledger: ledgerOf('r-earlier', entries),
    here: {
      secret: (name) => name,
      hasProgram: () => true,
      continuationOf: async ({ now }) => {
        const from = now - day;
        return { start: from - day, from, gaps: [{ from: from - day, to: from - 1 }] };
      },
    },
    origin: { authors: ['ann@desk.example'], commit: 'c'.repeat(40) },
    unfinished: () => [leftBefore],
    doubts: async () => [{ ...leftBefore, playbook: 'another' }],
    reused,
    news: ({ profile }) => [`the key of ${profile} is new`],
    ...(isLive && { hasTerms: false, learned: async (all) => unlistedIn(all) }),
  };
  return { harness, how };
}

/** What another run of the playbook did, as its journal has it. */
const reused: Reused = {
  run: 'r-before',
  from: ['sub', 'halves[1]'],
  had: ['halves[1]'],
  journal: 'a'.repeat(64),
  steps: [
    {
      id: 'taken',
      run: 'r-first',
      status: 'done',
      because: 'as it was',
      results: [
        {
          key: '1',
          status: 'done',
          response: {},
          outputs: {},
          file: 'a.csv',
          rows: 1,
          files: ['a.csv'],
          manifest: { rows: 1 },
        },
        { key: '2', status: 'skipped', response: null, outputs: null },
      ],
      writes: [{ address: 'taken[1]', operation: 'futures/place-order', account: 'main' }],
      files: [{ file: 'a.csv', sha256: 'b'.repeat(64), rows: 1 }],
    },
  ],
  items: [
    {
      step: 'halves',
      key: '0',
      run: 'r-first',
      response: { orderId: '1' },
      value: digestOf({ size: '0.001' }),
      input: { symbol: 'BTCUSDT' },
      writes: [{ address: 'halves[0]', operation: 'futures/place-order', account: 'main' }],
      files: [{ file: 'b.csv', sha256: 'c'.repeat(64), rows: 1 }],
    },
  ],
  abandoned: [{ address: 'sub', operation: 'account/create-sub', account: 'main' }],
  again: [{ address: 'sub', operation: 'account/create-sub', account: 'main' }],
};

/** An order in doubt that an earlier run left. */
const leftBefore: LeftByRun = {
  run: 'r-left',
  playbook: 'everything',
  file: 'everything.yaml',
  startedAt: 0,
  writes: [
    {
      address: 'new',
      operation: 'futures/place-order',
      input: { symbol: 'BTCUSDT' },
      accounts: [{ profile: 'main', target: 'sandbox', host: 'here' }],
      isInDoubt: true,
      isLasting: false,
      signedAt: 0,
      at: 0,
    },
  ],
  isOver: false,
  sent: 0,
};

/** With an account-id neither key nor address says which account it is. */
function named(account: Account): Account {
  return { ...account, destination: { ...account.destination, accountId: 'one' } };
}

function unlistedIn(accounts: readonly Destination[]): Visibilities {
  const order = { run: 'r-earlier', address: 'kept', clientOid: 'kept-by-hand' };
  const line = 'USDT-FUTURES';
  return new Map(
    accounts.map((each) => {
      const [account, { profile }] = [lockNameOf(each), each];
      const entry = { account, line, profile, orders: 'unlisted', order, time: 0 } as const;
      return [listsName(account, line), entry];
    }),
  );
}

/** Seal and digest of a forged paper, as its forger computes them. */
function resealed(paper: Json, isSealKept: boolean): Json {
  if (!isRecord(paper)) return paper;
  const { id: _id, seal, digest: _digest, ...content } = paper;
  const rest =
    isSealKept && seal === undefined
      ? content
      : { ...content, seal: isSealKept ? seal : sealOf(content) };
  const digest = digestOf(rest);
  return plainJson({ ...rest, id: `p-${digest.slice(0, 8)}`, digest });
}

export function forged(plan: Plan, { field, apply }: Forgery): Json {
  const honest = plainJson(plan);
  const paper = apply(honest);
  return field === 'id' || field === 'digest' ? paper : resealed(paper, /^seal\b/.test(field));
}

/** Everything that people see of a plan, without what is of its file, or of whoever runs it. */
function shown(plan: Plan): string {
  const {
    authors: _a,
    commit: _c,
    notes: _n,
    id: _i,
    seal: _s,
    digest: _d,
    expiresAt: _e,
    quotes,
    ...rest
  } = plan;
  const prices = Object.entries(quotes).map(([symbol, { places: _p, ...price }]) => [
    symbol,
    price,
  ]);
  return canonicalJson([rest, prices]);
}

export type Outcome = 'refused' | 'without effect' | `wrong: ${string}`;

/** What comes of a forged plan before anything is sent. */
export async function outcomeOf(paper: Json, scene: Scene): Promise<Outcome> {
  const { harness, how, plan, honest } = scene;
  if (canonicalJson(paper) === canonicalJson(plan)) return 'without effect';
  try {
    const read = planIn(fileOf(paper), 'plan.json');
    const again = shown((await heldAgain(harness, read, playbook, how)).plan);
    return again === honest ? 'without effect' : `wrong: it shows ${again}`;
  } catch (error) {
    if (error instanceof DeskhandError && [3, 5].includes(error.exit)) return 'refused';
    throw error;
  }
}

/** Every forgery of the scene's plan. */
export function allForgeries({ plan }: Scene): readonly Forgery[] {
  return forgeriesOf(plainJson(plan), planSchema.json);
}

/** What a plan's run adds to the exchange's own books, in a world where nothing else happened. */
export async function placedBy(paper: Json, { isLive }: Scene): Promise<readonly string[]> {
  const { harness, how } = await worldOf(isLive);
  const before = new Set(await booksOf(harness));
  await runFile(harness, fileOf(paper), playbook, how);
  return (await booksOf(harness)).filter((order) => !before.has(order)).toSorted();
}

/** Every order the exchange has: its id, clientOid, symbol, side, price and size. */
export async function booksOf(harness: Harness): Promise<readonly string[]> {
  const orders = new Map<string, string>();
  for (const name of ['order/list-open', 'order/list-history'] as const) {
    for await (const { rows } of clientOf(harness).pages(name, {})) {
      for (const { orderId, clientOid, symbol, side, price, qty } of rows) {
        orders.set(String(orderId), [clientOid, symbol, side, price, qty].join(' '));
      }
    }
  }
  return [...orders.values()];
}
