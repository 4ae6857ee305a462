/** What must hold at the end of a seed of the fleet, by the exchange's own books. */
import type { Entry, Outcome } from '../../../src/engine/journal/entry.ts';
import { provenAt, replay } from '../../../src/engine/journal/replay.ts';
import { baseOf } from './commands.ts';
import type { Field } from './field.ts';
import { judgeGuards } from './judge-guards.ts';
import type { Ended, Machine } from './machine.ts';
import { rungsOf, type Draft, type Edition, type Rung } from './playbooks.ts';
import type { Story, Word } from './story.ts';

/** A command that was given, and what it told. */
export interface CommandRecord {
  readonly word: Word['kind'];
  /** The run it was about, by its place among those of the seed. */
  readonly run: number;
  readonly machine: string;
  readonly ended: Ended | 'died';
}

/** What a person began. */
export interface Begun {
  readonly run: number;
  readonly draft: Draft;
  readonly edition: Edition;
}

export interface Evidence {
  readonly story: Story;
  readonly begun: readonly Begun[];
  readonly commands: readonly CommandRecord[];
  readonly field: Field;
  readonly machines: readonly Machine[];
}

export interface OrderSeen {
  readonly orderId: string;
  readonly clientOid: string;
  readonly price: string;
  readonly qty: string;
  readonly category: string;
  readonly side: string;
  readonly createdTime: number;
}

/** Everything that is wrong, in words; empty when all promises were kept. */
export function judge(evidence: Evidence): string[] {
  const { begun, field } = evidence;
  const orders = ordersOf(field);
  const rungs = begun.flatMap(({ run, draft, edition }) => rungsOf(draft, edition, baseOf(run)));
  return [
    ...judgeTwice(rungs, orders),
    ...judgeSubs(evidence),
    ...judgeSentAgain(evidence),
    ...judgeKnown(rungs, orders, evidence),
    ...judgeGuards(evidence, orders),
    ...begun.flatMap((one) => judgeEnd(one, orders, evidence)),
  ];
}

function ordersOf({ sandbox }: Field): readonly OrderSeen[] {
  const { uid } = sandbox.accounts.hedge;
  const { open, closed } = Object(sandbox.control('GET', 'orders', { uid }));
  return [...open, ...closed];
}

function at(price: string, orders: readonly OrderSeen[]): readonly OrderSeen[] {
  return orders.filter((order) => Number(order.price) === Number(price));
}

/** How many orders are at each rung; rungs that are in for each other count as one. */
function standing(
  rungs: readonly Rung[],
  orders: readonly OrderSeen[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { price, insteadOf = price } of new Map(
    rungs.map((one) => [one.price, one]),
  ).values()) {
    counts.set(insteadOf, (counts.get(insteadOf) ?? 0) + at(price, orders).length);
  }
  return counts;
}

function judgeTwice(rungs: readonly Rung[], orders: readonly OrderSeen[]): string[] {
  return [...standing(rungs, orders)].flatMap(([name, count]) =>
    count > 1 ? [`${name} was placed ${count} times`] : [],
  );
}

/** What cannot be looked up is never sent again once it may have happened, but by a person's statement. */
function judgeSubs({ field: { sendings }, commands }: Evidence): string[] {
  if (commands.some(({ word }) => word === 'absent')) return [];
  const names = new Set(
    sendings.map(({ name }) => name).filter((name) => name.startsWith('fleet')),
  );
  return [...names].flatMap((name) => {
    const sent = sendings.filter((one) => one.name === name);
    const first = sent.findIndex(({ end }) => end === 'maybe' || end === 'done');
    return first !== -1 && first < sent.length - 1 ? [`${name} was created again`] : [];
  });
}

/** Under `ask` nothing is sent again once it may have happened, unless a person said so. */
function judgeSentAgain({ story, field, commands }: Evidence): string[] {
  if (story.onDoubt !== 'ask' || commands.some(({ word }) => word === 'absent')) return [];
  const maybe = new Set<string>();
  const again = new Set<string>();
  for (const { name, end } of field.sendings) {
    if (maybe.has(name) && end !== 'unsent') again.add(name);
    if (end === 'maybe') maybe.add(name);
  }
  return [...again].map((name) => `${name} was sent again under ask`);
}

/** Every order that stands is reported by some journal, as done or as in doubt. */
function judgeKnown(
  rungs: readonly Rung[],
  orders: readonly OrderSeen[],
  { machines }: Evidence,
): string[] {
  const known = machines.flatMap((machine) =>
    [...machine.runs().values()].map((entries = []) => placesIn(entries)),
  );
  return rungs.flatMap(({ price }) => {
    const [order] = at(price, orders);
    if (order === undefined) return [];
    const reports = known.flatMap((places) => places.get(Number(price)) ?? []);
    if (reports.length === 0) return [`${price} stands, and no journal says so`];
    if (reports.some((outcome) => isHonest(outcome, order))) return [];
    return [`${price} stands, and is reported as ${reports.map((one) => one?.kind).join(', ')}`];
  });
}

