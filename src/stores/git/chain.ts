/** The chain file, which proves all others: one line for each change of the state, chained like a journal. */
import { isRecord } from '../../base/json.ts';
import {
  chainStart,
  DamagedRecordError,
  frame,
  linkOf,
  unframe,
} from '../../engine/journal/record.ts';

/** Path of the chain file in the tree. */
export const chainPath = 'chain';

export interface Author {
  readonly name: string;
  readonly email: string;
}

/**
 * One change, as stored in its line. It names the previous commit, the author, and the id of each file: the
 * whole commit follows from it, so no part of the commit can be changed unnoticed.
 */
export interface Change {
  readonly seq: number;
  /** The time of the change in Unix seconds, used as the commit's dates. */
  readonly at: number;
  readonly by: Author;
  /** A description of the change; the message of the commit. */
  readonly why: string;
  /** The id of the previous commit; empty for the first. */
  readonly parent: string;
  /** Changed files, with git's ids of their content; null for a removed one. */
  readonly files: Readonly<Record<string, string | null>>;
}

export interface Link {
  readonly change: Change;
  /** The link that the next line must carry. */
  readonly link: string;
}

/** The error when the state was modified outside deskhand. */
export class TamperedError extends Error {
  override readonly name = 'TamperedError';
  /** How to restore the state, if known. */
  readonly remedy: string | undefined;

  constructor(message: string, remedy?: string) {
    super(message);
    this.remedy = remedy;
  }
}

export function encodeChange(change: Change, prev: string): string {
  return frame(JSON.stringify({ ...change, prev }));
}

/** @throws TamperedError naming the first changed line */
export function readChain(text: string): readonly Link[] {
  const links: Link[] = [];
  const lines = text.split('\n');
  if (lines.pop() !== '') throw new TamperedError(`${chainPath} has no end`);
  for (const [index, line] of lines.entries()) {
    const prev = links.at(-1)?.link ?? chainStart;
    try {
      links.push(readLine(line, index + 1, prev));
    } catch (error) {
      if (!(error instanceof DamagedRecordError)) throw error;
      throw new TamperedError(`line ${index + 1} of ${chainPath} was changed: ${error.message}`);
    }
  }
  return links;
}

/** The link of the last line, which the next line names as its previous one. */
export function headOf(links: readonly Link[]): string {
  return links.at(-1)?.link ?? chainStart;
}

function readLine(line: string, seq: number, prev: string): Link {
  const json = unframe(line);
  const value: unknown = JSON.parse(json);
  if (!isChange(value)) throw new DamagedRecordError('no change of a state');
  if (value.seq !== seq || value.prev !== prev) {
    throw new DamagedRecordError('it does not follow the line before');
  }
  return { change: value, link: linkOf(json) };
}

/** Whether a value is a change. Fields are not checked: the checksum proves that deskhand wrote it. */
function isChange(value: unknown): value is Change & { readonly prev: string } {
  return (
    isRecord(value) &&
    Number.isSafeInteger(value['seq']) &&
    Number.isSafeInteger(value['at']) &&
    typeof value['why'] === 'string' &&
    typeof value['parent'] === 'string' &&
    isRecord(value['by']) &&
    isRecord(value['files'])
  );
}

/** The files after all changes, with the last change of each. */
export function filesAfter(links: readonly Link[]): ReadonlyMap<string, Standing> {
  const files = new Map<string, Standing>();
  for (const { change } of links) {
    for (const [path, id] of Object.entries(change.files)) {
      if (id === null) files.delete(path);
      else files.set(path, { id, change });
    }
  }
  return files;
}

export interface Standing {
  readonly id: string;
  readonly change: Change;
}

/**
 * Compares a commit with its chain: every file, its message, its dates and the previous commit.
 * @param commit the commit's own text
 * @param tree ids of its files by path
 * @throws TamperedError naming what was changed
 */
export function proveCommit(
  commit: string,
  tree: ReadonlyMap<string, string>,
  links: readonly Link[],
): void {
  const expected = filesAfter(links);
  for (const [path, { id, change }] of expected) {
    const found = tree.get(path);
    if (found === id) continue;
    const what = found === undefined ? 'is missing' : 'was changed';
    throw new TamperedError(`${path} ${what} since "${change.why}" wrote it (line ${change.seq})`);
  }
  const foreign = [...tree.keys()].find((path) => path !== chainPath && !expected.has(path));
  if (foreign !== undefined) throw new TamperedError(`${foreign} is not in the chain`);
  const last = links.at(-1)?.change;
  if (last === undefined) throw new TamperedError(`${chainPath} is empty`);
  const [head = '', ...rest] = commit.split('\n');
  const meant = commitText(last).split('\n');
  if (!head.startsWith('tree ')) throw new TamperedError('the commit has no tree');
  const at = meant.findIndex((line, index) => line !== rest[index]);
  if (at === -1 && rest.length === meant.length) return;
  const line = at === -1 ? 'something after its end' : `"${rest[at] ?? ''}"`;
  throw new TamperedError(
    `the commit of line ${last.seq} holds ${line}; ${meant[at] ? `it was written as "${meant[at]}"` : 'it was written without'}`,
  );
}

/** The text of a commit without its first line, which names the tree. */
function commitText({ parent, by, at, why }: Change): string {
  const who = `${by.name} <${by.email}> ${at} +0000`;
  const before = parent === '' ? [] : [`parent ${parent}`];
  return [...before, `author ${who}`, `committer ${who}`, '', why, ''].join('\n');
}

/** Refuses a chain that lacks or changes lines that this machine has seen before. @throws TamperedError */
export function proveHistory(links: readonly Link[], seen: Seen): void {
  const found = links[seen.seq - 1];
  if (found?.link === seen.link) return;
  const what = found === undefined ? `ends before it, at line ${links.length}` : 'holds another';
  throw new TamperedError(
    `history was rewritten: line ${seen.seq} ("${seen.why}") was seen here, and ${chainPath} now ${what}`,
  );
}

/** Identifies a state by its first line, which no later change can alter. */
export function rootOf(links: readonly Link[]): string | undefined {
  return links[0]?.link;
}

/** @throws TamperedError for a history with another first line than the configuration names */
export function proveRoot(links: readonly Link[], root: string): void {
  if (links[0]?.link === root) return;
  throw new TamperedError(
    `it is another history: it begins with ${rootOf(links)}, and state.root says ${root}`,
    'find out who replaced it, then restore it from a clone that used it',
  );
}

/** The newest line that a machine has seen. */
export interface Seen {
  readonly commit: string;
  readonly seq: number;
  readonly link: string;
  readonly why: string;
}
