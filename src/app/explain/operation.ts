/** The page of an operation: its effect, fields, response, and open points of the interface. */
import { day, hour, minute, second } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import { listed } from '../../base/text.ts';
import { familyOf, type Family } from '../../exchange/api/family.ts';
import type { Limit, Operation, Page, Window } from '../../exchange/api/operation.ts';
import {
  isCompanion,
  operationOf,
  type OperationName,
} from '../../exchange/api/operations/index.ts';
import { isNeeded, type JsonSchema } from '../../exchange/api/schema.ts';
import { columns, wrapped } from '../../report/terminal/columns.ts';
import type { Theme } from '../../report/terminal/theme.ts';

export function operationPage(name: OperationName, theme: Theme): string[] {
  const operation = operationOf(name);
  const heading = (text: string): string[] => ['', theme.paint('strong', text)];
  return [
    `${theme.paint('strong', name)}  ${operation.title}`,
    `${operation.method} ${operation.path}`,
    '',
    ...columns(factsOf(name), theme, { indent: 0 }),
    ...heading('Fields'),
    ...fieldLines(operation, theme),
    ...(operation.ignored === undefined
      ? []
      : [...heading('Accepted and ignored'), ...ignoredLines(operation, theme)]),
    ...heading('Answer'),
    ...answerLines(operation.output.json, theme),
    '',
    ...wrapped(neededText(operation.output.json), theme, 2),
    ...(operation.doubts.length > 0
      ? heading('Open points of the interface, and how deskhand treats them')
      : []),
    ...operation.doubts.flatMap((doubt) => wrapped(`${theme.glyphs.dot} ${doubt}`, theme, 2)),
  ];
}

/** The facts about an operation in pairs of words: its effect, limits, pages. */
export function factsOf(name: OperationName): string[][] {
  const operation = operationOf(name);
  const family = familyOf(operation);
  return [
    ['from', sourceOf(name, operation)],
    ...(family === undefined ? [] : [['accounts', familyWords[family]]]),
    ['effect', effectWords[operation.effect]],
    ['signed', operation.access === 'public' ? 'no: public' : permissionOf(operation)],
    ['limit', limitOf(operation.limit)],
    ...(operation.leaderLimit ? [['leaders', limitOf(operation.leaderLimit)]] : []),
    ...(operation.window
      ? [
          ['window', windowOf(operation.window)],
          ['range', rangeOf(operation.window)],
        ]
      : []),
    ...(operation.page ? [['pages', pageOf(operation.page)]] : []),
  ];
}

function sourceOf(name: OperationName, { number }: Operation): string {
  return isCompanion(name)
    ? 'a companion: public documents of the exchange describe it, the interface does not'
    : `the interface, number ${number}`;
}

const familyWords: Readonly<Record<Family, string>> = {
  classic: 'classic; the real exchange refuses the key of a unified account (40085)',
  unified: 'unified; the real exchange refuses the key of a classic account (40084)',
};

const effectWords: Readonly<Record<Operation['effect'], string>> = {
  read: 'reads only; may be repeated',
  set: 'sets a value; setting it again changes nothing',
  keyed: 'writes; identified by a key and looked up by it before it is sent again',
  once: 'writes; a duplicate cannot be detected, so it is never repeated',
};

function permissionOf({ permission, isMainOnly }: Operation): string {
  const asked = permission === undefined ? 'yes' : `yes, with permission ${permission}`;
  return isMainOnly ? `${asked}; main accounts only` : asked;
}

function limitOf({ permits, per, of }: Limit): string {
  const unit = per === second ? 'second' : timeOf(per);
  return `${permits} per ${unit} and ${of === 'uid' ? 'user' : 'address'}`;
}

function windowOf({ span, lookBack }: Window): string {
  const reach = lookBack === undefined ? '' : `, within the last ${timeOf(lookBack)}`;
  return `at most ${timeOf(span)} in one request${reach}; longer ranges are split automatically`;
}

/** The time range of a read of all pages. */
function rangeOf({ span, lookBack, omitted }: Window): string {
  const kept = lookBack === undefined ? undefined : `the last ${timeOf(lookBack)}`;
  const initial = omitted === 'refused' ? undefined : `the last ${timeOf(span)}`;
  const without = omitted === 'previous-day-utc8' ? 'the previous day in UTC+8' : (kept ?? initial);
  const rest = without === undefined ? 'startTime is required' : `without times ${without}`;
  return `all pages: startTime to endTime or now, both included; ${rest}`;
}

