/** The steps of a walk that may begin: what a step waits for is counted, not searched. */
import { appendTo } from '../../base/groups.ts';
import { awaitedBy } from '../../language/expressions.ts';
import type { Step } from '../../language/playbook.ts';

interface ReadySteps {
  /** Takes the first step of the file that may begin while so many others run. */
  next(running: number): Step | undefined;
  /** Records that a step has ended. */
  end(id: string): void;
}

/**
 * A step with needs waits for them and for the steps it reads; any other waits until all earlier
 * steps have begun and none runs.
 * @param steps in the order of the file
 * @param hasEnded whether a step ended before
 */
export function readySteps(steps: readonly Step[], hasEnded: (id: string) => boolean): ReadySteps {
  const places = new Map<string, number[]>(); // of the steps that wait for an id
  const waits = steps.map((step, place) => {
    const awaited = step.needs.length === 0 ? [] : [...awaitedBy(step)];
    const open = awaited.filter((id) => !hasEnded(id));
    for (const id of open) appendTo(places, id, place);
    return open.length;
  });
  const ready = steps.flatMap(({ needs }, place) =>
    needs.length > 0 && waits[place] === 0 ? [place] : [],
  );
  const begun = new Set<number>();
  let first = 0;
  return {
    next: (running) => {
      while (begun.has(first)) first += 1;
      const isAlone = steps[first]?.needs.length === 0 && running === 0;
      const place = isAlone ? first : ready.shift();
      if (place === undefined) return undefined;
      begun.add(place);
      return steps[place];
    },
    end: (id) => {
      for (const place of places.get(id) ?? []) {
        waits[place] = (waits[place] ?? 0) - 1;
        if (waits[place] === 0) insert(ready, place);
      }
    },
  };
}

/** Adds a number to a list in ascending order. */
function insert(ascending: number[], value: number): void {
  const before = ascending.findLastIndex((each) => each < value);
  ascending.splice(before + 1, 0, value);
}
