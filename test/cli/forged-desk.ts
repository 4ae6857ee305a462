/** An approved run that was killed before its orders, and its record as somebody with access to the shared state writes it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { minute, systemClock } from '../../src/base/clock.ts';
import { isJsonRecord, type Json } from '../../src/base/json.ts';
import type { Entry, Event } from '../../src/engine/journal/entry.ts';
import { createRun, readRun } from '../../src/engine/journal/runs.ts';
import { Secret } from '../../src/base/secret.ts';
import { openStore } from '../../src/stores/open.ts';
import { restateDefaults, type DatabaseSettings } from '../../src/stores/settings.ts';
import type { StateStore } from '../../src/stores/store.ts';
import { keyOf, publicOf } from '../engine/approval/keys.ts';
import { freshFolder, git, gitEnv, hub, machine, ref } from '../stores/machines.ts';
import { limitOrder } from '../support/order.ts';
import { deskhand, folderWith, type Ended } from './deskhand.ts';
import { ownOrders } from './ladder.ts';
import { startSandbox } from './sandbox.ts';
import { killed, loseAnswer, underWay } from './under-way.ts';

const ann = keyOf('reread-ann'); // writes the playbook
const ben = keyOf('reread-ben');

/** A price that only the run reads, within a nested playbook or not, then another leverage and three orders. */
const playbook = (prices: string): string => `playbook: 1
name: late
account: main
guards: { max-order-notional: 1000, max-writes: 10 }
steps:
  - { id: lever, uses: futures/set-all-leverage, with: { productType: USDT-FUTURES, leverage: 5 } }
${prices}
  - { id: again, uses: futures/set-all-leverage, with: { productType: USDT-FUTURES, leverage: 6 } }
  - id: enter
    for-each: [1, 2, 3]
    key: "{{ each.value }}"
    uses: futures/place-order
    with:${limitOrder({ price: '{{ sub steps.prices.outputs.price each.value }}', size: '0.010', force: 'post_only' })}
`;
const reads = `  - id: prices
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
    outputs: { price: "{{ roundTo (mul response.0.lastPrice 0.3) 0 }}" }`;
/** The same orders for symbols, at a price that the plan read. */
const planned = `playbook: 1
name: planned
account: main
steps:
  - id: look
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
  - { id: lever, uses: futures/set-all-leverage, with: { productType: USDT-FUTURES, leverage: 5 } }
  - { id: again, uses: futures/set-all-leverage, with: { productType: USDT-FUTURES, leverage: 6 } }
  - id: enter
    for-each: "{{ pluck steps.look.response 'symbol' }}"
    key: "{{ each.value }}"
    uses: futures/place-order
    with:${limitOrder({ price: '{{ roundTo (mul steps.look.response.0.lastPrice 0.3) 0 }}', size: '0.010' })}
`;
/** Orders that a program decides about. */
const decided = playbook('  - { id: prices, uses: shell/run, with: { command: [echo, "yes"] } }')
  .replace(
    'for-each: [1, 2, 3]',
    `for-each: [1, 2, 3]\n    if: "{{ eq (trim steps.prices.response.stdout) 'yes' }}"`,
  )
  .replace('{{ sub steps.prices.outputs.price each.value }}', '24000');
const files = {
  'decided.yaml': decided,
  'planned.yaml': planned,
  'late.yaml': playbook(reads),
  'nested.yaml': playbook('  - { id: prices, uses: ./prices.yaml }'),
  'prices.yaml': `playbook: 1
name: prices
steps:
${reads}
outputs: { price: "{{ steps.prices.outputs.price }}" }
`,
};

/** Where the team shares its state. */
export interface Sharing {
  /** `state` of deskhand.yaml. */
  readonly state: string;
  /** A new place for each call. @param repository bare, for this place alone */
  readonly place: (repository: string) => Promise<Place>;
}

interface Place {
  readonly stateDir: string;
  readonly store: StateStore;
  readonly env: Readonly<Record<string, string>>;
}

