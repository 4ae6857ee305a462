/** Whether a folder changed: a text that changes with the names in it. */
import { lstatSync } from 'node:fs';

export function folderStamp(path: string): string {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? '-' : `${found.ino} ${found.mtimeNs} ${found.ctimeNs};`;
}
