/** Creates the next commit of a state, from the last one and the edits of its files. */
import { createHash } from 'node:crypto';
import { second, type Clock } from '../../base/clock.ts';
import { randomId } from '../../base/random.ts';
import { plainText } from '../../base/text.ts';
import { chainPath, encodeChange, headOf, readChain, type Author, type Change } from './chain.ts';
import type { Git } from './command.ts';
import { textsOf, type Tree } from './tree.ts';

/** The edits of files: their new text, or null for a removed one. */
export interface Edit {
  /** The commit message, one line. */
  readonly why: string;
  readonly files: ReadonlyMap<string, string | null>;
}

/** The author, the program and the time of a commit. */
export interface Committer {
  readonly git: Git;
  readonly author: () => Promise<Author>;
  readonly clock: Clock;
}

/** Creates the commit locally, without pushing it. */
export async function commitOn(
  tree: Tree,
  { why, files }: Edit,
  { git, author, clock }: Committer,
): Promise<Tree> {
  const last = tree.links.at(-1)?.change;
  const length = tree.commit?.length ?? 40;
  const change: Change = {
    seq: (last?.seq ?? 0) + 1,
    at: Math.max(Math.floor(clock.now() / second), last?.at ?? 0),
    by: await author(),
    why: plainText(why, 200),
    parent: tree.commit ?? '',
    files: Object.fromEntries(
      [...files].map(([path, text]) => [path, text === null ? null : blobId(text, length)]),
    ),
  };
  const line = encodeChange(change, headOf(tree.links));
  const chain = tree.chain + line;
  const temporary = `refs/deskhand/made/${randomId(12)}`;
  const all = new Map([...files, [chainPath, chain]]);
  const orders = importOrders(change, all, { name: temporary, length });
  const said = (await git(['fast-import', '--quiet', '--done', '--date-format=raw'], orders))
    .toString('utf8')
    .trim();
  const left = new Map(tree.files);
  const known = new Map(tree.known);
  for (const [path, id] of Object.entries(change.files)) {
    if (id === null) left.delete(path);
    else {
      left.set(path, id);
      known.set(id, files.get(path) ?? '');
    }
  }
  const links = readChain(chain);
  return { commit: said, links, chain, files: left, ...textsOf(left, git, known) };
}

/** The object id of a text. */
export function blobId(text: string, length: number): string {
  const bytes = Buffer.from(text, 'utf8');
  return createHash(length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex');
}

/** A commit as input of `git fast-import`: no work tree and no index. */
function importOrders(
  { by, at, why, parent }: Change,
  files: ReadonlyMap<string, string | null>,
  { name, length }: { readonly name: string; readonly length: number },
): string {
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const who = `${by.name} <${by.email}> ${at} +0000`;
  return [
    `commit ${name}\nmark :1\nauthor ${who}\ncommitter ${who}\n${data(`${why}\n`)}`,
    parent === '' ? '' : `from ${parent}\n`,
    ...[...files].map(([path, text]) =>
      text === null ? `D ${path}\n` : `M 100644 inline ${path}\n${data(text)}`,
    ),
    // The temporary name is removed; git keeps unnamed objects for two weeks, longer than a push
    // takes.
    `get-mark :1\nreset ${name}\nfrom ${'0'.repeat(length)}\n\ndone\n`,
  ].join('');
}
