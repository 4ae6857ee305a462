/** The files of runs that some work opens, and the folders that it lists. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

export async function openedIn(
  stateDir: string,
  work: () => Promise<unknown>,
): Promise<readonly string[]> {
  const paths: string[] = [];
  const { openSync, readFileSync: readSync, readdirSync } = fs;
  const before = { openSync, readFileSync: readSync, readdirSync };
  const { open } = fs.promises;
  const noting = <A extends readonly [unknown, ...unknown[]], R>(of: (...given: A) => R) => {
    return (...given: A): R => {
      paths.push(String(given[0]));
      return of(...given);
    };
  };
  Object.assign(fs, {
    openSync: noting(openSync),
    readFileSync: noting(readSync),
    readdirSync: noting(readdirSync),
  });
  Object.assign(fs.promises, { open: noting(open) });
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    Object.assign(fs, before);
    Object.assign(fs.promises, { open });
    syncBuiltinESMExports();
  }
  return paths.filter((path) => path.startsWith(join(stateDir, 'runs')));
}
