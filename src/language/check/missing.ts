/** Required fields that a step does not have: all of them at once, in one problem for each place. */
import { listed, nearWord } from '../../base/text.ts';
import { fieldNamed } from '../../exchange/api/other-names.ts';
import type { Problems } from '../problems.ts';
import type { SourceRange } from '../source-range.ts';

export interface Missing {
  readonly field: string;
  readonly at: SourceRange;
  /** The message with its reason, if the field is required because of another one. */
  readonly message?: string;
  /** Another field that may be given instead. */
  readonly orElse?: string;
}

/**
 * Reports missing fields.
 * @param unknown the fields that do not exist: each is probably a misspelled one of the missing
 */
export function reportMissing(
  missing: readonly Missing[],
  unknown: readonly string[],
  problems: Problems,
): void {
  const places = new Map<number, Missing[]>();
  for (const each of withoutMisspelled(missing, unknown)) {
    const { offset } = each.at.start;
    const here = places.get(offset) ?? [];
    here.push(each);
    places.set(offset, here);
  }
  for (const here of places.values()) {
    const [first] = here;
    if (first === undefined) continue;
    const always = here.filter(({ message }) => message === undefined).map(({ field }) => field);
    const verb = always.length === 1 ? 'is' : 'are';
    const messages = [
      ...(always.length === 0 ? [] : [`${listed(always)} ${verb} missing`]),
      ...here.flatMap(({ message }) => message ?? []),
    ];
    problems.add('PB203', first.at, messages.join('; '), {
      hint: `add ${listed(here.map(({ field }) => `${field}:`))} under with`,
    });
  }
}

function withoutMisspelled(
  missing: readonly Missing[],
  unknown: readonly string[],
): readonly Missing[] {
  let left = missing;
  for (const name of unknown) {
    const fields = left.flatMap(({ field, orElse }) => [field, ...(orElse ? [orElse] : [])]);
    const meant = fieldNamed(name, fields) ?? nearWord(name, fields);
    left = left.filter(({ field, orElse }) => field !== meant && (!orElse || orElse !== meant));
  }
  return left;
}
