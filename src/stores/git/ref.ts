/** A ref of a repository as a small set of files changed by many machines. */
import { second, type Millis } from '../../base/clock.ts';
import { messageOf } from '../../base/error.ts';
import { sha256 } from '../../base/json.ts';
import { systemRandom } from '../../base/random.ts';
import { plainText } from '../../base/text.ts';
import { witnessOf } from '../settings.ts';
import { StoreError } from '../store.ts';
import { headOf, proveHistory, proveRoot, TamperedError } from './chain.ts';
import { GitError } from './command.ts';
import { commitOn, type Committer, type Edit } from './commit.ts';
import { refuseFormer, type Former } from './former.ts';
import type { Memory } from './memory.ts';
import { emptyTree, treeAt, type Tree } from './tree.ts';
import { addressOf, brokenState, goesOnFrom, goneState, goneWitness } from './witness.ts';

export interface StateRef {
  /** The current state. @throws StoreError */
  read(): Promise<Tree>;
  /**
   * Changes the state. The edit is repeated whenever another machine was faster.
   * @param start a tree that is assumed to be the newest; default: read again
   * @throws StoreError, and errors of `edit`
   */
  change(edit: (tree: Tree) => Promise<Edit>, start?: Tree): Promise<Tree>;
}

export interface RefPlace extends Committer {
  readonly remote: string;
  readonly ref: string;
  /** The link of the state's first line; optional, to refuse any other history. */
  readonly root?: string;
  /** The former location of the state, if the ref is the default. */
  readonly former?: Former;
  /** Whether the repository is a shallow clone. */
  readonly isShallow: () => Promise<boolean>;
  /** The last state that this machine fetched; stored between processes. */
  readonly memory: Memory;
}

const triesMax = 25; // each means that another machine's change was pushed
const waitMax: Millis = second;

const looksMax = 5; // attempts to list refs that others are moving

/**
 * A state in a ref: one commit for each change, based on what was read, and pushed only if no one pushed
 * since. A witness ref moves with it. The work tree, the index and all branches are unchanged.
 */
export function stateRef(place: RefPlace): StateRef {
  const read = (): Promise<Tree> =>
    naming(place, async () => withPlace(await readTree(place), place));
  const push = pusher(place);
  return {
    read,
    change: async (edit, start) => {
      const random = systemRandom();
      let tree = start ?? (await read());
      for (let tries = 1; tries <= triesMax; tries++) {
        const made = await naming(place, async () =>
          withPlace(await commitOn(tree, await edit(tree), place), place),
        );
        const pushed = await naming(place, () => push(made, tree));
        if (pushed !== undefined) {
          await remember(made, place);
          return { ...made, ...pushed };
        }
        await place.clock.sleep(random.next() * Math.min(waitMax, 20 * 2 ** tries));
        tree = await read();
      }
      throw new StoreError(
        `${nameOf(place)} is changed by other machines continuously; nothing was sent`,
        'run the command again in a minute',
      );
    },
  };
}

async function readTree(place: RefPlace): Promise<Tree> {
  const { memory } = place;
  const seen = await memory.read();
  let last: () => Promise<Error> = async () => moving(place);
  for (let looks = 1; looks <= looksMax; looks++) {
    const { state, witness } = await listed(place);
    const tree = state === undefined ? undefined : await standing(state, seen?.commit, place);
    if (state === undefined && witness === undefined) {
      if (seen !== undefined) {
        throw new TamperedError(`it is missing; line ${seen.seq} ("${seen.why}") was seen here`);
      }
      if (place.root !== undefined) throw goneState(place.root, place, seenRef(place.ref));
      if (place.former) await refuseFormer(place.former, place);
      return emptyTree;
    }
    if (tree !== undefined && goesOnFrom(witness, tree)) {
      if (seen !== undefined) proveHistory(tree.links, seen);
      if (place.root !== undefined) proveRoot(tree.links, place.root);
      if (place.root !== undefined && witness === undefined) throw goneWitness(tree, place);
      if (seen?.commit !== state) await remember(tree, place);
      return { ...tree, ...(witness !== undefined && { witness }) };
    }
    // A listing may show one of the two refs before and the other after a push: list again.
    const isMoving = witness === undefined || (state !== undefined && tree === undefined);
    last = async () => (isMoving ? moving(place) : broken(witness, tree, place));
    await place.clock.sleep(20 * 2 ** looks);
  }
  throw await last();
}

/** The error that refuses a state which does not continue from its witness; fetches the witness. */
async function broken(witness: string, state: Tree | undefined, place: RefPlace): Promise<Error> {
  const { git, remote, ref } = place;
  if (!(await brought(witness, witnessOf(ref), place))) return moving(place);
  const kept = await treeAt(witness, git).catch(ifTampered);
  return brokenState({ remote, ref, witness, kept, ...(state && { state }) });
}

function moving(place: RefPlace): StoreError {
  return new StoreError(`${nameOf(place)} changes while it is read`, 'run it again');
}

/** The files of the listed commit; undefined if someone pushed in between. */
async function standing(
  commit: string,
  seen: string | undefined,
  place: RefPlace,
): Promise<Tree | undefined> {
  const isHere = seen === commit && (await has(commit, place));
  if (!isHere && !(await brought(commit, place.ref, place))) return undefined;
  return treeAt(commit, place.git);
}

function ifTampered(error: unknown): TamperedError {
  if (error instanceof TamperedError) return error;
  throw error;
}

interface Listed {
  readonly state: string | undefined;
  readonly witness: string | undefined;
}

