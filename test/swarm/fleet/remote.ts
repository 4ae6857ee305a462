/** A repository that machines share, in memory: what `git` would answer, and a link that fails. */
import { createHash } from 'node:crypto';
import { GitError, type Git } from '../../../src/stores/git/command.ts';

interface Commit {
  readonly text: string;
  /** Ids of its files by path. */
  readonly files: ReadonlyMap<string, string>;
}

/** The fault with a command that asks the remote. */
export const linkFaults = ['unreachable', 'lost-push', 'lost-answer', 'late-push'] as const;
export type LinkFault = (typeof linkFaults)[number];

export class Remote {
  /** Every object anyone made; an id names one permanently. */
  readonly blobs = new Map<string, string>();
  readonly commits = new Map<string, Commit>();
  /** Commits by the refs that name them. */
  readonly refs = new Map<string, string>();
  #late: (() => void)[] = [];

  /** Moves all refs or none. @returns whether each was where it was expected */
  push(moves: readonly Move[]): boolean {
    if (moves.some(({ ref, expected }) => (this.refs.get(ref) ?? '') !== expected)) return false;
    for (const { ref, commit } of moves) this.refs.set(ref, commit);
    return true;
  }

  /** A push whose sender gave up, and that the server takes in later. */
  pushLater(moves: readonly Move[]): void {
    this.#late.push(() => void this.push(moves));
  }

  deliverLate(): void {
    for (const push of this.#late.splice(0)) push();
  }
}

interface Move {
  readonly ref: string;
  readonly commit: string;
  /** Where it must be; empty when it must not be there. */
  readonly expected: string;
}

export interface Link {
  /** Waits for a turn; it may throw, as the process may be dead. */
  readonly act: <T>(command: string, work: () => T) => Promise<T>;
  /** What happens to the next command that asks the remote. */
  readonly fault: () => LinkFault | undefined;
}

/** The `git` of one clone. @param known the commits it has, kept between processes */
export function gitOf(remote: Remote, known: Set<string>, { act, fault }: Link): Git {
  const asked = (
    command: string,
    work: (fault: LinkFault | undefined) => string,
  ): Promise<Buffer> =>
    act(command, () => {
      const strikes = fault();
      if (strikes === 'unreachable') throw unreachable(command);
      return Buffer.from(work(strikes));
    });
  return async (words, input = '') => {
    const [command = '', ...rest] = words;
    switch (command) {
      case 'rev-parse':
        if (rest[0] === '--is-shallow-repository') return Buffer.from('false\n');
        throw new GitError(command, 'fatal: Needed a single revision'); // nothing was committed
      case 'ls-remote':
        return asked(command, () => lines(remote, rest.slice(2)));
      case 'fetch':
        return asked(command, () => {
          const commit = remote.refs.get(rest.at(-1) ?? '');
          if (commit === undefined) throw new GitError(command, 'fatal: could not find remote ref');
          known.add(commit);
          return '';
        });
      case 'push':
        return asked(command, (strikes) => pushed(remote, rest, strikes));
      case 'update-ref':
        return Buffer.from('');
      case 'fast-import':
        return Buffer.from(imported(remote, known, input));
      case 'ls-tree':
        return Buffer.from(listed(remote, rest.at(-1) ?? ''));
      case 'cat-file':
        return rest[0] === '--batch'
          ? Buffer.from(objects(remote, input))
          : has(known, rest.at(-1) ?? '');
      default:
        throw new Error(`the state never asked for git ${command}`);
    }
  };
}

function unreachable(command: string): GitError {
  return new GitError(command, 'fatal: unable to access the remote: Could not resolve host');
}

function has(known: ReadonlySet<string>, name: string): Buffer {
  if (known.has(name.replace('^{commit}', ''))) return Buffer.from('');
  throw new GitError('cat-file', `fatal: Not a valid object name ${name}`);
}

/** What is at each ref that is there. */
function lines({ refs }: Remote, names: readonly string[]): string {
  const there = names.filter((name) => refs.has(name));
  return there.map((name) => `${refs.get(name)}\t${name}\n`).join('');
}

const leaseWord = '--force-with-lease=';

function pushed(remote: Remote, words: readonly string[], strikes: LinkFault | undefined): string {
  const leases = words.filter((word) => word.startsWith(leaseWord));
  const expected = new Map(leases.map((word) => pairIn(word.slice(leaseWord.length))));
  const targets = words.filter((word) => !word.startsWith('-') && word.includes(':'));
  const moves = targets.map((word): Move => {
    const [commit, ref] = pairIn(word);
    return { ref, commit, expected: expected.get(ref) ?? '' };
  });
  const late = new GitError('push', '', { isTimeout: true });
  if (strikes === 'lost-push') throw late;
  if (strikes === 'late-push') {
    remote.pushLater(moves);
    throw late;
  }
  if (!remote.push(moves)) {
    throw new GitError('push', ' ! [rejected] (stale info)\nerror: failed to push some refs');
  }
  if (strikes === 'lost-answer') throw late;
  return '';
}

function pairIn(word: string): readonly [string, string] {
  const [left = '', right = ''] = word.split(':');
  return [left, right];
}

/** Reads what `git fast-import` is given for one commit. */
function imported(remote: Remote, known: Set<string>, input: string): string {
  const bytes = Buffer.from(input);
  let at = 0;
  const line = (): string => {
    const end = bytes.indexOf(0x0a, at);
    const text = bytes.toString('utf8', at, end);
    at = end + 1;
    return text;
  };
  const data = (): string => {
    const size = Number(line().replace('data ', ''));
    const text = bytes.toString('utf8', at, at + size);
    at += size + 1;
    return text;
  };
  let head: string[] = [];
  let message = '';
  let parent = '';
  const files = new Map<string, string>();
  for (let word = line(); word !== 'done'; word = line()) {
    if (word.startsWith('author ') || word.startsWith('committer ')) head.push(word);
    if (word.startsWith('committer ')) message = data();
    if (word.startsWith('from ') && !/^from 0+$/.test(word)) {
      parent = word.slice('from '.length);
      for (const [path, id] of remote.commits.get(parent)?.files ?? []) files.set(path, id);
    }
    if (word.startsWith('M ')) files.set(word.split(' ').slice(3).join(' '), blob(remote, data()));
    if (word.startsWith('D ')) files.delete(word.slice(2));
  }
  if (parent !== '') head = [`parent ${parent}`, ...head];
  const tree = digest(JSON.stringify([...files].toSorted(([a], [b]) => (a < b ? -1 : 1))));
  const text = [`tree ${tree}`, ...head, '', message].join('\n');
  const id = digest(`commit ${text}`);
  remote.commits.set(id, { text, files });
  known.add(id);
  return `${id}\n`;
}

function blob({ blobs }: Remote, text: string): string {
  const id = digest(`blob ${Buffer.byteLength(text)}\0${text}`);
  blobs.set(id, text);
  return id;
}

function digest(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

function listed({ commits }: Remote, commit: string): string {
  const files = [...(commits.get(commit)?.files ?? [])];
  return files.map(([path, id]) => `100644 blob ${id}\t${path}\0`).join('');
}

function objects({ blobs, commits }: Remote, input: string): string {
  const ids = input.split('\n').filter((id) => id !== '');
  return ids
    .map((id) => {
      const text = blobs.get(id) ?? commits.get(id)?.text;
      return text === undefined
        ? `${id} missing\n`
        : `${id} blob ${Buffer.byteLength(text)}\n${text}\n`;
    })
    .join('');
}
