/** A pace in a small locked file, so that all processes of a machine share one rate limit. */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { makeFoldersSync } from '../../base/folder.ts';
import { second, type Clock, type Millis } from '../../base/clock.ts';
import { isCode, messageOf } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { randomId } from '../../base/random.ts';
import type { Limit } from '../api/operation.ts';
import { waitFor, type Pace, type Turn } from './pace.ts';

/** The times of calls on the wall clock, the only clock with the same meaning in two processes. */
interface Journeys {
  readonly answered: readonly Millis[];
  /** The times at which calls without a response were sent, by the calls' ids. */
  readonly out: Readonly<Record<string, Millis>>;
  readonly heldUntil: Millis;
}

const outMax: Millis = 30 * second; // no attempt lasts longer; its process must have crashed
const pollMs: Millis = 20; // how often the file is polled for another process's response
const lockPollMs: Millis = 2;
const lockMax: Millis = 2 * second; // a lock is held for a fraction of a millisecond
const holdMax: Millis = 5 * 60 * second; // the exchange's longest ban

/** @param path the file of one limit; its folder is created if missing */
export function sharedPace(path: string, limit: Limit, clock: Clock): Pace {
  makeFoldersSync(dirname(path), 0o700);
  const change = async <T>(
    work: (journeys: Journeys, now: Millis) => readonly [Journeys, T],
  ): Promise<T> =>
    locked(path, clock, () =>
      rewritten(path, (stored) => {
        const now = clock.now();
        const [changed, result] = work(read(stored, limit, now), now);
        return [JSON.stringify(changed), result];
      }),
    );
  const comeBack = async (id: string): Promise<void> =>
    afterwards(
      change(({ answered, out: { [id]: _back, ...out }, heldUntil }, now) => [
        { answered: [...answered, now].slice(-limit.permits), out, heldUntil },
        undefined,
      ]),
    );
  return {
    take: async () =>
      change<Turn>((journeys, now) => {
        const ms = waitIn(journeys, limit, now);
        // The corrected values are written back, so that a time replaced by now is replaced only
        // once.
        if (ms > 0) return [journeys, { kind: 'wait', ms }];
        const id = randomId(8);
        const slot = { answered: async () => comeBack(id) };
        const out = { ...journeys.out, [id]: now };
        return [
          { ...journeys, out },
          { kind: 'go', slot },
        ];
      }),
    hold: async (ms) =>
      afterwards(
        change((journeys, now) => [
          { ...journeys, heldUntil: Math.max(journeys.heldUntil, now + ms) },
          undefined,
        ]),
      ),
  };
}

/**
 * A record that cannot be written after the call must not hide the call's response: it is a
 * warning, and the entry expires.
 */
async function afterwards(writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    process.emitWarning(`the shared pace was not written: ${messageOf(error)}`);
  }
}

function waitIn({ answered, out, heldUntil }: Journeys, limit: Limit, now: Millis): Millis {
  const ms = waitFor({ answered, out: Object.keys(out).length }, limit, now);
  return Math.max(heldUntil - now, Math.min(ms, ms === Infinity ? pollMs : ms));
}

/** Reads the stored record as it counts now; an unreadable one counts as full. */
function read(text: string, limit: Limit, now: Millis): Journeys {
  const stored = text === '' ? {} : stateIn(text);
  if (stored === undefined) return { answered: [], out: {}, heldUntil: now + limit.per };
  const heldUntil = Number(stored['heldUntil'] ?? 0);
  const answered = Array.isArray(stored['answered']) ? stored['answered'].map(Number) : [];
  const out = isRecord(stored['out']) ? Object.entries(stored['out']) : [];
  return {
    // A time after now was written before the wall clock was set back: it counts as now.
    answered: answered
      .filter(Number.isFinite)
      .map((at) => Math.min(at, now))
      .sort((a, b) => a - b),
    out: Object.fromEntries(
      out.map(([id, at]) => [id, Math.min(Number(at), now)] as const).filter(isStillOut(now)),
    ),
    heldUntil: heldUntil - now > holdMax ? 0 : heldUntil,
  };
}

const isStillOut =
  (now: Millis) =>
  ([, at]: readonly [string, Millis]): boolean =>
    now - at < outMax;

function stateIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Changes the text of a file in place, padded with spaces to its previous length. Some file systems
 * sync a truncated and rewritten file immediately, which takes as long as a call.
 */
function rewritten<T>(path: string, change: (text: string) => readonly [string, T]): T {
  const file = openSync(
    path,
    constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0),
    0o600,
  );
  try {
    const [text, result] = change(readFileSync(file, 'utf8'));
    writeSync(file, text.padEnd(fstatSync(file).size), 0);
    return result;
  } finally {
    closeSync(file);
  }
}

/** Runs `work`, which must be synchronous, while no other process does. */
async function locked<T>(path: string, clock: Clock, work: () => T): Promise<T> {
  const lock = `${path}.lock`;
  while (!lockedNow(lock)) {
    removeStale(lock, clock.now());
    await clock.sleep(lockPollMs);
  }
  try {
    return work();
  } finally {
    unlock(lock);
  }
}

function lockedNow(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx', 0o600));
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/**
 * Removes the lock of a crashed process; two processes that do so together may at worst lose one
 * departure.
 */
function removeStale(lock: string, now: Millis): void {
  const known = statSync(lock, { throwIfNoEntry: false });
  // A lock from the future was created before the wall clock was set back.
  if (known && Math.abs(now - known.mtimeMs) > lockMax) unlock(lock);
}

/** Removes a lock; another process may have considered it stale and removed it. */
function unlock(lock: string): void {
  try {
    unlinkSync(lock);
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
  }
}
