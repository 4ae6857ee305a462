/** A pace in a small locked file, so that all processes of a machine keep one rate limit together. */
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
import { makeFoldersSync } from '../base/folder.ts';
import { second, type Clock, type Millis } from '../base/clock.ts';
import { isCode, messageOf } from '../base/error.ts';
import { isRecord } from '../base/json.ts';
import { randomId } from '../base/random.ts';
import type { Limit } from '../api/operation.ts';
import { waitFor, type Pace, type Turn } from './pace.ts';

/** Wall-clock moments: the only ones that mean the same to two processes. */
interface Journeys {
  readonly answered: readonly Millis[];
  /** When calls without an answer left, by their id. */
  readonly out: Readonly<Record<string, Millis>>;
  readonly heldUntil: Millis;
}

const outMax: Millis = 30 * second; // no attempt lasts longer; its process must have died
const pollMs: Millis = 20; // how often another process's answer is looked for
const lockPollMs: Millis = 2;
const lockMax: Millis = 2 * second; // a lock is held for a fraction of a millisecond
const holdMax: Millis = 5 * 60 * second; // the longest the venue shuts anyone out

/** @param path the file of one limit; its folder is made when missing */
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
        // What was read is written back, so that a moment taken as now is not taken so permanently.
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
 * A record that cannot be written once the call is done must not hide the call's answer: it is
 * said as a warning, and the entry runs out automatically.
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

/** What is stored, as of now; one that cannot be read may have been full a moment ago. */
function read(text: string, limit: Limit, now: Millis): Journeys {
  const stored = text === '' ? {} : stateIn(text);
  if (stored === undefined) return { answered: [], out: {}, heldUntil: now + limit.per };
  const heldUntil = Number(stored['heldUntil'] ?? 0);
  const answered = Array.isArray(stored['answered']) ? stored['answered'].map(Number) : [];
  const out = isRecord(stored['out']) ? Object.entries(stored['out']) : [];
  return {
    // A moment after now was written before the wall clock was set back: it is taken as now.
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
 * Changes the text of a file in its place: blanks fill it up to the length it had. A file cut to
 * nothing and rewritten would be put on the disk at once by some file systems, which takes as
 * long as a call.
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

/** Runs `work`, which must not wait for anything, while no other process does. */
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

/** A process died inside; two that find this out together may at worst forget one departure. */
function removeStale(lock: string, now: Millis): void {
  const held = statSync(lock, { throwIfNoEntry: false });
  // One from the future was made before the wall clock was set back.
  if (held && Math.abs(now - held.mtimeMs) > lockMax) unlock(lock);
}

/** Someone else may have taken the lock for left behind, and away. */
function unlock(lock: string): void {
  try {
    unlinkSync(lock);
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
  }
}
