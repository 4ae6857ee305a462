/** Limits of a profile: in the profile, or in a separate file with another owner. */
import { nearWord } from '../../base/text.ts';
import { isOperation, operationNames, operationOf } from '../../exchange/api/operations/index.ts';
import { hoursHint, hoursIn } from '../../language/hours.ts';
import type { GuardRules } from '../../language/limits.ts';
import { numberGuardList, numberRules } from '../../language/number-guards.ts';
import { readYaml } from '../../language/source.ts';
import {
  countIn,
  decimalIn,
  fieldsOf,
  inside,
  ratioIn,
  textsIn,
  wrong,
  type Fields,
} from './fields.ts';

/** Reads a file that another one names by a relative path. @throws ConfigError */
export type ReadBeside = (path: string) => { readonly file: string; readonly text: string };

const guardKeys = [
  ...numberGuardList.map(({ profileKey }) => profileKey),
  'symbols',
  'operations',
  'accounts',
  'hours',
  'doubts',
];

/** Reads `guards: { … }` or `guards: ./guards.yaml`. @throws ConfigError */
export function guardsOf(profile: Fields, beside: ReadBeside): GuardRules {
  const value = profile.values['guards'];
  if (typeof value !== 'string') {
    return rulesIn(fieldsOf(value, inside(profile, 'guards'), guardKeys));
  }
  const { file, text } = beside(value);
  return rulesIn(fieldsOf(readYaml(text, file), { file, path: '' }, guardKeys));
}

function rulesIn(fields: Fields): GuardRules {
  const symbols = textsIn(fields, 'symbols');
  const operations = textsIn(fields, 'operations')?.map((name) => operationIn(name, fields));
  const accounts = textsIn(fields, 'accounts');
  const hours = hoursOf(fields);
  const doubts = doubtsOf(fields);
  return {
    ...numberRules(({ kind, profileKey }) => reading[kind](fields, profileKey)),
    ...(symbols && { symbols }),
    ...(operations && { operations }),
    ...(accounts && { accounts }),
    ...(hours && { hours: [hours] }),
    ...(doubts && { doubts }),
  };
}

const reading = { count: countIn, amount: decimalIn, share: ratioIn } as const;

function operationIn(name: string, fields: Fields): (typeof operationNames)[number] {
  if (isOperation(name) && operationOf(name).effect !== 'read') return name;
  const writes = operationNames.filter((known) => operationOf(known).effect !== 'read');
  const near = nearWord(name, writes) ?? writes[0];
  throw wrong(inside(fields, 'operations'), `must name operations that write, not ${name}`, near);
}

function doubtsOf(fields: Fields): GuardRules['doubts'] {
  const value = fields.values['doubts'];
  if (value === undefined || value === 'block' || value === 'show') return value;
  throw wrong(inside(fields, 'doubts'), 'is block or show', 'block');
}

/** The trading hours: one text or several, of which one must match now. */
function hoursOf(fields: Fields): readonly string[] | undefined {
  const value = fields.values['hours'];
  const texts = typeof value === 'string' ? [value] : textsIn(fields, 'hours');
  const bad = texts?.find((text) => hoursIn(text) === undefined);
  if (bad === undefined) return texts;
  const place = inside(fields, 'hours');
  throw wrong(place, `holds ${JSON.stringify(bad)}, which are not hours of the week: ${hoursHint}`);
}
