/** File names that mean another file, or none, on some operating systems. */

import { thisSystem, type System } from './system.ts';

/** Windows devices, with any extension: writing `nul.csv` there writes nothing. */
const device =
  /^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$) *(?:\.|$)/i;

/** Characters that no name has on Windows; `a:b` there is a second content of the file `a`. */
// oxlint-disable-next-line no-control-regex -- control characters are meant
const forbidden = /[<>:"/\\|?*\u0000-\u001f]/;

/** Why a name, one part of a path, cannot be used for a file; undefined if it can. */
export function unusableName(name: string): string | undefined {
  if (device.test(name)) return 'it is the name of a device on Windows';
  if (name.endsWith('.')) return 'Windows drops the point at its end';
  if (name.endsWith(' ')) return 'Windows drops the blank at its end';
  return forbidden.test(name) ? 'Windows allows no < > : " / \\ | ? * in a name' : undefined;
}

/** Names with the same text here are one file where a file system ignores case, as on macOS and Windows. */
export function foldedName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** A path as repositories have it on every system: with slashes. Windows has backslashes as well. */
export function repositoryPath(path: string, system: System = thisSystem): string {
  return system === 'win32' ? path.replaceAll('\\', '/') : path;
}
