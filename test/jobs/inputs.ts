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
      const text = stringify(values, { defaultKeyType: 'PLAIN' });
      return names.length === 0
        ? none
        : { ...none, flags: ['--var-file', 'values.yaml'], files: { 'values.yaml': text } };
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

/** A value as a person types it: a list of words with commas, everything else with members as JSON. */
function wordOf(input: Input | undefined): string {
  const value = input?.value;
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
