/** Records a file that a step made, once other machines can find it. */
import type { Event } from '../journal/entry.ts';
import type { EffectContext } from './effect-context.ts';

type MadeFile = Extract<Event, { readonly kind: 'wrote' | 'document' }>;

/**
 * The copy is made first: an entry that says where the file is stored is never ahead of the copy.
 * @param event without `stored`
 */
export async function recordFile(event: MadeFile, context: EffectContext): Promise<void> {
  const { kind, file, bytes, sha256 } = event;
  const made = { file, bytes, sha256, hasManifest: kind === 'wrote' };
  const stored = await context.keepFile?.(made, context.halt);
  await context.record({ ...event, ...(stored && { stored }) });
}
