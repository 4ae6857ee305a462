/** Where files of runs are kept: `outputs: { keep: store, max: 64MiB }`. */
import { changed, map, withDefault, wrong, type Part, type Place } from './part.ts';
import { text, word } from './scalars.ts';

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

const units = { KiB: 1024, MiB: mebibyte, GiB: 1024 * mebibyte } as const;

export const outputs: Part<OutputSettings> = map({
  keep: word(['store', 'workspace'], {
    description:
      'store: copied into the database of the state; workspace: only in the folder of the run (default; store for workers)',
  }),
  max: withDefault(
    changed(
      text({
        pattern: '^[0-9]{1,7}(KiB|MiB|GiB)$',
        description: 'Largest file that is copied, up to 1GiB (default 64MiB)',
      }),
      bytesIn,
    ),
    outputDefaults.max,
  ),
});

function bytesIn(written: string, place: Place): number {
  const [, count, unit] = /^(\d{1,7})(KiB|MiB|GiB)$/.exec(written) ?? [];
  const bytes =
    unit === 'KiB' || unit === 'MiB' || unit === 'GiB' ? Number(count) * units[unit] : 0;
  if (bytes >= units.KiB && bytes <= outputsOfRunMax) return bytes;
  throw wrong(place, 'must be a size from 1KiB to 1GiB, such as 64MiB');
}
