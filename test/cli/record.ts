/** Journals with only their first entry: of a killed process, or forged. */
import { systemClock } from '../../src/base/clock.ts';
import type { Entry } from '../../src/engine/journal/entry.ts';
import { createRun, readRun } from '../../src/engine/journal/runs.ts';

export type Started = Extract<Entry, { readonly kind: 'started' }>;

/**
 * Copies the start of a run from one state folder to another.
 * @param change differences from the original record
 */
export async function recordBeginning(
  run: string,
  { from, to }: { readonly from: string; readonly to: string },
  change: (started: Started) => Started = (started) => started,
): Promise<void> {
  const [first] = await readRun(from, run);
  if (first?.kind !== 'started') throw new Error('the run has no beginning');
  const { destination, playbook, program } = first;
  const header = { run, playbook: playbook.name, destination, program, createdAt: 0 };
  const journal = await createRun(to, header, systemClock);
  const {
    seq: _seq,
    at: _at,
    prev: _prev,
    crc: _crc,
    ...event
  } = { prev: 0, crc: 0, ...change(first) };
  await journal.append(event);
  await journal.close();
}
