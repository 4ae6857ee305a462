/** Whether a damaged line of a journal was followed by others: then no crash has damaged it. */
import { DamagedRecordError, readRecord } from './record.ts';

/**
 * Whether a line was on the disk before others were written: then a crash cannot have damaged it. A
 * group is written and synced together, so any line of an unsynced group may be lost.
 * @param rest the journal from that line on, which ends at `end`
 */
export function wasFollowed(line: number, rest: string, end: number): boolean {
  if (end < 0) return false;
  const isWhole = groupOf(rest.slice(0, end)) !== undefined; // a whole line, but out of sequence
  return rest
    .slice(end + 1)
    .split('\n')
    .some((next) => {
      const group = groupOf(next);
      return group === undefined ? (groupIn(next) ?? 0) > line : isWhole || group > line;
    });
}

/**
 * The group of a line with a wrong checksum, if it is complete: two damaged groups are not caused
 * by a crash (but, for example, by changed line ends).
 */
function groupIn(line: string): number | undefined {
  const whole =
    /^[0-9a-f]{8} \d+ \{"seq":(\d+),[^\0]*?(?:,"group":(\d+))?,"prev":"[0-9a-f]{16}"\}\r?$/;
  const [, seq, group = seq] = whole.exec(line) ?? [];
  return group === undefined ? undefined : Number(group);
}

/** The group of a complete line. */
function groupOf(line: string): number | undefined {
  try {
    return readRecord(line).group;
  } catch (error) {
    if (error instanceof DamagedRecordError) return undefined;
    throw error;
  }
}
