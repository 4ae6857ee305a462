/**
 * The files of a pace, in memory: in the bundle, `shared-pace.ts` finds this in place of `node:fs`.
 * Nobody else reads them, and no process dies between two of their calls.
 */
import { constants } from 'node:fs';
import { systemError } from './proc.ts';
import { system } from './system.ts';

export { constants };

const pathsMax = 200; // a seed has some forty
const texts = new Map<string, string>();
const opened: (string | undefined)[] = [];

export function openSync(path: string, flags: string | number): number {
  refuseDead('openSync');
  const isNew = !texts.has(path);
  if (!isNew && flags === 'wx') throw systemError('EEXIST', 'open');
  if (isNew && texts.size >= pathsMax) texts.clear();
  if (isNew) texts.set(path, '');
  const free = opened.indexOf(undefined);
  const file = free === -1 ? opened.length : free;
  opened[file] = path;
  return file;
}

export function readFileSync(file: number): string {
  return texts.get(opened[file] ?? '') ?? '';
}

export function fstatSync(file: number): { readonly size: number } {
  return { size: readFileSync(file).length };
}

export function writeSync(file: number, text: string): void {
  texts.set(opened[file] ?? '', text);
}

export function closeSync(file: number): void {
  opened[file] = undefined;
}

export function statSync(): undefined {
  return undefined;
}

export function unlinkSync(path: string): void {
  refuseDead('unlinkSync');
  texts.delete(path);
}

function refuseDead(call: string): void {
  if (system.acting?.isDead) throw systemError('EIO', `${call} of the dead`);
}