interface Clone {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export const inGit: Sharing = {
  state: `{ store: git, ref: ${ref} }`,
  place: async (repository) => ({ ...machine(repository), env: {} }),
};

export interface ForgedDesk {
  readonly run: string;
  /** A clone of the team's repository, with this journal in its shared state; for one `resume`. */
  readonly with: (change: (event: Event) => Event) => Promise<Clone>;
  readonly resume: (clone: Clone) => Promise<Ended>;
  readonly placed: () => Promise<number>;
}

/** Ann's plan, approved by Ben; its run read the price, and was killed before its orders. */
export async function begunAndKilled(file: string, sharing = inGit): Promise<ForgedDesk> {
  const exchange = await startSandbox();
  const env = { ...exchange.env('hedge'), ...gitEnv, DESKHAND_ACCOUNT_ID: 'desk' };
  const bare = hub();
  const cwd = join(folderWith(), 'ann');
  git(folderWith(), ['clone', '--quiet', bare, cwd]);
  const at = (...words: string[]): Promise<Ended> => deskhand(words, { cwd, env });
  const config = (state: string): string => `profile: main
profiles:
  main:
    base-url: ${exchange.baseUrl}
    account-id: desk
    allow: { shell: [echo] }
    approve: { by: other, signers: ./allowed_signers, records: approvals }
${state}`;
  const commit = (all: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(all)) writeFileSync(join(cwd, name), text);
    git(cwd, ['add', '.']);
    git(cwd, ['-c', 'user.email=ann@desk.example', 'commit', '--quiet', '-m', 'Work']);
  };
  commit({
    ...files,
    'deskhand.yaml': config(''),
    allowed_signers: `ann@desk.example ${publicOf(ann)}\nben@desk.example ${publicOf(ben)}\n`,
    '.gitignore': '.deskhand/\n.config/\n',
  });
  const planned = await at('plan', file, '--out', 'plans/late.json');
  expect([planned.code, planned.stderr, planned.stdout]).toEqual([0, '', expect.any(String)]);
  commit({});
  const approved = await at('approve', 'plans/late.json', '--key', ben);
  expect([approved.code, approved.stderr]).toEqual([0, expect.any(String)]);
  await loseAnswer(exchange, { operation: 'futures/set-all-leverage', nth: 2 });
  const under = await underWay(exchange, { cwd, env }, 'plans/late.json');
  await killed(under);
  commit({ 'deskhand.yaml': config(`state: ${sharing.state}\n`) });
  git(cwd, ['push', '--quiet', 'origin', 'HEAD:main']);
  const entries = await readRun(join(cwd, '.deskhand'), under.run);
  return {
    run: under.run,
    with: async (change) => {
      const team = join(folderWith(), 'team.git');
      git(cwd, ['clone', '--quiet', '--bare', bare, team]);
      const place = await sharing.place(team);
      await push(place, entries.map(eventOf).map(change));
      const clone = join(folderWith(), 'clone');
      git(folderWith(), ['clone', '--quiet', team, clone]);
      return { cwd: clone, env: { ...env, ...place.env } };
    },
    resume: (clone) => deskhand(['resume', under.run], clone),
    placed: async () => (await ownOrders(cwd, env)).length,
  };
}

function eventOf(entry: Entry): Event {
  const { seq: _seq, at: _at, prev: _prev, crc: _crc, ...event } = { prev: 0, crc: 0, ...entry };
  return event;
}

/** Stores a journal as a machine of the team does, with valid checksums and chain. */
async function push(
  { store, stateDir }: Place,
  [started, ...events]: readonly Event[],
): Promise<void> {
  if (started?.kind !== 'started') throw new Error('the run has no beginning');
  const {
    run,
    destination,
    playbook: { name },
    plan = '',
    time,
    program,
  } = started;
  const hold = await store.claim({
    run,
    playbook: name,
    plan,
    accounts: [destination],
    isResumed: false,
    now: async () => time,
    observedAt: time,
  });
  const header = { run, playbook: name, destination, program, createdAt: time };
  const opened = await hold.open({
    journal: await createRun(stateDir, header, systemClock, hold.over),
    entries: [],
  });
  for (const event of [started, ...events]) await opened.journal.append(event);
  await opened.journal.close();
  await hold.release();
}

/** Replaces a price wherever a response or an output has it. */
export function cheaper(value: Json): Json {
  if (Array.isArray(value)) return value.map(cheaper);
  if (!isJsonRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const isPrice = name === 'lastPrice' || name === 'price';
      return [name, isPrice ? String(Math.round(Number(field) * 0.5)) : cheaper(field)];
    }),
  );
}

/** Adds a row like the first one for another symbol. */
export function longer(value: Json): Json {
  if (!Array.isArray(value)) return value;
  return [...value, { ...Object(value[0]), symbol: 'ETHUSDT' }];
}

export const forgedAt =
  (address: string, change: (value: Json) => Json) =>
  (event: Event): Event =>
    event.kind === 'settled' && event.address === address && event.outcome.kind === 'done'
      ? { ...event, outcome: { ...event.outcome, output: change(event.outcome.output) } }
      : event;

/** A forged price sends nothing, and the record as it was is continued. */
export async function expectReadAgain(file: string, sharing?: Sharing): Promise<void> {
  const desk = await begunAndKilled(file, sharing);
  expect(await desk.placed()).toBe(0);
  const forged = await desk.with(forgedAt('prices', cheaper));
  const refused = await desk.resume(forged);
  expect([refused.code, refused.stderr]).toEqual([
    6,
    expect.stringMatching(/what run r-\S+ recorded cannot be confirmed: enter\[1\] price was /),
  ]);
  expect(await desk.placed()).toBe(0);
  const honest = await desk.with((event) => event);
  const done = await desk.resume(honest);
  expect([done.code, done.stderr]).toEqual([0, expect.any(String)]);
  expect(await desk.placed()).toBe(3);
}

/** A shared store over a database. */
export function inDatabase(
  store: DatabaseSettings['store'],
  newAddress: () => Promise<string>,
): Sharing {
  return {
    state: `{ store: ${store}, url: { env: DESK_STORE } }`,
    place: async (folder) => {
      const url = await newAddress();
      const stateDir = join(freshFolder(), 'state');
      const common = { url: { kind: 'given', url }, lease: minute } as const;
      const settings =
        store === 'postgres'
          ? { ...common, store }
          : { ...common, store, service: restateDefaults.service };
      const place = { stateDir, folder, env: {}, clock: systemClock };
      const opened = await openStore(settings, place, async () => new Secret(url));
      return { stateDir, store: opened, env: { DESK_STORE: url } };
    },
  };
}
