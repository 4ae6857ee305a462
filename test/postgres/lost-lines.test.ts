/** A standby without the last lines of a run is promoted: what a person sees and does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { minute } from '../../src/base/clock.ts';
import { ladder } from '../../bench/processes/desk.ts';
import { afterEachTest } from '../support/cleanup.ts';
import { limitOrder } from '../support/order.ts';
import { booksOf, runFrom } from './books.ts';
import { Machine, type Site } from './machine.ts';
import { siteOn } from './site.ts';
import { preparedServer } from './world.ts';

const machines: Machine[] = [];
afterEachTest(() => Promise.all(machines.splice(0).map((machine) => machine.close())));

interface Lost {
  readonly site: Site;
  readonly run: string;
  /** The machine that had the run, and another one: both now use the promoted standby. */
  readonly former: Machine;
  readonly other: Machine;
  /** Another one, with a clock that is not behind those of hurried processes. */
  readonly person: Machine;
}

const base = 20_000;

/**
 * A run whose primary is killed after it sent some orders; the standby received nothing after an
 * earlier order.
 */
async function lostAfter(received: number, sent: number, playbook: string): Promise<Lost> {
  const primary = await preparedServer();
  const standby = await primary.standby();
  const site = await siteOn(primary);
  const former = await Machine.open(site, 'former', playbook, 0);
  machines.push(former);
  const life = former.begin(['run', 'ladder.yaml', '--var', `base=${base}`]);
  await former.untilSent(life, received);
  await primary.caughtUp(standby);
  await standby.cut();
  await former.untilSent(life, sent);
  await primary.kill();
  expect([5, 6]).toContain((await life.end).code);
  await standby.promote();
  const run = (await runFrom(standby, base)) ?? '';
  const promoted = { ...site, server: standby };
  const other = await Machine.open(promoted, 'other', playbook, 0);
  const person = await Machine.open(promoted, 'person', playbook, 2 * minute);
  machines.push(other, person);
  await former.useDatabase(standby);
  return { site, run, former, other, person };
}

async function placedAt(site: Site, prices: readonly number[]): Promise<readonly number[]> {
  const books = await booksOf(site);
  return prices.map((price) => books.prices.get(price) ?? 0);
}

const journalOf = ({ folder }: Machine, run: string): string =>
  readFileSync(join(folder, '.deskhand', 'runs', run, 'journal.ndjson'), 'utf8');

const wanted = Array.from({ length: 24 }, (_, place) => base + place);
const inputs = '{ base: { type: integer } }';
const fixed = ladder(`range inputs.base (add inputs.base ${wanted.length - 1})`, inputs);

test('another machine finds the orders whose lines are lost, and finishes the run', async () => {
  const { site, run, former, other } = await lostAfter(6, 13, fixed);
  expect(await other.finish(run)).toMatchObject({ code: 0 });
  expect(await placedAt(site, wanted)).toEqual(wanted.map(() => 1));
  expect(journalOf(other, run)).toContain('"forgets":true');
  // The lines that only this folder has are set aside.
  expect(await former.begin(['runs', 'list']).end).toMatchObject({ code: 0 });
  expect(journalOf(former, run)).toBe(journalOf(other, run));
});

test('the machine that has the lost lines stores them again', async () => {
  const { site, run, former, other } = await lostAfter(6, 13, fixed);
  const before = journalOf(former, run);
  expect(await former.finish(run)).toMatchObject({ code: 0 });
  expect(await placedAt(site, wanted)).toEqual(wanted.map(() => 1));
  expect(journalOf(former, run).startsWith(before)).toBe(true);
  expect(await other.begin(['runs', 'show', run]).end).toMatchObject({ code: 0 });
  expect(journalOf(other, run)).toBe(journalOf(former, run));
});

const priced = `playbook: 1
name: ladder
inputs: ${inputs}
steps:
  - id: fixed
    for-each: "{{ range inputs.base (add inputs.base 10) }}"
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}', force: 'post_only' })}
  - id: prices
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
    outputs: { price: "{{ roundTo (mul response.0.lastPrice 0.3) 0 }}" }
  - id: priced
    for-each: "{{ range steps.prices.outputs.price (add steps.prices.outputs.price 19) }}"
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}', force: 'post_only' })}
`;

test('orders at prices that were read in lost lines: nothing is sent before a person decides', async () => {
  const { site, run, other, person } = await lostAfter(10, 13, priced);
  const before = await booksOf(site);
  await fetch(`${site.controlUrl}/market`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ category: 'USDT-FUTURES', symbol: 'BTCUSDT', price: '70000' }),
  });
  const stopped = await other.finish(run);
  expect(stopped).toMatchObject({ code: 6 });
  expect(stopped.stdout).toMatch(/this may be one of \d+ orders that\s+no journal knows: dh/);
  expect(stopped.stdout).toContain("'priced[21000]'");
  expect((await booksOf(site)).names).toEqual(before.names);
  const absent = ['resolve', run, 'priced[21000]', '--absent'];
  expect(await person.begin(absent).end).toMatchObject({ code: 0 });
  const again = await person.finish(run);
  expect([again.code, again.stdout]).toEqual([6, expect.stringContaining("'priced[21001]'")]);
  expect(await placedAt(site, [21_000, 21_001])).toEqual([1, 0]);
});
