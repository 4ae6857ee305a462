/** Runs of many orders as they would have been recorded, without running them. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../src/base/json.ts';
import type { Entry, Event } from '../../src/engine/journal/entry.ts';
import { headerText, type RunHeader } from '../../src/engine/journal/header.ts';
import { markPath, putMark } from '../../src/engine/journal/high-water.ts';
import { clientOidOf, identityOf } from '../../src/engine/journal/identity.ts';
import { playbookKey } from '../../src/engine/journal/ledger.ts';
import { chainStart, encodeRecord, frame, readRecord } from '../../src/engine/journal/record.ts';
import { limitInput } from '../../test/support/order.ts';

export type OncePer = 'run' | 'playbook';

type Started = Extract<Entry, { readonly kind: 'started' }>;

const itemsDefault = 10_000; // of a step
const startPrice = 10_001;

/** A ladder of orders, in steps of at most so many items; each item costs three entries. */
export function ladderText(
  orders: number,
  oncePer: OncePer = 'run',
  itemsMax = itemsDefault,
): string {
  const steps = stepsOf(orders, startPrice, itemsMax).map(
    ({ id, from, items }) => `  - id: ${id}
    for-each: "{{ range ${from} ${from + items - 1} }}"
    once-per: ${oncePer}
    uses: futures/place-order
    with: { symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT,
      side: buy, tradeSide: open, orderType: limit, price: "{{ each.value }}", size: "0.001" }
`,
  );
  return `playbook: 1\nname: ladder\nsteps:\n${steps.join('')}`;
}

interface Ladder {
  readonly id: string;
  readonly from: number;
  readonly items: number;
}

function stepsOf(orders: number, from: number, itemsMax: number): readonly Ladder[] {
  const steps: Ladder[] = [];
  for (let at = 0; at < orders; at += itemsMax) {
    const items = Math.min(itemsMax, orders - at);
    steps.push({ id: `ladder${steps.length + 1}`, from: from + at, items });
  }
  return steps;
}

/** The start of the only run of a state folder. */
export function onlyStart(stateDir: string): Started {
  const [run = ''] = readdirSync(join(stateDir, 'runs'));
  const text = readFileSync(join(stateDir, 'runs', run, 'journal.ndjson'), 'utf8');
  const { entry } = readRecord(text.slice(0, text.indexOf('\n')));
  if (entry.kind !== 'started') throw new Error('a journal starts with `started`');
  return entry;
}

export interface RunToRecord {
  readonly run: string;
  readonly orders: number;
  /** Price of the first order: each run has other orders. */
  readonly from?: number;
  readonly at: number;
  readonly oncePer?: OncePer;
  /** Of each step. */
  readonly itemsMax?: number;
  /** The last order was never sent, and the run was killed. */
  readonly isUnfinished?: true;
}

/** Records a run of the account and program of another one. */
export async function recordRun(
  stateDir: string,
  model: Started,
  options: RunToRecord,
): Promise<void> {
  const { run } = options;
  const { header, text, link, seq } = recordOf(model, options);
  const folder = join(stateDir, 'runs', run);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'header.json'), headerText(header));
  writeFileSync(join(folder, 'journal.ndjson'), text);
  await putMark(stateDir, header, { seq, link, end: seq });
}

/** Records a run like `recordRun`, without a sync of each file: a hundred thousand of them take a minute. */
export function recordQuickly(stateDir: string, model: Started, options: RunToRecord): void {
  const { run } = options;
  const { header, text, link, seq } = recordOf(model, options);
  const folder = join(stateDir, 'runs', run);
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(folder, 'header.json'), headerText(header));
  writeFileSync(join(folder, 'journal.ndjson'), text);
  const [at, turn] = [String(seq).padStart(12, '0'), '0'.repeat(12)];
  const { playbook, createdAt } = header;
  const mark = { version: 1, run, playbook, createdAt, seq: at, link, end: at, turn };
  writeFileSync(markPath(stateDir, run), frame(JSON.stringify(mark)).repeat(2));
}

/** The header of such a run, and the text of its journal. */
export function recordOf(
  model: Started,
  {
    run,
    orders,
    from = startPrice,
    at,
    oncePer = 'run',
    itemsMax = itemsDefault,
    isUnfinished,
  }: RunToRecord,
): ReturnType<typeof chained> & { readonly header: RunHeader } {
  const text = ladderText(orders, oncePer, itemsMax);
  const { destination, program } = model;
  const started: Event = {
    ...model,
    run,
    playbook: { ...model.playbook, text, digest: sha256(text) },
    ...(itemsMax > itemsDefault && { itemsMax }),
    steps: stepsOf(orders, from, itemsMax).map(({ id }, step) => ({
      id,
      uses: 'futures/place-order',
      line: 4 + 6 * step,
    })),
  };
  const ladders = stepsOf(orders, from, itemsMax);
  const events = ladders.flatMap((ladder) => {
    const writes = Array.from({ length: ladder.items }, (_, place) =>
      writeOf(model, run, ladder, place, oncePer),
    );
    const isLast = ladder === ladders.at(-1);
    const sent = isLast && isUnfinished ? writes.slice(0, -1) : writes;
    return [
      { kind: 'opened' as const, step: ladder.id, items: writes.map(({ key }) => key) },
      ...sent.flatMap(({ key: _key, ...write }) => eventsOf(write, at)),
      ...(isLast && isUnfinished
        ? []
        : [{ kind: 'closed' as const, step: ladder.id, status: 'done' as const }]),
    ];
  });
  const end: readonly Event[] = isUnfinished
    ? []
    : [{ kind: 'finished', status: 'done', exit: 0, outputs: {} }];
  const header = { run, playbook: model.playbook.name, destination, createdAt: at, program };
  return { header, ...chained([started, ...events, ...end], at) };
}

function writeOf(
  { destination, playbook }: Started,
  run: string,
  { id, from }: Ladder,
  place: number,
  oncePer: OncePer,
) {
  const key = String(from + place);
  const address = `${id}[${key}]`;
  const operation = 'futures/place-order' as const;
  const content = limitInput({ price: key });
  const identity =
    oncePer === 'run'
      ? identityOf({ per: 'run', run }, address, null)
      : playbookKey(destination, { playbook: playbook.name, address, operation, content });
  const input = { ...content, clientOid: clientOidOf(identity) };
  return { key, address, operation, input, identity };
}

function eventsOf(write: Omit<ReturnType<typeof writeOf>, 'key'>, at: number): readonly Event[] {
  const { address, operation, input } = write;
  const output = { orderId: `13${input.price.padStart(17, '0')}`, clientOid: input.clientOid };
  return [
    { kind: 'intended', ...write, attempt: 1, signedAt: at },
    { kind: 'answered', address, operation, attempt: 1, ms: 1, status: 200, code: '00000' },
    { kind: 'settled', address, outcome: { kind: 'done', output, evidence: 'answered' } },
  ];
}

/** Events as the lines of a journal. */
export function chained(
  events: readonly Event[],
  at: number,
): { readonly text: string; readonly seq: number; readonly link: string } {
  let link = chainStart;
  const lines = events.map((event, place) => {
    const own = { seq: place + 1, at };
    const encoded = encodeRecord({ ...event, ...own }, { ...own, prev: link });
    ({ link } = encoded);
    return encoded.line;
  });
  return { text: lines.join(''), seq: events.length, link };
}
