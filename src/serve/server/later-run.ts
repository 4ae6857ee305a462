/** The run of a playbook that sent the rest of another one: the page offers to resume no such run, which is refused. */
import { undefinedWhenDamaged } from '../../engine/journal/error.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { laterAmong } from '../../app/running/repeated.ts';
import type { Desk } from './desk.ts';
import type { RunRow } from './run-row.ts';

const rowsMax = 1_000; // runs that are looked at, the newest first
const readMax = 20; // records that are read: one that sent something is usually among the first

/** The run that sent the rest of one that ended and may be continued, as far as the newest runs show. */
export async function laterOf(
  desk: Desk,
  { run, playbook, state, startedAt, setAside, doubts }: RunRow,
  entries: readonly Entry[],
): Promise<string | undefined> {
  if (state === 'done' || state === 'running' || setAside !== undefined || doubts > 0) return;
  const others = desk.runs.select({ playbook });
  let read = 0;
  for (let at = 0; at < Math.min(others.length, rowsMax) && read < readMax; at++) {
    const other = others.row(at);
    const { orders = 0, lastAt = 0 } = desk.runs.extent(other.run) ?? {};
    if (other.run === run || lastAt < startedAt || (orders === 0 && other.doubts === 0)) continue;
    read += 1;
    const record = await desk.entries(other.run).catch(undefinedWhenDamaged);
    const found = record && laterAmong({ run, entries }, [{ run: other.run, entries: record }]);
    if (found !== undefined) return found;
  }
  return undefined;
}
