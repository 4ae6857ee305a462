/** The files that a run wrote, from its journal. */
import type { Entry, Stored } from '../../engine/journal/entry.ts';

export interface RunFile {
  /** As named by the playbook; from a journal of elsewhere it may be anything. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Whether a manifest is next to it. */
  readonly hasManifest: boolean;
  /** Where other machines find it; absent for a run without other machines. */
  readonly stored?: Stored;
}

/** The last content of each, in the order of writing. */
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