/** Lists the commits of the state and its witness, in one request. */
async function listed({ git, remote, ref }: RefPlace): Promise<Listed> {
  const beside = witnessOf(ref);
  const answer = (await git(['ls-remote', '--', remote, ref, beside])).toString('utf8');
  const lines = answer.split('\n').map((line) => line.split('\t'));
  const at = (wanted: string): string | undefined => lines.find(([, name]) => name === wanted)?.[0];
  return { state: at(ref), witness: at(beside) };
}

/** Fetches the commit of a ref. @returns whether the commit exists now */
async function brought(commit: string, ref: string, place: RefPlace): Promise<boolean> {
  await fetch(ref, place);
  return has(commit, place);
}

async function has(commit: string, { git }: RefPlace): Promise<boolean> {
  return git(['cat-file', '-e', `${commit}^{commit}`]).then(
    () => true,
    () => false,
  );
}

/**
 * Fetches a ref. One commit is enough in a shallow clone; a full clone keeps history, so later fetches are
 * smaller.
 */
async function fetch(ref: string, { git, remote, isShallow }: RefPlace): Promise<void> {
  const depth = (await isShallow()) ? ['--depth=1'] : [];
  await git(['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', ...depth, remote, ref]);
}

/** The result of a push: the witness's commit after it. */
interface Pushed {
  readonly witness: string | undefined;
}

/**
 * Prepares a push. @returns a function that pushes the next commit; undefined if another machine was faster
 */
function pusher(place: RefPlace): (made: Tree, before: Tree) => Promise<Pushed | undefined> {
  const { ref } = place;
  let isAtomic = true;
  const pushOnce = async (made: Tree, before: Tree): Promise<Pushed> => {
    const state = { ref, commit: made.commit, before: before.commit };
    const witness = { ref: witnessOf(ref), commit: made.commit, before: before.witness };
    if (isAtomic) {
      try {
        await pushRefs([state, witness], place);
        return { witness: made.commit };
      } catch (error) {
        if (!(error instanceof GitError && isNotAtomic(error))) throw error;
        isAtomic = false; // no ref was moved
      }
    }
    await pushRefs([state], place);
    return follow(made, before.witness, place);
  };
  return async (made, before) => {
    try {
      return await pushOnce(made, before);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      if (isLost(error)) return undefined;
      // The response may be lost after the push: the ref shows whether it was done.
      const { links, commit, witness } = await readTree(place);
      if (links.some(({ link }) => link === headOf(made.links))) return { witness };
      if (commit !== before.commit || witness !== before.witness) return undefined;
      throw error;
    }
  };
}

interface Move {
  readonly ref: string;
  readonly commit: string | undefined;
  /** The expected commit of the ref; absent if it must not exist. */
  readonly before: string | undefined;
}

/** Moves all refs or none. */
async function pushRefs(moves: readonly Move[], { git, remote }: RefPlace): Promise<void> {
  const leases = moves.map(({ ref, before = '' }) => `--force-with-lease=${ref}:${before}`);
  const atomic = moves.length > 1 ? ['--atomic'] : [];
  const targets = moves.map(({ ref, commit }) => `${commit}:${ref}`);
  await git(['push', '--quiet', '--no-verify', ...atomic, ...leases, remote, ...targets]);
}

/** Moves the witness after the state, on a remote without atomic pushes; never back. */
async function follow(made: Tree, before: string | undefined, place: RefPlace): Promise<Pushed> {
  let witness = before;
  for (let tries = 0; tries < 3 && goesOnFrom(witness, made); tries++) {
    try {
      await pushRefs([{ ref: witnessOf(place.ref), commit: made.commit, before: witness }], place);
      return { witness: made.commit };
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      ({ witness } = await listed(place));
      if (witness === made.commit) break;
    }
  }
  if (witness !== undefined) return { witness }; // outdated until the next change moves it
  throw new StoreError(
    `${nameOf(place)} has no witness: ${witnessOf(place.ref)} cannot be pushed; nothing was sent`,
    'grant the right to push both refs, then run the command again',
  );
}

function isNotAtomic({ said }: GitError): boolean {
  return /does not support .*atomic/i.test(said);
}

/** The messages of git when another machine moved the ref, or is moving it right now. */
const lost =
  /\(stale info\)|\(fetch first\)|\(non-fast-forward\)|cannot lock ref|failed to update ref|reference already exists|incorrect old value|failed to lock/i;
const isLost = ({ said }: GitError): boolean => lost.test(said);

function seenRef(ref: string): string {
  return `refs/deskhand/seen/${sha256(ref).slice(0, 12)}`;
}

/** Stores the state that was seen; a local ref keeps its objects and makes fetches small. */
async function remember({ commit, links }: Tree, { git, memory, ref }: RefPlace): Promise<void> {
  const last = links.at(-1);
  if (commit === undefined || last === undefined) return;
  await memory.write({ commit, seq: last.change.seq, link: last.link, why: last.change.why });
  await git(['update-ref', seenRef(ref), commit]).catch(() => undefined); // another process is writing it
}

/** The tree, with the place named in the errors of its reads. */
function withPlace(tree: Tree, place: RefPlace): Tree {
  return { ...tree, texts: (paths) => naming(place, () => tree.texts(paths)) };
}

async function naming<T>(place: RefPlace, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TamperedError) {
      throw new StoreError(
        `${nameOf(place)} was tampered with: ${plainText(error.message)}; nothing was sent`,
        error.remedy ??
          'find out who changed it; then put it back with `git push --force` to an intact commit',
        error,
      );
    }
    if (!(error instanceof GitError)) throw error;
    throw new StoreError(
      `${nameOf(place)} cannot be used: ${messageOf(error)}; nothing was sent`,
      'check the remote, the network and the right to push, then run the command again',
      error,
    );
  }
}

function nameOf({ remote, ref }: RefPlace): string {
  return `the state store ${addressOf(remote)} ${ref}`;
}
