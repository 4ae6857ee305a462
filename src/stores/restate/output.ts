/** Copies of the files of runs in Restate. */
import { isRecord } from '../../base/json.ts';
import { plainText } from '../../base/text.ts';
import type { StoredOutput } from '../outputs.ts';
import type { SharedOutputs } from '../shared/output-copies.ts';
import { StoreError } from '../store.ts';
import { openDesk, type RestateOptions } from './desk.ts';
import { outputObject } from './objects/names.ts';
import type { PartSent } from './objects/output.ts';

/** Opens the copies of a desk; it connects at the first call. @throws ConfigError for a bad address */
export function openRestateOutputs(options: RestateOptions): SharedOutputs {
  const desk = openDesk(options);
  const output = desk.keyed(outputObject);
  const repeatable = { isRepeatable: true } as const;
  return {
    keep: async (holder, { path, sha256, part, content }) => {
      const base64 = Buffer.from(content).toString('base64');
      const sent: PartSent = { path, sha256, part, bytes: content.length, base64 };
      return (
        (await output<boolean>(holder.run, 'keep', { holder, part: sent }, repeatable)) === true
      );
    },
    keepOnly: async (holder, { path, sha256 }) => {
      const input = { holder, output: { path, sha256 } };
      return (await output<boolean>(holder.run, 'keepOnly', input, repeatable)) === true;
    },
    list: async (run) => {
      const found = (await output<unknown>(run, 'list', {}, repeatable)) ?? [];
      if (Array.isArray(found) && found.every(isStored)) return found;
      throw unreadable(run);
    },
    part: async (run, { path, sha256 }, part) => {
      const input = { output: { path, sha256 }, part };
      const base64 = await output<unknown>(run, 'part', input, repeatable);
      if (base64 === undefined) return undefined;
      if (typeof base64 !== 'string') throw unreadable(run);
      return Buffer.from(base64, 'base64');
    },
    close: () => desk.close(),
  };
}

/** Whether a value describes a copy: another program may have written anything. */
function isStored(value: unknown): value is StoredOutput {
  if (!isRecord(value)) return false;
  const { path, sha256, bytes } = value;
  return typeof path === 'string' && typeof sha256 === 'string' && Number.isSafeInteger(bytes);
}

function unreadable(run: string): StoreError {
  return new StoreError(
    `the files of run ${plainText(run, 80)} in Restate cannot be read: they have values of another type`,
    'find out which other program writes to the objects of deskhand',
  );
}
