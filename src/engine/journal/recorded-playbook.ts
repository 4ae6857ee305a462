/** A playbook as journals and plans record it: its texts, from which a resumed run is read again. */
import type { Infer } from '../../exchange/api/schema.ts';
import type { Playbook } from '../../language/playbook.ts';
import type { playbookFields } from './shared-schema.ts';

export type RecordedPlaybook = Infer<typeof playbookFields>;

/** The record of a playbook, or of one with further fields. */
export function recordedPlaybook({
  name,
  file,
  digest,
  text,
  includes = [],
}: RecordedPlaybook | Playbook): RecordedPlaybook {
  return { name, file, digest, text, ...(includes.length > 0 && { includes }) };
}
