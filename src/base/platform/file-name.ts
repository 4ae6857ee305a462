/** File names that mean another file, or none, on some operating systems. */
import { plainText } from '../text.ts';

/** Windows devices, with any extension: writing `nul.csv` there writes nothing. */
const device =
  /^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$) *(?:\.|$)/i;

/** Characters that no name has on Windows; `a:b` there is a second content of the file `a`. */
// oxlint-disable-next-line no-control-regex -- control characters are meant
const forbidden = /[<>:"/\\|?*\u0000-\u001f]/;

/** Why a name (one part of a path) cannot be used for a file; undefined if it can be used. */
export function unusableName(name: string): string | undefined {
  if (device.test(name)) return 'it is the name of a device on Windows';
  if (name.endsWith('.')) return 'Windows drops the point at its end';
  if (name.endsWith(' ')) return 'Windows drops the blank at its end';
  return forbidden.test(name) ? 'Windows allows no < > : " / \\ | ? * in a name' : undefined;
}

/** Letters of any script with their marks, but none that is invisible. */
const part = /^(?![.\p{M}])(?:(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{Nd}._-]){1,100}$/u;
const bytesMax = 200; // of one part in UTF-8: a system allows 255, and temporary names are longer
const partsMax = 16; // nested folders; more is a mistake

/** Whether each part of a path has only letters, digits and `. _ -`, and no part is hidden or empty. */
export function hasPlainParts(file: string): boolean {
  return file.split('/').every(isPlainPart);
}

function isPlainPart(word: string): boolean {
  return part.test(word) && Buffer.byteLength(word) <= bytesMax;
}

/** Why a playbook cannot use this path for a file in the workspace; undefined if it can. */
export function unusableFile(file: string): string | undefined {
  const parts = file.split('/');
  const wrong = parts.find((word) => !isPlainPart(word));
  if (wrong !== undefined) return reasonOf(file, wrong);
  const unusable = parts.map(unusableName).find((because) => because !== undefined);
  if (unusable !== undefined) return unusable;
  return parts.length > partsMax ? `it has more than ${partsMax} parts` : undefined;
}

export const workspaceFileHint = 'name a file inside the workspace, such as out/volume.csv';

function reasonOf(file: string, wrong: string): string {
  if (file.startsWith('/')) return 'it is absolute';
  if (wrong === '..') return 'it has ".." in its path';
  if (wrong === '') return 'a part of it is empty';
  if (wrong.startsWith('.')) return 'a part of it begins with a dot';
  if (wrong.length > 100 || Buffer.byteLength(wrong) > bytesMax) {
    return `a part of it is longer than 100 characters, or ${bytesMax} bytes`;
  }
  return `"${plainText(wrong, 60)}" has characters other than letters, digits and . _ -`;
}

/**
 * The folded form of a name: names with the same form are one file where a file system ignores case
 * (macOS, Windows).
 */
export function foldedName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
