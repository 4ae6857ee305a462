/** Playbooks and their tests in the folders of a repository. */
import { existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../../base/error.ts';
import { UnreadableError } from '../../base/read-file.ts';
import { count, plainText } from '../../base/text.ts';
import { readInside, workspaceOf } from '../../base/workspace.ts';
import { looksLikePlaybook, notPlaybook } from '../../language/recognize.ts';

export interface FoundPlaybooks {
  readonly playbooks: readonly string[];
  /** YAML files of other tools, in the folders that were searched. */
  readonly others: readonly string[];
}

/** Playbooks of a folder: in its `playbooks`, else its `workflows`, else itself. */
export async function playbooksIn(folder: string): Promise<FoundPlaybooks> {
  const others: string[] = [];
  for (const place of ['playbooks', 'workflows', '.']) {
    const files = await yamlFilesIn(join(folder, place));
    const playbooks = files.filter((file) => isPlaybook(file, folder));
    others.push(...files.filter((file) => !playbooks.includes(file)));
    if (playbooks.length > 0) return { playbooks, others };
  }
  return { playbooks: [], others };
}

/**
 * Whether a file is a playbook. One that cannot be read counts as one: the command that reads it reports why.
 */
function isPlaybook(file: string, folder: string): boolean {
  try {
    return looksLikePlaybook(readInside(workspaceOf(folder), file).toString('utf8'));
  } catch (error) {
    if (error instanceof UnreadableError || (error instanceof Error && 'code' in error))
      return true;
    throw error;
  }
}

export interface PlaybookFiles {
  readonly files: readonly string[];
  /** YAML files of other tools in the same folder. */
  readonly skipped: readonly SkippedFile[];
}

export interface SkippedFile {
  readonly file: string;
  readonly because: string;
}

/** The playbooks in this folder. @throws UsageError if there is none */
export async function playbooksHere(): Promise<PlaybookFiles> {
  const { playbooks, others } = await playbooksIn('.');
  const skipped = others.map((file) => ({ file, because: notPlaybook }));
  if (playbooks.length > 0) return { files: playbooks, skipped };
  const [first, ...more] = others;
  const rest = more.length === 0 ? '' : ` and ${count(more.length, 'other file')}`;
  const beside =
    first === undefined ? '' : `; skipped ${plainText(first, 200)}${rest} (no key "playbook")`;
  throw new UsageError(`no playbook found here${beside}`, 'name one, or run `deskhand init`');
}

/** Tests in a folder and its subfolders; undefined for anything but a folder. */
export async function testsBelow(word: string): Promise<readonly string[] | undefined> {
  if (!existsSync(word) || !statSync(word).isDirectory()) return undefined;
  const entries = await readdir(word, { withFileTypes: true });
  const nested = await Promise.all(
    entries
      .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(async (entry) => {
        const path = join(word, entry.name);
        if (entry.isDirectory()) return (await testsBelow(path)) ?? [];
        return /\.test\.ya?ml$/.test(entry.name) ? [path] : [];
      }),
  );
  return nested.flat();
}

async function yamlFilesIn(folder: string): Promise<string[]> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  return names
    .filter(
      (name) => /\.ya?ml$/.test(name) && !/^(deskhand|guards)\.ya?ml$|\.test\.ya?ml$/.test(name),
    )
    .sort()
    .map((name) => join(folder, name));
}
