/**
 * How soon a resumed run of ten thousand orders continues: its journal says that all but the last
 * were placed, its process is started again, and what reaches the exchange is timed.
 *
 *   npm run build && npx tsx bench/resume.ts [--items 10000] [--times 5]
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/base/clock.ts';
import type { Entry, Event } from '../src/engine/journal/entry.ts';
import { putMark, readMark } from '../src/engine/journal/high-water.ts';
import { clientOidOf, identityOf } from '../src/engine/journal/identity.ts';
import { readRecord } from '../src/engine/journal/record.ts';
import { median } from './figures/median.ts';
import { chained } from './growth/records.ts';
import { openDesk } from './processes/desk.ts';

const { values } = parseArgs({
  options: {
    items: { type: 'string', default: '10000' },
    times: { type: 'string', default: '5' },
  },
});
const items = Number(values.items);
const first = 10_001;
const desk = await openDesk(`range ${first} ${first + items - 1}`);

/** When the exchange was first asked for anything, and for an order. */
const seen = new Map<'request' | 'order', number>();
let cpu: { request?: number; order?: number } = {};
const proxy = createServer((request, response) => {
  const note = (what: 'request' | 'order'): void => {
    if (!seen.has(what)) seen.set(what, systemClock.monotonic());
  };
  note('request');
  if (request.url?.endsWith('/place-order')) {
    note('order');
    response.destroy(); // it is placed nowhere: the next resume would find it
    return;
  }
  const { method, headers } = request;
  const onward = forward(
    new URL(request.url ?? '/', desk.baseUrl),
    { method, headers },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  onward.on('error', () => response.destroy());
  request.pipe(onward);
});
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
const address = proxy.address();
const port = typeof address === 'object' && address ? address.port : 0;
const proxyUrl = `http://127.0.0.1:${port}`;

await untilFirstOrder(['run', 'ladder.yaml']);
const [run = ''] = readdirSync(join(desk.state, 'runs'));
const journal = join(desk.state, 'runs', run, 'journal.ndjson');
const events = allButTheLast(entriesIn(readFileSync(journal, 'utf8')));
const { text: almostDone, seq, link } = chained(events, systemClock.now());
const mark = await readMark(desk.state, run);
if (mark === undefined) throw new Error('a run has a high-water mark');

const figures = { request: [] as number[], order: [] as number[] };
const spent = { request: [] as number[], order: [] as number[] };
for (let time = 0; time < Number(values.times); time++) {
  writeFileSync(journal, almostDone);
  await putMark(desk.state, mark, { seq, link, end: 0 });
  const began = await untilFirstOrder(['resume', run]);
  for (const what of ['request', 'order'] as const) {
    figures[what].push((seen.get(what) ?? Infinity) - began);
    spent[what].push(cpu[what] ?? NaN);
  }
}
const size = (statSync(journal).size / 1e6).toFixed(1);
console.log(`${items} items, a journal of ${size} MB, from the start of the process:`);
for (const what of ['request', 'order'] as const) {
  const [ms, used] = [median(figures[what]), median(spent[what])];
  console.log(`  first ${what}: ${ms.toFixed(0)} ms in the middle, ${used.toFixed(0)} ms of CPU`);
}
proxy.closeAllConnections();
proxy.close();
await desk.close();

/** @returns when it was started; it is killed at its first order */
async function untilFirstOrder(words: readonly string[]): Promise<number> {
  seen.clear();
  cpu = {};
  const began = systemClock.monotonic();
  const child = desk.begin(words, proxyUrl);
  const exit = once(child, 'exit');
  while (!seen.has('order') && child.exitCode === null) {
    await systemClock.sleep(1);
    if (seen.has('request')) cpu.request ??= cpuOf(child);
  }
  cpu.order = cpuOf(child);
  child.kill('SIGKILL');
  await exit;
  if (!seen.has('order')) throw new Error(`${words.join(' ')} sent no order`);
  return began;
}

/** CPU time a process has used, in ms; NaN where the system does not tell. */
function cpuOf({ pid }: ChildProcess): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return 10 * (Number(fields[11]) + Number(fields[12])); // ticks of a hundredth of a second
  } catch {
    return NaN;
  }
}

function entriesIn(text: string): readonly Entry[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => readRecord(line).entry);
}

/** The start of the run as it was, then every order but one as if it had been placed. */
function allButTheLast(entries: readonly Entry[]): readonly Event[] {
  const begin = entries.filter(({ kind }) => kind === 'started' || kind === 'opened');
  const model = entries.find((entry) => entry.kind === 'intended');
  if (model?.kind !== 'intended') throw new Error('no order was meant');
  const orders = Array.from({ length: items - 1 }, (_, place): Event[] => {
    const price = String(first + place);
    const address = `ladder[${price}]`;
    const identity = identityOf({ per: 'run', run }, address, null);
    const clientOid = clientOidOf(identity);
    const output = { orderId: `1${price}`, clientOid };
    const { of: _of, ...intent } = model;
    const input = { ...Object(model.input), price, clientOid };
    return [
      { ...intent, address, input, identity },
      {
        kind: 'settled',
        address,
        outcome: { kind: 'done', output, evidence: 'answered' },
      },
    ];
  });
  return [...begin, ...orders.flat()];
}