/** What a journal says of each price. */
function placesIn(
  entries: readonly Entry[],
): ReadonlyMap<number, readonly (Outcome | undefined)[]> {
  const known = replay(entries);
  const places = new Map<number, (Outcome | undefined)[]>();
  for (const entry of entries) {
    if (entry.kind !== 'intended' || entry.operation !== 'futures/place-order') continue;
    const price = Number(Object(entry.input).price);
    places.set(price, [...(places.get(price) ?? []), provenAt(known, entry.address).outcome]);
  }
  return places;
}

function isHonest(outcome: Outcome | undefined, { orderId }: OrderSeen): boolean {
  if (outcome?.kind === 'done') return Object(outcome.output).orderId === orderId;
  return outcome === undefined || outcome.kind === 'doubt' || outcome.kind === 'skipped';
}

/** When all is calm a run ends, and what it says last is true. */
function judgeEnd(
  { run, draft, edition }: Begun,
  orders: readonly OrderSeen[],
  { commands, story, machines }: Evidence,
): string[] {
  const last = commands.findLast((one) => one.run === run && one.word === 'resume');
  if (last === undefined) return [];
  const { ended } = last;
  if (ended === 'died') return [`run ${run} died in calm`];
  const rungs = rungsOf(draft, edition, baseOf(run));
  // What failed stays failed once its fallback was placed, and the run tells so permanently.
  const isFailed = ended.result?.['status'] === 'stopped';
  const hasFallback = draft.parts.some(({ kind }) => kind === 'fallback');
  if (isFailed && hasFallback && judgeDone(run, rungs, orders).length === 0) return [];
  switch (ended.exit) {
    case 0:
      return judgeDone(run, rungs, orders);
    case 6:
      return draft.hasSub || mayDoubt(story, machines)
        ? []
        : [`in calm, run ${run} stays in doubt`];
    case 5:
      if (isLimited(story, draft) && isHeld(ended)) return [];
  }
  // What never left a machine that is lost is known to no one, and nothing was sent of it.
  const isUnknown = ended.exit === 2 && /no run r-/.test(ended.err);
  // A plan whose run sent nothing expires: so long a run may have been left alone.
  const isExpired = ended.exit === 5 && /error\[stale-plan\].*nothing was sent/s.test(ended.err);
  // A later run of its playbook did what its rest would do, and it left no doubt to settle.
  const isRepeated = ended.exit === 5 && ended.err.includes('error[unfinished]');
  if (isRepeated && ended.err.includes('nothing more was sent')) return [];
  if (
    (isUnknown || isExpired || isRepeated) &&
    !rungs.some(({ price }) => isOwn(price) && at(price, orders).length > 0)
  )
    return [];
  return [`in calm, run ${run} ended with ${ended.exit}: ${sentenceOf(ended)}`];
}

function isOwn(price: string): boolean {
  return Number(price) < baseOf(10);
}

/** A doubt may stay where a person decides, where lists show nothing, and for what has no list. */
function mayDoubt({ onDoubt, target, lags }: Story, machines: readonly Machine[]): boolean {
  const isBlind = target === 'live' && (lags.length > 0 || !hasListed(machines));
  return onDoubt === 'ask' || isBlind;
}

/** Whether some run has learned that the lists show orders. */
function hasListed(machines: readonly Machine[]): boolean {
  return entriesOn(machines).some((one) => one.kind === 'visibility' && one.orders === 'listed');
}

function entriesOn(machines: readonly Machine[]): readonly Entry[] {
  return machines.flatMap((machine) => [...machine.runs().values()].flatMap((one = []) => one));
}

function isLimited({ guards }: Story, draft: Draft): boolean {
  const all = [guards, draft.guards].flatMap((rules) => Object.keys(rules));
  return all.length > 0 || draft.parts.some(({ deskWrites }) => deskWrites !== undefined);
}

function isHeld({ result, err }: Ended): boolean {
  return result !== undefined || err.includes('error[guard]');
}

function judgeDone(run: number, rungs: readonly Rung[], orders: readonly OrderSeen[]): string[] {
  return [...standing(rungs, orders)].flatMap(([name, count]) =>
    count > 0 ? [] : [`run ${run} is done, and ${name} does not stand`],
  );
}

function sentenceOf({ err, result }: Ended): string {
  const said = err.split('\n').find((line) => line.startsWith('error'));
  return said ?? String(result?.['headline']);
}
