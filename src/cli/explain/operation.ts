/** The page of an operation: what it does, takes, answers, and what the interface leaves open. */
import { day, hour, minute, second } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import { listed } from '../../base/text.ts';
import type { Limit, Operation, Page, Window } from '../../contract/operation.ts';
import { operationOf, type OperationName } from '../../contract/operations/index.ts';
import type { JsonSchema } from '../../contract/schema.ts';
import { columns, wrapped } from '../screens/columns.ts';
import type { Look } from '../screens/look.ts';

export function operationPage(name: OperationName, look: Look): string[] {
  const operation = operationOf(name);
  const heading = (text: string): string[] => ['', look.paint('strong', text)];
  return [
    `${look.paint('strong', name)}  ${operation.title}`,
    `${operation.method} ${operation.path}`,
    '',
    ...columns(factsOf(operation), look, { indent: 0 }),
    ...heading('Fields'),
    ...fieldLines(operation, look),
    ...heading('Answer'),
    ...answerLines(operation.output.json, look),
    ...(operation.doubts.length > 0
      ? heading('Not shown by the interface, and how it is taken')
      : []),
    ...operation.doubts.flatMap((doubt) => wrapped(`${look.glyphs.dot} ${doubt}`, look, 2)),
  ];
}

function factsOf(operation: Operation): string[][] {
  return [
    ['effect', effectWords[operation.effect]],
    ['signed', operation.access === 'public' ? 'no: public' : permissionOf(operation)],
    ['limit', limitOf(operation.limit)],
    ...(operation.leaderLimit ? [['leaders', limitOf(operation.leaderLimit)]] : []),
    ...(operation.window ? [['window', windowOf(operation.window)]] : []),
    ...(operation.page ? [['pages', pageOf(operation.page)]] : []),
  ];
}

const effectWords: Readonly<Record<Operation['effect'], string>> = {
  read: 'reads only; may be repeated',
  set: 'sets a state; setting it again changes nothing',
  keyed: 'writes; named by a key and looked up by it, never sent twice blindly',
  once: 'writes; nothing can tell a double afterwards, so it is never repeated',
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
  return `at most ${timeOf(span)} in one request${reach}; longer spans are cut by themselves`;
}

function pageOf({ size, parameter }: Page): string {
  return `${size.initial} rows, at most ${size.maximum}, by ${parameter}; followed by themselves`;
}

function timeOf(ms: number): string {
  if (ms % day === 0) return `${ms / day} days`;
  if (ms % hour === 0) return `${ms / hour} h`;
  if (ms % minute === 0) return `${ms / minute} min`;
  return `${ms / second} s`;
}

function fieldLines(operation: Operation, look: Look): string[] {
  const { properties, required } = operation.input.json;
  const fields = isRecord(properties) ? Object.entries(properties) : [];
  if (fields.length === 0) return ['  none'];
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
  const rows = fields.map(([name, schema]) => [
    name,
    isRequired(name) ? 'required' : (conditionOf(operation, name) ?? ''),
    describe(schema),
  ]);
  return columns(rows, look, { indent: 2 });
}

function conditionOf(operation: Operation, field: string): string | undefined {
  const rule = operation.requiredWhen?.find(({ require }) => require === field);
  if (rule === undefined) return undefined;
  const when = Object.entries(rule.when).map(([name, values]) => `${name} ${listed(values, 'or')}`);
  return `with ${listed(when)}`;
}

function answerLines(schema: JsonSchema, look: Look, indent = 2): string[] {
  const margin = ' '.repeat(indent);
  const { properties, items } = schema;
  if (isSchema(items)) return [`${margin}a list of`, ...answerLines(items, look, indent + 2)];
  if (!isRecord(properties)) return [`${margin}${describe(schema)}`];
  const fields = Object.entries(properties);
  const plain = fields.filter(([, field]) => !isTable(field));
  return [
    ...columns(
      plain.map(([name, field]) => [name, describe(field)]),
      look,
      { indent },
    ),
    ...fields.flatMap(([name, field]) =>
      isTable(field) ? [`${margin}${name}`, ...answerLines(field, look, indent + 2)] : [],
    ),
  ];
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
