/** How a lock is taken and released: single steps on a disk, so that tests can interleave them. */
import { sha256 } from '../json.ts';
import type { Life } from './owner.ts';

/**
 * One disk action, or one process lookup. `link` and `rename` return whether they succeeded: a link
 * fails if the name exists, a rename if the source does not.
 */
export type Step =
  | { readonly act: 'link' | 'rename'; readonly from: string; readonly to: string }
  | { readonly act: 'read' | 'remove'; readonly path: string }
  /** Names of files in the lock's folder. */
  | { readonly act: 'list'; readonly file: string }
  | { readonly act: 'check-owner'; readonly found: FoundText };

export type Answer = boolean | Found | Life | readonly string[] | undefined;
export type Steps<T> = Generator<Step, T, Answer>;

/** The result of reading a lock name. */
export type Found = FoundText | { readonly kind: 'absent' } | { readonly kind: 'unreadable' };

export interface FoundText {
  readonly kind: 'text';
  readonly text: string;
  readonly inode: string;
}

/** A process that takes or releases a lock: its complete record is in `owner` before it starts. */
export interface Claimant {
  readonly file: string;
  readonly owner: string;
  /** The unique text of the record in `owner`. */
  readonly text: string;
}

export type Outcome =
  /** The lock is ours; or, after a release, it is gone. */
  | { readonly kind: 'done' }
  /** Another process has the lock, or precedes us in taking over from an ended owner. */
  | { readonly kind: 'refused'; readonly found: Found; readonly life: Life }
  /** The holder of the lock changed during each attempt. */
  | { readonly kind: 'busy' };

const done: Outcome = { kind: 'done' };
const triesMax = 8;
const chainMax = 64; // consecutive owners that crashed during the takeover of one lock

/** Takes a lock, unless its holder changes at each attempt. */
export function* take(us: Claimant): Steps<Outcome> {
  for (let tries = 0; tries < triesMax; tries++) {
    const outcome = yield* attempt(us);
    if (outcome !== 'again') return outcome;
  }
  return { kind: 'busy' };
}

/**
 * The process that links its record to the lock's name holds the lock. The lock of an ended owner is first
 * removed by its only heir: see `succeed`.
 */
export function* attempt(us: Claimant): Steps<Outcome | 'again'> {
  if (yield* link(us.owner, us.file)) return done;
  const found = yield* read(us.file);
  if (found.kind === 'absent') return 'again'; // it was just released
  if (isOurs(found, us)) return done; // a network disk may lose the response to a successful link
  const life = yield* lifeOf(found);
  if (found.kind !== 'text' || life.state !== 'dead') return { kind: 'refused', found, life };
  return yield* succeed(us, found, { mayPass: isDead, next: () => link(us.owner, us.file) });
}

/**
 * Releases a lock after a person's confirmation that its owner is gone. One with a running owner is
 * never released.
 * @param expected the confirmed record; another one stays
 */
export function* free(us: Claimant, expected: FoundText): Steps<Outcome> {
  const found = yield* read(us.file);
  if (!isSame(found, expected)) return { kind: 'busy' };
  const life = yield* lifeOf(found);
  if (life.state === 'alive') return { kind: 'refused', found, life };
  const outcome = yield* succeed(us, expected, { mayPass: isNotAlive, next: none });
  return outcome === 'again' ? { kind: 'busy' } : outcome;
}

/** Releases our own lock; another one with its name is kept. */
export function* letGo(us: Claimant): Steps<void> {
  if (isOurs(yield* read(us.file), us)) yield* remove(us.file);
}

/**
 * Removes files of crashed processes next to a lock, in the order of names. Only the lock's owner
 * may do this: while an ended owner's record is at the lock's name, its register decides who
 * succeeds.
 */
export function* sweep(us: Claimant): Steps<void> {
  const own = registerOf(us.file, us.text);
  for (const path of yield* besides(us.file)) {
    if (path === own || path === us.owner) continue;
    if (yield* isLitter(path)) yield* remove(path);
  }
}

/**
 * A removed record belongs to another process; it can be deleted when that process has no owner
 * file.
 */
