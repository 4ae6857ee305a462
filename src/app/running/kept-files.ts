/** Chooses where the files of a run are kept, and restores those that it wrote on another machine. */
import { hostname } from 'node:os';
import { plainText } from '../../base/text.ts';
import type { Config } from '../config/load.ts';
import { outputDefaults, outputsOfRunMax } from '../config/kept-outputs.ts';
import type { KeepFile } from '../../engine/effects/effect-context.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import type { Hold, StateStore } from '../../stores/store.ts';
import type { AppContext } from '../app-context.ts';

/** Keeps a file of a run; undefined for a run that other machines do not see. */
export async function keepFileFor(
  { outputs }: Hold,
  { outputs: settings = outputDefaults }: Config,
  workspace: string,
  { isWorker }: AppContext,
): Promise<KeepFile | undefined> {
  if (outputs === undefined) return undefined;
  const host = plainText(hostname(), 80);
  const { keep = isWorker ? 'store' : 'workspace', max } = settings;
  if (keep === 'workspace') return async () => ({ in: 'workspace', host, folder: workspace });
  const { keeperOf } = await import('../../stores/outputs/keep.ts');
  return keeperOf({ outputs, workspace, host, max, runMax: outputsOfRunMax });
}

/**
 * Restores the files that a run wrote before, here or on another machine.
 * @returns the files that are not here now
 */
export async function restored(
  run: string,
  entries: readonly Entry[],
  workspace: string,
  { outputs: reader }: StateStore,
): Promise<ReadonlyMap<string, string> | undefined> {
  if (reader === undefined || !entries.some(({ kind }) => kind === 'wrote')) return undefined;
  const { restoreFiles } = await import('../../stores/outputs/restore.ts');
  return restoreFiles({ run, entries, workspace, reader });
}
