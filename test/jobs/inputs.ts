/** The inputs of a job, and how their values are given: in the file, by flags, in a file, or by the environment. */
import { stringify } from 'yaml';
import type { Choice } from './features.ts';
import type { Items } from './items.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Given {
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
  /** All values, as a test of the playbook gives them. */
  readonly values: Fields;
}

interface Input {
  readonly type: Fields;
  readonly value: unknown;
}

export function inputsOf(
  choice: Choice,
  items: Items,
): { readonly inputs: Fields; readonly given: Given } {
  const wanted: Readonly<Record<string, Input>> = {
    ...(items.input && { items: items.input }),
    ...(choice.price === 'input' && {
      limit: { type: { type: 'decimal', minimum: 100, maximum: '90000.5' }, value: 50_300.5 },
    }),
    ...(choice.account === 'input' && { desk: { type: { type: 'string' }, value: 'alpha' } }),
    ...((choice.condition === 'input' || choice.condition === 'false') && {
      on: { type: { type: 'boolean' }, value: true },
    }),
    ...(choice.wait === 'input' && { pause: { type: { type: 'duration' }, value: '2s' } }),
    ...(choice.types === 'all' && everyType),
  };
  const isDefault = choice.given === 'default';
  const inputs = Object.fromEntries(
    Object.entries(wanted).map(([name, { type, value }]) => [
      name,
      {
        ...type,
        ...(choice.words === 'all' && { description: `The ${name}` }),
        ...(isDefault && { default: value }),
      },
    ]),
  );
  const values = Object.fromEntries(
    Object.entries(wanted).map(([name, { value }]) => [name, value]),
  );
  return { inputs, given: givenBy(choice.given, wanted, values) };
}

/** Inputs of the types that no feature needs, with every key that limits one. */
const everyType: Readonly<Record<string, Input>> = {
  word: { type: { type: 'string', pattern: '^[a-z]{1,9}$' }, value: 'alpha' },
  count: { type: { type: 'integer', minimum: 1, maximum: '9' }, value: 7 },
  mode: { type: { type: 'enum', values: ['slow', 'fast'] }, value: 'fast' },
  since: { type: { type: 'time' }, value: '2026-11-19' },
  nested: {
    type: {
      type: 'list',
      items: {
        type: 'map',
        description: 'A leg',
        items: { type: 'list', items: { type: 'decimal', minimum: 0, maximum: 9 } },
      },
    },
    value: [{ sizes: [0.5, 1.25] }, { sizes: [] }],
  },
  modes: {
    type: { type: 'list', items: { type: 'enum', values: ['slow', 'fast'] } },
    value: ['slow', 'fast'],
  },
  record: {
    type: {
      type: 'record',
      fields: {
        name: { type: 'string', pattern: '^[a-z]+$', description: 'Its name' },
        tier: { type: 'enum', values: ['gold', 'plain'], default: 'plain' },
        rate: { type: 'decimal', minimum: 0, maximum: 1 },
        since: { type: 'time', optional: true },
        parts: { type: 'list', items: { type: 'decimal' } },
        at: { type: 'record', fields: { hours: { type: 'duration' } } },
      },
    },
    value: { name: 'alpha', rate: 0.25, parts: [0.5, 1.25], at: { hours: '8h' } },
  },
  words: {
    type: { type: 'map', items: { type: 'string', pattern: '^[a-z]+$' } },
    value: { one: 'first', two: 'second' },
  },
};

/** Outputs of the playbook that read them. */
export const usesOfTypes: Fields = Object.fromEntries(
  Object.keys(everyType).map((name) => [`given-${name}`, `{{ inputs.${name} }}`]),
);

function givenBy(
  source: Choice['given'],
  wanted: Readonly<Record<string, Input>>,
  values: Fields,
): Given {
  const names = Object.keys(wanted);
  const none = { flags: [], env: {}, files: {}, values };
  switch (source) {
    case 'default':
      return { ...none, values: {} };
    case 'var':
      return {
        ...none,
        flags: names.flatMap((name) => ['--var', `${name}=${wordOf(wanted[name])}`]),
      };
    case 'var-file': {
      const { items: _records, ...others } = values;
      const csv = wanted['items'] && rowsOf(wanted['items']);
      const text = stringify(csv === undefined ? values : others, { defaultKeyType: 'PLAIN' });
      const isEmpty = names.every((name) => csv !== undefined && name === 'items');
      return {
        ...none,
        flags: [
          ...(isEmpty ? [] : ['--var-file', 'values.yaml']),
          ...(csv === undefined ? [] : ['--var-file', 'items=items.csv']),
        ],
        files: {
          ...(!isEmpty && { 'values.yaml': text }),
          ...(csv !== undefined && { 'items.csv': csv }),
        },
      };
    }
    case 'environment': {
      const words = names.map((name) => [name, wordOf(wanted[name])] as const);
      return {
        ...none,
        env: Object.fromEntries(
          words.flatMap(([name, word]) => (word === '' ? [] : [[`DESKHAND_VAR_${name}`, word]])),
        ),
        // An empty variable counts as not set.
        flags: words.flatMap(([name, word]) => (word === '' ? ['--var', `${name}=`] : [])),
      };
    }
  }
}

/** The rows of records as CSV; undefined for another input. */
function rowsOf({ type, value }: Input): string | undefined {
  if (!JSON.stringify(type).includes('"record"') || !Array.isArray(value)) return undefined;
  const header = Object.keys(Object(value[0]));
  const lines = value.map((row: Fields) => header.map((name) => String(row[name])).join());
  return `\ufeff${[header.join(), ...lines].join('\r\n')}\r\n`;
}

/** A value as a person types it: a list of words with commas, everything else with members as JSON. */
function wordOf(input: Input | undefined): string {
  const value = input?.value;
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
