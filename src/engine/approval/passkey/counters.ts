/** Signature counters of passkeys: one that does not rise may belong to a copy. */
import type { SignedFile } from '../record.ts';
import type { Assertion } from './assertion.ts';
import type { Passkey } from './keys.ts';
import { assertionProblem, counterOf } from './signature.ts';

/**
 * The warning if the counter of a record is not above that of the enrolled passkey, or of an
 * earlier record. Passkeys that are synchronized between devices have no counter: it is always 0.
 */
export function counterNote(
  assertion: Assertion,
  at: number,
  { passkey, others }: { readonly passkey: Passkey; readonly others: readonly SignedFile[] },
): string | undefined {
  const counter = counterOf(assertion);
  const { counter: enrolled = 0, who } = passkey;
  const earlier = others.flatMap(({ body, signature, record, answer }) => {
    const made = record?.at ?? answer?.at;
    if (body === undefined || made === undefined || signature?.kind !== 'passkey') return [];
    const isBefore = signature.id === assertion.id && made < at;
    if (!isBefore || assertionProblem(signature, body, passkey) !== undefined) return [];
    return [counterOf(signature)];
  });
  const highest = Math.max(enrolled, ...earlier);
  if (highest === 0 || counter > highest) return undefined;
  return `the counter of the passkey of ${who} went back to ${counter} after ${highest}: the passkey may have been copied; ask ${who}`;
}