function pageOf({ size, parameter }: Page): string {
  return `${size.initial} rows, at most ${size.maximum}, by ${parameter}; pages are followed automatically`;
}

function timeOf(ms: number): string {
  if (ms % day === 0) return `${ms / day} days`;
  if (ms % hour === 0) return `${ms / hour} h`;
  if (ms % minute === 0) return `${ms / minute} min`;
  return `${ms / second} s`;
}

function fieldLines(operation: Operation, theme: Theme): string[] {
  const rows = fieldRows(operation);
  return rows.length === 0 ? ['  none'] : columns(rows, theme, { indent: 2 });
}

/** The fields of a request: name, when it is required, meaning. */
export function fieldRows(operation: Operation): string[][] {
  const { properties, required } = operation.input.json;
  const fields = isRecord(properties) ? Object.entries(properties) : [];
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
  return fields.map(([name, schema]) => [
    name,
    isRequired(name) ? 'required' : (conditionOf(operation, name) ?? ''),
    describe(schema),
  ]);
}

function conditionOf(operation: Operation, field: string): string | undefined {
  const rule = operation.requiredWhen?.find(({ require }) => require === field);
  return rule && `with ${conditionText(rule.when)}`;
}

/** Fields that are accepted and have no effect, and when. */
function ignoredLines({ ignored = [] }: Operation, theme: Theme): string[] {
  return ignored.flatMap(({ fields, when, unless, because }) => {
    const condition = when
      ? `with ${conditionText(when)}`
      : unless && `unless with ${conditionText(unless)}`;
    const names = listed(fields);
    const text = `${names}${condition === undefined ? '' : `, ${condition}`}: ${because}`;
    return wrapped(`${theme.glyphs.dot} ${text}`, theme, 2);
  });
}

function conditionText(fields: Readonly<Record<string, readonly string[]>>): string {
  const texts = Object.entries(fields).map(([name, values]) =>
    values.includes('') ? `no ${name}` : `${name} ${listed(values, 'or')}`,
  );
  return listed(texts);
}

function answerLines(schema: JsonSchema, theme: Theme, indent = 2): string[] {
  const margin = ' '.repeat(indent);
  const { properties, items } = schema;
  if (isSchema(items)) return [`${margin}a list of`, ...answerLines(items, theme, indent + 2)];
  if (!isRecord(properties)) return [`${margin}${describe(schema)}`];
  const fields = Object.entries(properties);
  const plain = fields.filter(([, field]) => !isTable(field));
  return [
    ...columns(
      plain.map(([name, field]) => [name, describe(field)]),
      theme,
      { indent },
    ),
    ...fields.flatMap(([name, field]) =>
      isTable(field) ? [`${margin}${name}`, ...answerLines(field, theme, indent + 2)] : [],
    ),
  ];
}

/** The fields of a response that must be readable, and the treatment of the others. */
function neededText(schema: JsonSchema): string {
  const needed = [...new Set(neededIn(schema))];
  const carried = 'carried as they came, also null, absent or in another format';
  if (needed.length === 0) return `No field is needed: all are ${carried}.`;
  return `Needed by decisions: ${listed(needed)}. One that cannot be read stops the decisions about its row. All other fields are ${carried}.`;
}

function neededIn({ properties, items }: JsonSchema): readonly string[] {
  const inItems = isSchema(items) ? neededIn(items) : [];
  const fields = isRecord(properties) ? Object.entries(properties) : [];
  const inFields = fields.flatMap(([name, field]) => {
    if (!isSchema(field)) return [];
    return isNeeded(field) ? [name] : neededIn(field);
  });
  return [...inItems, ...inFields];
}

function isTable(schema: unknown): schema is JsonSchema {
  return isSchema(schema) && isSchema(schema['items']) && isRecord(schema['items']['properties']);
}

function isSchema(value: unknown): value is JsonSchema {
  return isRecord(value);
}

/** The words of a field's schema: description and allowed values. */
function describe(schema: unknown): string {
  if (!isRecord(schema)) return '';
  const { description, enum: allowed } = schema;
  const words = Array.isArray(allowed) ? listed(allowed.map(String), 'or') : '';
  const said = typeof description === 'string' ? description : '';
  if (words === '' || said.includes(words)) return said;
  return said === '' ? words : `${said}: ${words}`;
}
