/** Routines: tasks that wait for handles, many of them concurrently in one coroutine. */
import type { Durable, TaskEnd, Handle, Jobs } from './durable.ts';

/**
 * A coroutine that yields the handles it waits for, and is resumed with the one that ended and its
 * result.
 */
export type Routine<T> = Generator<readonly Handle[], T, Woken>;

interface Woken {
  readonly handle: Handle;
  readonly end: TaskEnd;
}

/** Waits for one task. */
export function* ended(handle: Handle): Routine<TaskEnd> {
  const { end } = yield [handle];
  return end;
}

/**
 * Runs routines concurrently until none is left.
 * @param next the next one that may start, given the number in progress; called again after each
 * end
 */
export function* sideBySide(next: (running: number) => Routine<void> | undefined): Routine<void> {
  const lanes: Lane[] = [];
  for (;;) {
    for (let routine = next(lanes.length); routine; routine = next(lanes.length)) {
      const turn = routine.next();
      if (!turn.done) lanes.push({ routine, waitsFor: turn.value });
    }
    if (lanes.length === 0) return;
    const woken = yield lanes.flatMap(({ waitsFor }) => waitsFor);
    const place = lanes.findIndex(({ waitsFor }) => waitsFor.includes(woken.handle));
    const [lane] = lanes.splice(place, 1);
    const turn = lane?.routine.next(woken);
    if (lane && turn?.done === false) lanes.push({ routine: lane.routine, waitsFor: turn.value });
  }
}

interface Lane {
  readonly routine: Routine<void>;
  readonly waitsFor: readonly Handle[];
}

/** Drives a routine by awaiting its tasks. */
export async function drive<T, J extends Jobs>(
  routine: Routine<T>,
  durable: Durable<J>,
): Promise<T> {
  let turn = routine.next();
  while (!turn.done) {
    const handle = await durable.first(turn.value);
    const [end = { kind: 'interrupted' }] = await durable.all([handle]);
    turn = routine.next({ handle, end });
  }
  return turn.value;
}
