/** Steps as a graph: unique ids, existing needs, and an order that satisfies them. */
import { stepsOf } from '../expressions.ts';
import type { Playbook, Step } from '../playbook.ts';
import { type Problems } from '../problems.ts';

/** Steps in an order that satisfies `needs`, otherwise that of the file. */
export function ordered(steps: readonly Step[]): readonly Step[] {
  const known = new Set(steps.map(({ id }) => id));
  const waitsFor = steps.map(({ needs }) => new Set(needs.filter((id) => known.has(id))));
  const waiting = waitingIn(waitsFor);
  const ready = [...waitsFor.keys()].filter((place) => waitsFor[place]?.size === 0).reverse();
  const placed = new Set<number>();
  for (let first = 0; placed.size < steps.length;) {
    while (placed.has(first)) first += 1;
    const place = ready.pop() ?? first; // cycles of needs are reported elsewhere
    placed.add(place);
    const id = steps[place]?.id ?? '';
    for (const other of waiting.get(id) ?? []) {
      waitsFor[other]?.delete(id);
      if (waitsFor[other]?.size === 0 && !placed.has(other)) insert(ready, other);
    }
    waiting.delete(id);
  }
  return [...placed].map((place) => steps[place]).filter((step) => step !== undefined);
}

/** Locations of the steps that need an id. */
function waitingIn(waitsFor: readonly ReadonlySet<string>[]): Map<string, number[]> {
  const waiting = new Map<string, number[]>();
  for (const [place, ids] of waitsFor.entries()) {
    for (const id of ids) {
      const places = waiting.get(id);
      if (places) places.push(place);
      else waiting.set(id, [place]);
    }
  }
  return waiting;
}

/** Inserts a position into a descending list, so that the last is the smallest. */
function insert(falling: number[], place: number): void {
  let at = falling.length;
  while (at > 0 && (falling[at - 1] ?? 0) < place) at -= 1;
  falling.splice(at, 0, place);
}

export function checkGraph(playbook: Playbook, problems: Problems): void {
  const { steps } = playbook;
  const byId = new Map(steps.map((step) => [step.id, step]));
  const seen = new Map<string, Step>();
  for (const step of stepsOf(playbook)) {
    const earlier = seen.get(step.id);
    if (earlier !== undefined) {
      problems.add(
        'PB401',
        step.at,
        `duplicate id ${JSON.stringify(step.id)} (first in line ${earlier.at.start.line})`,
      );
    }
    seen.set(step.id, step);
    for (const id of step.needs) {
      if (byId.has(id)) continue;
      problems.add(
        'PB402',
        step.at,
        `${step.id} needs ${JSON.stringify(id)}, which does not exist`,
        problems.suggest(id, byId.keys()),
      );
    }
  }
  checkCircles(steps, byId, problems);
}

/** Reports every cycle of needs once, at its first step in the file. */
function checkCircles(
  steps: readonly Step[],
  byId: ReadonlyMap<string, Step>,
  problems: Problems,
): void {
  const done = new Set<string>();
  for (const start of steps) {
    if (done.has(start.id)) continue;
    const way = [{ id: start.id, left: [...start.needs] }];
    const onWay = new Set([start.id]);
    for (let top = way.at(-1); top !== undefined; top = way.at(-1)) {
      const id = top.left.pop();
      if (id === undefined) {
        done.add(top.id);
        onWay.delete(top.id);
        way.pop();
        continue;
      }
      const next = byId.get(id);
      if (onWay.has(id)) {
        const ids = way.map((member) => member.id);
        reportCycle(ids.slice(ids.indexOf(id)), byId, problems);
      } else if (next && !done.has(id)) {
        way.push({ id, left: [...next.needs] });
        onWay.add(id);
      }
    }
  }
}

/** The cycle, starting at its first step in the file. */
function reportCycle(
  circle: readonly string[],
  byId: ReadonlyMap<string, Step>,
  problems: Problems,
): void {
  const places = circle.map((member) => byId.get(member)?.at.start.offset ?? 0);
  const first = places.indexOf(Math.min(...places));
  const turned = [...circle.slice(first), ...circle.slice(0, first), circle[first]];
  const step = byId.get(circle[first] ?? '');
  if (step) problems.add('PB403', step.at, `cycle in needs: ${turned.join(' → ')}`);
}