function* isLitter(path: string): Steps<boolean> {
  if (path.endsWith(awayEnd)) {
    return (yield* read(path.slice(0, -awayEnd.length))).kind === 'absent';
  }
  const found = yield* read(path);
  return found.kind === 'text' && (yield* lifeOf(found)).state === 'dead';
}

const awayEnd = '.away';

interface Succession {
  readonly mayPass: (life: Life) => boolean;
  /** The next step after the ended owner's record was removed. @returns whether it was done */
  readonly next: () => Steps<boolean>;
}

/**
 * Takes over from an ended owner. Each record has a register next to the lock, named by a digest of
 * the record, that is linked once: the process in it is the only heir, and only it may remove the
 * record. If the heir crashed too, the register of that record names the next; so there is at
 * most one running heir at any time, however long any process is suspended between two steps. A
 * register is removed only after the record is gone permanently, which a late process detects by
 * reading the lock again.
 */
function* succeed(
  us: Claimant,
  dead: FoundText,
  { mayPass, next }: Succession,
): Steps<Outcome | 'again'> {
  const registers: string[] = [];
  for (let last = dead; ;) {
    const register = registerOf(us.file, last.text);
    registers.push(register);
    if (yield* link(us.owner, register)) break;
    const heir = yield* read(register);
    if (heir.kind === 'absent') return 'again'; // another process completed the takeover
    if (isOurs(heir, us)) break;
    const life = yield* lifeOf(heir);
    if (heir.kind !== 'text' || !mayPass(life) || registers.length === chainMax) {
      return { kind: 'refused', found: heir, life };
    }
    last = heir;
  }
  const own = registers.at(-1) ?? '';
  const away = `${us.owner}${awayEnd}`;
  if (!isSame(yield* read(us.file), dead) || !(yield* rename(us.file, away))) {
    yield* remove(own);
    return 'again';
  }
  const taken = yield* read(away);
  if (taken.kind !== 'absent' && !isSame(taken, dead)) {
    // A person removed the old lock by hand and another process took it since: theirs is restored.
    if (yield* link(away, us.file)) yield* remove(away);
    yield* remove(own);
    return { kind: 'refused', found: taken, life: yield* lifeOf(taken) };
  }
  const isDone = yield* next();
  for (const path of [away, ...registers]) yield* remove(path);
  return isDone ? done : 'again';
}

/** The file name that registers the single heir of a record. */
function registerOf(file: string, text: string): string {
  return `${file}.${sha256(text).slice(0, 32)}.heir`;
}

const isDead = ({ state }: Life): boolean => state === 'dead';
const isNotAlive = ({ state }: Life): boolean => state !== 'alive';

// oxlint-disable-next-line require-yield
function* none(): Steps<boolean> {
  return true;
}

function isOurs(found: Found, { text }: Claimant): boolean {
  return found.kind === 'text' && found.text === text;
}

function isSame(found: Found, expected: FoundText): found is FoundText {
  return found.kind === 'text' && found.text === expected.text;
}

function* link(from: string, to: string): Steps<boolean> {
  return (yield { act: 'link', from, to }) === true;
}

function* rename(from: string, to: string): Steps<boolean> {
  return (yield { act: 'rename', from, to }) === true;
}

function* remove(path: string): Steps<void> {
  yield { act: 'remove', path };
}

function* read(path: string): Steps<Found> {
  const answer = yield { act: 'read', path };
  return isFound(answer) ? answer : { kind: 'unreadable' };
}

function* besides(file: string): Steps<readonly string[]> {
  const answer = yield { act: 'list', file };
  return Array.isArray(answer) ? answer : [];
}

function* lifeOf(found: Found): Steps<Life> {
  const unreadable: Life = { state: 'unknown', because: 'it is damaged' };
  if (found.kind !== 'text') return unreadable;
  const answer = yield { act: 'check-owner', found };
  return isLife(answer) ? answer : unreadable;
}

function isFound(answer: Answer): answer is Found {
  return typeof answer === 'object' && 'kind' in answer;
}

function isLife(answer: Answer): answer is Life {
  return typeof answer === 'object' && 'state' in answer;
}
