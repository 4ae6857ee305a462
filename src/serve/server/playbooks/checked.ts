/** The playbooks of a desk, checked as by `validate`. A file that did not change is not checked again,
 * unless a file that it uses changed.
 */
import { join, relative } from 'node:path';
import { readInside, workspaceOf } from '../../../base/workspace.ts';
import { playbooksIn } from '../../../app/config/playbook-files.ts';
import { stampText } from '../../../engine/journal/stamp.ts';
import { checkedFiles, type CheckedFile } from '../../../language/format.ts';
import { loadPlaybook } from '../../../language/load.ts';
import type { Playbook } from '../../../language/playbook.ts';
import type { Desk } from '../desk.ts';
import { NotFoundError } from '../failure.ts';

export interface Checked {
  /** The path of the playbook, relative to the desk. */
  readonly file: string;
  readonly text: string;
  /** The checked playbook; absent if a problem is an error. */
  readonly playbook?: Playbook;
  /** The checked files: the playbook first, then files that it uses, if they have problems. */
  readonly files: readonly CheckedFile[];
}

/** The paths of a desk's playbooks, relative to its folder, as its commands take them. */
export async function playbookFiles({ folder }: Pick<Desk, 'folder'>): Promise<readonly string[]> {
  const { playbooks } = await playbooksIn(folder);
  return playbooks.map((path) => relative(folder, path));
}

/**
 * A checked playbook of a desk. @throws NotFoundError unless the desk lists it: no other file is
 * read
 */
export async function checkedPlaybook(desk: Desk, file: string): Promise<Checked> {
  const files = await playbookFiles(desk);
  if (files.includes(file)) return checked(desk, file);
  throw new NotFoundError(`no playbook ${file}`, 'see `deskhand validate`');
}

interface Known {
  readonly checked: Checked;
  /** Files that the result was made from, with their stamps. */
  readonly stamps: ReadonlyMap<string, string>;
}

const known = new WeakMap<Desk, Map<string, Known>>();

/** Checks a playbook. @throws UnreadableError, the error of the system */
export function checked(desk: Desk, file: string): Checked {
  const all = known.get(desk) ?? new Map<string, Known>();
  known.set(desk, all);
  const stampNow = (name: string): string => stampText(join(desk.folder, name));
  const found = all.get(file);
  if (found !== undefined && [...found.stamps].every(([name, was]) => was === stampNow(name))) {
    return found.checked;
  }
  const stamps = new Map([[file, stampNow(file)]]); // before they are read
  const workspace = workspaceOf(desk.folder);
  const read = (name: string): Buffer => readInside(workspace, join(desk.folder, name));
  const include = (name: string): Buffer | undefined => {
    stamps.set(name, stampNow(name));
    try {
      return read(name);
    } catch (error) {
      if (error instanceof Error && 'code' in error) return undefined;
      throw error;
    }
  };
  const bytes = read(file);
  const text = bytes.toString('utf8'); // for display: that it is not UTF-8 is one of its problems
  const loaded = loadPlaybook(bytes, file, { include, ...desk.limits });
  const result: Checked = {
    file,
    text,
    ...(loaded.playbook && { playbook: loaded.playbook }),
    files: checkedFiles({ file, text }, loaded),
  };
  all.set(file, { checked: result, stamps });
  return result;
}
