/** Playbooks and their tests in the folders of a repository. */
import { existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Playbooks of a folder: in its `playbooks`, else its `workflows`, else itself. */
export async function playbooksIn(folder: string): Promise<readonly string[]> {
  const places = ['playbooks', 'workflows', '.'].map((name) => join(folder, name));
  const found = await Promise.all(places.map(yamlFilesIn));
  return found.find((names) => names.length > 0) ?? [];
}

/** Tests in a folder and its subfolders. Undefined for anything but a folder. */
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
