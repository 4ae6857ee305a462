/** The printed schemas, as other people's validators read them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { formats } from '../../src/exchange/api/vocabulary.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(root, 'schemas', path), 'utf8')) as Record<string, unknown>;
const names = readdirSync(join(root, 'schemas')).filter((name) => name.endsWith('.schema.json'));

/** Ajv as a person starts it who wants to be told about every slip. */
function strictly(schema: Record<string, unknown>): Ajv {
  return new Ajv({ strict: true, allErrors: true }).addSchema(schema, 'here');
}

/** With our own formats, and without strict mode. */
function ours(): Ajv {
  const ajv = new Ajv({ strict: false, logger: false });
  for (const [name, pattern] of Object.entries(formats)) {
    ajv.addFormat(name, pattern);
    ajv.addFormat(`${name}-or-empty`, (text: string) => text === '' || pattern.test(text));
  }
  return ajv;
}

/** Schemas of parts, which no document is of. */
const definitionsOnly = ['operations.schema.json', 'output.schema.json'];

/** The schema, and each of its definitions. */
const places = (schema: Record<string, unknown>): readonly string[] => [
  'here',
  ...Object.keys(Object(schema['definitions'])).map(
    (name) => `here#/definitions/${encodeURIComponent(name.replaceAll('/', '~1'))}`,
  ),
];

describe.each(names)('%s', (name) => {
  const schema = read(name);

  test('has an id of its own, is accepted in strict mode, and so is each definition', () => {
    expect(schema['$id']).toBe(`urn:deskhand:schema:${name.replace('.schema.json', '')}`);
    const ajv = strictly(schema);
    for (const place of places(schema)) expect(ajv.getSchema(place), place).toBeTypeOf('function');
  });

  test('accepts its examples', () => {
    const examples = Array.isArray(schema['examples']) ? schema['examples'] : [];
    const isDocument = !definitionsOnly.includes(name);
    expect(examples.length > 0).toBe(isDocument);
    const validate = strictly(schema).getSchema('here');
    for (const example of examples)
      expect([validate?.(example), validate?.errors]).toEqual([true, null]);
  });
});

describe('a schema for editors', () => {
  const editorNames = readdirSync(join(root, 'schemas', 'editor'));
  const workflows = readdirSync(join(root, 'workflows')).map((name) => ({
    name: name.endsWith('.test.yaml') ? 'playbook-test.schema.json' : 'playbook.schema.json',
    value: parse(readFileSync(join(root, 'workflows', name), 'utf8')) as unknown,
  }));

  test.each(editorNames)(
    '%s accepts what the other one accepts, also with a changed value',
    (name) => {
      const loose = ours().compile(read(`editor/${name}`));
      const strict = strictly(read(name)).getSchema('here');
      const examples = read(name)['examples'];
      const documents = [
        ...(Array.isArray(examples) ? (examples as readonly unknown[]) : []),
        ...workflows.filter((each) => each.name === name).map(({ value }) => value),
      ];
      const seen = { accepted: 0, refused: 0 };
      fc.assert(
        fc.property(
          fc.constantFrom(...documents),
          fc.nat(),
          fc.constantFrom(...others),
          (document, at, other) => {
            const changed = withOther(document, at, other);
            const isAccepted = loose(changed);
            seen[isAccepted ? 'accepted' : 'refused']++;
            expect([strict?.(changed), changed]).toEqual([isAccepted, changed]);
          },
        ),
        { numRuns: 500 },
      );
      expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(20);
    },
  );
});

/** Values of every type, some of which belong into a playbook. */
const others: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  7,
  2.5,
  1e21,
  '',
  'x',
  '7',
  '10m',
  '{{ inputs.a }}',
  'BTCUSDT',
  'not a-name!',
  [],
  ['x'],
  [7, null],
  {},
  { x: 1 },
  { uses: 'futures/place-order' },
];

/** A copy with another value at one place. */
function withOther(document: unknown, at: number, other: unknown): unknown {
  const copy = structuredClone(document);
  const holders: [owner: Record<string, unknown>, key: string][] = [];
  const collect = (owner: unknown): void => {
    if (typeof owner !== 'object' || owner === null) return;
    for (const key of Object.keys(owner)) {
      const record = owner as Record<string, unknown>;
      holders.push([record, key]);
      collect(record[key]);
    }
  };
  collect(copy);
  const [owner, key] = holders[at % holders.length] ?? [];
  if (owner !== undefined && key !== undefined) owner[key] = other;
  return copy;
}
