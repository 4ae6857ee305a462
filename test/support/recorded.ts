/** Runs of a state folder, written as a runner writes them, from the entries of a tape. */
import { standingClock } from '../../src/base/clock.ts';
import type { Entry, Event } from '../../src/engine/journal/entry.ts';
import type { Journal } from '../../src/engine/journal/journal.ts';
import { createRun, openRun } from '../../src/engine/journal/runs.ts';

/** Writes a whole run. @param run its id, if not that of the entries */
export async function recordRun(
  stateDir: string,
  entries: readonly Entry[],
  run?: string,
): Promise<string> {
  const [first, ...others] = named(entries, run);
  if (first?.kind !== 'started') throw new Error('a run begins with `started`');
  const { destination, playbook, program, at } = first;
  const header = { run: first.run, playbook: playbook.name, destination, program, createdAt: at };
  const clock = standingClock(at);
  const journal = await createRun(stateDir, header, clock);
  await append(journal, [first, ...others], clock);
  await journal.close();
  return first.run;
}

/** Appends to a run as its process does, in another process or later. */
export async function continueRun(
  stateDir: string,
  run: string,
  entries: readonly Entry[],
): Promise<void> {
  const clock = standingClock(entries[0]?.at ?? 0);
  const { journal } = await openRun(stateDir, run, clock);
  await append(journal, entries, clock);
  await journal.close();
}

async function append(
  journal: Journal,
  entries: readonly Entry[],
  clock: ReturnType<typeof standingClock>,
): Promise<void> {
  for (const entry of entries) {
    clock.advance(Math.max(0, entry.at - clock.now()));
    const { seq: _seq, at: _at, ...event } = entry;
    await journal.append(event as Event);
  }
}

function named(entries: readonly Entry[], run: string | undefined): readonly Entry[] {
  return entries.map((entry) =>
    entry.kind === 'started' && run !== undefined ? { ...entry, run } : entry,
  );
}
