/** The files of a state in one commit, verified by its chain. */
import { plainText } from '../../base/text.ts';
import { chainPath, proveCommit, readChain, TamperedError, type Link } from './chain.ts';
import type { Git } from './command.ts';

/** The files in one commit. */
export interface Tree {
  /** The id of the commit; absent before the first change. */
  readonly commit?: string;
  /** The commit that the witness named when it was read; absent if there was none. */
  readonly witness?: string | undefined;
  readonly links: readonly Link[];
  /** The text of the chain file in this commit. */
  readonly chain: string;
  /** Ids of files by path, without the chain. */
  readonly files: ReadonlyMap<string, string>;
  /** Short texts by id that this process wrote or read: claims, which every change reads. */
  readonly known: ReadonlyMap<string, string>;
  /** Reads the texts of files by path; missing files are omitted. */
  texts(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export const emptyTree: Tree = {
  links: [],
  chain: '',
  files: new Map(),
  known: new Map(),
  texts: async () => new Map(),
};

/** Reads the tree of a commit. @throws TamperedError when it does not match its chain */
export async function treeAt(commit: string, git: Git): Promise<Tree> {
  const listing = (await git(['ls-tree', '-r', '-z', commit])).toString('utf8');
  const files = new Map(
    listing
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => {
        const [about = '', path = ''] = line.split('\t');
        const [mode, , id = ''] = about.split(' ');
        if (mode !== '100644') throw new TamperedError(`${plainText(path)} is not a plain file`);
        return [path, id] as const;
      }),
  );
  const chainId = files.get(chainPath);
  if (chainId === undefined) throw new TamperedError(`${chainPath} is missing`);
  const [text = '', chain = ''] = await objects([commit, chainId], git);
  const links = readChain(chain);
  proveCommit(text, files, links);
  files.delete(chainPath);
  return { commit, links, chain, files, ...textsOf(files, git) };
}

/**
 * The known texts of a tree's files. @param before texts of other trees: kept if a file here has the same id
 */
export function textsOf(
  files: ReadonlyMap<string, string>,
  git: Git,
  before: ReadonlyMap<string, string> = new Map(),
): Pick<Tree, 'known' | 'texts'> {
  const ids = new Set(files.values());
  const isShort = (text: string): boolean => text.length <= 4_096; // journals are not stored twice
  const known = new Map([...before].filter(([id, text]) => ids.has(id) && isShort(text)));
  const texts: Tree['texts'] = async (paths) => {
    const there = paths.flatMap((path) => {
      const id = files.get(path);
      return id === undefined ? [] : [{ path, id }];
    });
    const left = there.map(({ id }) => id).filter((id) => !known.has(id));
    const answer = left.length === 0 ? [] : await objects(left, git);
    const read = new Map(left.map((id, index) => [id, answer[index] ?? '']));
    for (const [id, text] of read) if (isShort(text)) known.set(id, text);
    return new Map(there.map(({ path, id }) => [path, known.get(id) ?? read.get(id) ?? '']));
  };
  return { known, texts };
}

/** Reads several objects by id in one call. */
async function objects(ids: readonly string[], git: Git): Promise<string[]> {
  const answer = await git(['cat-file', '--batch'], ids.map((id) => `${id}\n`).join(''));
  const texts: string[] = [];
  let at = 0;
  for (const id of ids) {
    const end = answer.indexOf(0x0a, at);
    const size = Number(answer.toString('utf8', at, end).split(' ')[2]);
    if (!Number.isSafeInteger(size)) throw new TamperedError(`object ${id} is missing`);
    texts.push(answer.toString('utf8', end + 1, end + 1 + size));
    at = end + 1 + size + 1;
  }
  return texts;
}
