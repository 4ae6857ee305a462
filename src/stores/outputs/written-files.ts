/** The files that a run wrote, from its journal. */
import type { Entry, Stored } from '../../engine/journal/entry.ts';

export interface RunFile {
  /** The path as the playbook names it; in a journal from another machine it may be any text. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Whether a manifest is stored next to the file. */
  readonly hasManifest: boolean;
  /** Where other machines find the file; absent for a run that no other machine sees. */
  readonly stored?: Stored;
}

/** The files of a run with the last content of each, in the order of writing. */
export function filesOf(entries: Iterable<Entry>): readonly RunFile[] {
  const files = new Map<string, RunFile>();
  for (const entry of entries) {
    if (entry.kind !== 'wrote' && entry.kind !== 'document') continue;
    const { kind, file: path, bytes, sha256, stored } = entry;
    const hasManifest = kind === 'wrote';
    files.delete(path);
    files.set(path, { path, bytes, sha256, hasManifest, ...(stored && { stored }) });
  }
  return [...files.values()];
}
