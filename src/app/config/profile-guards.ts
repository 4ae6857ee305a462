/** Limits of a profile: in the profile, or in a separate file with another owner. */
import { nearWord } from '../../base/text.ts';
import { isOperation, operationNames, operationOf } from '../../exchange/api/operations/index.ts';
import { choice, described, either, text } from '../../exchange/api/schema.ts';
import { hoursHint, hoursIn } from '../../language/hours.ts';
import type { GuardRules } from '../../language/limits.ts';
import { numberGuardList, numberRules, type NumberGuard } from '../../language/number-guards.ts';
import { readYaml } from '../../language/source.ts';
import { changed, joined, wrong, type Part, type Place, type ReadBeside } from './part.ts';
import { amount, count, share, textOrTexts, texts, word } from './scalars.ts';

/** The operations that write. */
const writing = operationNames.filter((name) => operationOf(name).effect !== 'read');

/** The limits by their keys, in a profile or as a whole file. */
export const guards: Part<GuardRules> = changed(
  joined(Object.fromEntries(numberGuardList.map((each) => [each.profileKey, numberOf(each)])), {
    symbols: texts({ description: 'Symbols that may be traded' }),
    operations: changed(
      texts({ description: 'Operations that may write' }, choice(writing)),
      (names, place) => names.map((name) => operationIn(name, place)),
    ),
    accounts: texts({ description: 'Profiles, or fingerprints of keys, that may write' }),
    hours: changed(
      textOrTexts(
        'Hours in which writes may be sent, by the exchange’s clock: mon-fri 09:00-17:30 Europe/London',
      ),
      hoursOf,
    ),
    doubts: word(['block', 'show'], {
      description:
        'Whether a write of another playbook in doubt on the account and symbol blocks a run (default: block on live)',
    }),
  }),
  ([numbers, { hours, doubts, ...others }]) => ({
    ...numberRules(({ profileKey }) => numbers[profileKey]),
    ...others,
    ...(hours && { hours: [hours] }),
    ...(doubts && { doubts }),
  }),
);

/** `guards: { … }` of a profile, or `guards: ./guards.yaml`. @param beside reads such a file */
export function guardsOf(beside: ReadBeside): Part<GuardRules> {
  return {
    ...described(
      'Limits for every playbook on this profile, or a file with them',
      either(text(), guards),
    ),
    read: (value, place) => {
      if (typeof value !== 'string') return guards.read(value, place);
      const { file, text: own } = beside(value);
      return guards.read(readYaml(own, file), { file, path: '' });
    },
  };
}

function numberOf({ kind, least = 0, title }: NumberGuard): Part<number | string> {
  switch (kind) {
    case 'count':
      return count({ minimum: least, description: title });
    case 'amount':
      return amount(title);
    case 'share':
      return share(title);
  }
}

function operationIn(name: string, place: Place): (typeof operationNames)[number] {
  if (isOperation(name) && operationOf(name).effect !== 'read') return name;
  const near = nearWord(name, writing) ?? writing[0];
  throw wrong(place, `must name operations that write, not ${name}`, near);
}

/** The trading hours: one text or several, of which one must match now. */
function hoursOf(given: string | readonly string[], place: Place): readonly string[] {
  const all = typeof given === 'string' ? [given] : given;
  const bad = all.find((each) => hoursIn(each) === undefined);
  if (bad === undefined) return all;
  throw wrong(place, `holds ${JSON.stringify(bad)}, which are not hours of the week: ${hoursHint}`);
}
