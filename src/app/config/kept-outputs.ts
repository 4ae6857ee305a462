/** Where files of runs are kept: `outputs: { keep: store, max: 64MiB }`. */
import { fieldsOf, inside, textIn, wordIn, wrong, type Fields } from './fields.ts';

export interface OutputSettings {
  /**
   * Where files are kept. Default: for a worker the store, because no person is at its machine; else the
   * workspace.
   */
  readonly keep?: 'store' | 'workspace';
  /** Maximum bytes of a file in the store; a larger file stays in the workspace. */
  readonly max: number;
}

const mebibyte = 1024 * 1024;

/** Maximum bytes of all files of a run in the store. */
export const outputsOfRunMax = 1024 * mebibyte;

export const outputDefaults: OutputSettings = { max: 64 * mebibyte };

/** @throws ConfigError */
export function outputsOf(top: Fields): OutputSettings | undefined {
  if (top.values['outputs'] === undefined) return undefined;
  const fields = fieldsOf(top.values['outputs'], inside(top, 'outputs'), ['keep', 'max']);
  const keep = wordIn(fields, 'keep', ['store', 'workspace']);
  return { ...(keep && { keep }), max: maxIn(fields) };
}

const units = { KiB: 1024, MiB: mebibyte, GiB: 1024 * mebibyte } as const;

function maxIn(fields: Fields): number {
  const text = textIn(fields, 'max');
  if (text === undefined) return outputDefaults.max;
  const [, count, unit] = /^(\d{1,7})(KiB|MiB|GiB)$/.exec(text) ?? [];
  const bytes =
    unit === 'KiB' || unit === 'MiB' || unit === 'GiB' ? Number(count) * units[unit] : 0;
  if (bytes >= units.KiB && bytes <= outputsOfRunMax) return bytes;
  throw wrong(inside(fields, 'max'), 'must be a size from 1KiB to 1GiB, such as 64MiB');
}
