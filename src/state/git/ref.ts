/** A ref of a repository as a small set of files that many machines change. */
import { second, type Millis } from '../../base/clock.ts';
import { messageOf } from '../../base/error.ts';
import { sha256 } from '../../base/json.ts';
import { systemRandom } from '../../base/random.ts';
import { plainText } from '../../base/text.ts';
import { StoreError } from '../store.ts';
import { headOf, proveHistory, TamperedError } from './chain.ts';
import { GitError } from './command.ts';
import { commitOn, type Committer, type Edit } from './commit.ts';
import type { Memory } from './memory.ts';
import { emptyTree, treeAt, type Tree } from './tree.ts';

export interface StateRef {
  /** What stands there now. @throws StoreError */
  read(): Promise<Tree>;
  /**
   * Changes it. The edit is made again whenever somebody else was faster.
   * @param start a tree that is believed to be the newest; read anew when absent
   * @throws StoreError, and whatever `edit` throws
   */
  change(edit: (tree: Tree) => Promise<Edit>, start?: Tree): Promise<Tree>;
}

export interface RefPlace extends Committer {
  readonly remote: string;
  readonly ref: string;
  /** Whether the repository has only the newest commits. */
  readonly isShallow: () => Promise<boolean>;
  /** What this machine saw last; kept between processes. */
  readonly memory: Memory;
}

const triesMax = 25; // each means that another machine's change went through
const waitMax: Millis = second;

/**
 * One commit for each change, made from what was read, and pushed only if nobody pushed since.
 * Nothing of the work tree, the index or any branch is touched.
 */
export function stateRef(place: RefPlace): StateRef {
  const read = (): Promise<Tree> => told(place, async () => telling(await readTree(place), place));
  return {
    read,
    change: async (edit, start) => {
      const random = systemRandom();
      let tree = start ?? (await read());
      for (let tries = 1; tries <= triesMax; tries++) {
        const made = await told(place, async () =>
          telling(await commitOn(tree, await edit(tree), place), place),
        );
        if (await told(place, () => push(made, tree, place))) {
          await remember(made, place);
          return made;
        }
        await place.clock.sleep(random.next() * Math.min(waitMax, 20 * 2 ** tries));
        tree = await read();
      }
      throw new StoreError(
        `${nameOf(place)} is changed by others all the time; nothing was sent`,
        'run it again in a minute',
      );
    },
  };
}

async function readTree(place: RefPlace): Promise<Tree> {
  const { git, remote, ref, memory } = place;
  const seen = await memory.read();
  for (let tries = 0; tries < 3; tries++) {
    const listed = (await git(['ls-remote', '--', remote, ref])).toString('utf8');
    const commit = listed
      .split('\n')
      .map((line) => line.split('\t'))
      .find(([, name]) => name === ref)?.[0];
    if (commit === undefined) {
      if (seen === undefined) return emptyTree;
      throw new TamperedError(`it is gone; line ${seen.seq} («${seen.why}») was seen here`);
    }
    if (seen?.commit !== commit || !(await has(commit, place))) {
      await fetch(place);
      if (!(await has(commit, place))) continue; // somebody pushed in between: look again
    }
    const tree = await treeAt(commit, git);
    if (seen !== undefined) proveHistory(tree.links, seen);
    if (seen?.commit !== commit) await remember(tree, place);
    return tree;
  }
  throw new StoreError(`${nameOf(place)} moves while it is read`, 'run it again');
}

async function has(commit: string, { git }: RefPlace): Promise<boolean> {
  return git(['cat-file', '-e', `${commit}^{commit}`]).then(
    () => true,
    () => false,
  );
}

/** One commit is enough in a shallow clone; a whole one keeps what it has to fetch less next time. */
async function fetch({ git, remote, ref, isShallow }: RefPlace): Promise<void> {
  const depth = (await isShallow()) ? ['--depth=1'] : [];
  await git(['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', ...depth, remote, ref]);
}

/** @returns false when somebody else was faster */
async function push(made: Tree, before: Tree, place: RefPlace): Promise<boolean> {
  const { git, remote, ref } = place;
  const lease = `--force-with-lease=${ref}:${before.commit ?? ''}`;
  const words = ['push', '--quiet', '--no-verify', lease];
  try {
    await git([...words, remote, `${made.commit}:${ref}`]);
    return true;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (isLost(error)) return false;
    // The answer may be lost and the push done: the ref itself tells.
    const now = await readTree(place);
    if (now.links.some(({ link }) => link === headOf(made.links))) return true;
    if (now.commit !== before.commit) return false;
    throw error;
  }
}

/** Somebody moved the ref, or is moving it right now. */
function isLost({ said }: GitError): boolean {
  return /\(stale info\)|\(fetch first\)|\(non-fast-forward\)|cannot lock ref|failed to update ref|reference already exists|incorrect old value|failed to lock/i.test(
    said,
  );
}

/** What was seen, for the next time; the ref keeps its objects and makes fetches small. */
async function remember({ commit, links }: Tree, { git, memory, ref }: RefPlace): Promise<void> {
  const last = links.at(-1);
  if (commit === undefined || last === undefined) return;
  await memory.write({ commit, seq: last.change.seq, link: last.link, why: last.change.why });
  const seen = `refs/deskhand/seen/${sha256(ref).slice(0, 12)}`;
  await git(['update-ref', seen, commit]).catch(() => undefined); // another process writes it
}

/** A tree whose texts fail as the store does. */
function telling(tree: Tree, place: RefPlace): Tree {
  return { ...tree, texts: (paths) => told(place, () => tree.texts(paths)) };
}

async function told<T>(place: RefPlace, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TamperedError) {
      throw new StoreError(
        `${nameOf(place)} is not as it was written: ${plainText(error.message)}; nothing was sent`,
        'find out who changed it; then put it back with «git push --force» to a commit that is whole',
        error,
      );
    }
    if (!(error instanceof GitError)) throw error;
    throw new StoreError(
      `${nameOf(place)} cannot be used: ${messageOf(error)}; nothing was sent`,
      'check the remote, the network and the right to push, then run it again',
      error,
    );
  }
}

function nameOf({ remote, ref }: RefPlace): string {
  return `the state store ${plainText(remote.replace(/(\w+:\/\/)[^\s/@]+@/, '$1'), 200)} ${ref}`;
}
