/** Scopes as JSON: a deserialized scope evaluates to the same values. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimal, writtenDecimal } from '../../../src/base/decimal.ts';
import { evaluateTemplate } from '../../../src/language/expression/evaluate.ts';
import {
  Moment,
  Span,
  toJson,
  Unknown,
  type Value,
} from '../../../src/language/expression/value.ts';
import { expressionsIn } from '../../../src/language/template.ts';
import {
  serialize,
  serializeScope,
  deserialize,
  deserializeScope,
} from '../../../src/engine/interpreter/serialized.ts';
import { playbookFrom } from '../../support/harness.ts';

const leaf = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom('1.50', '-0.000100', '61500.0').map((text): Value => writtenDecimal(text)),
  fc.nat().map((ms): Value => new Moment(ms)),
  fc.nat().map((ms): Value => new Span(ms)),
  fc.string().map((after): Value => new Unknown(after)),
);
const key = fc.oneof(fc.string(), fc.constantFrom('$decimal', '$map', '$', '__proto__', 'a'));
const { tree } = fc.letrec<{ tree: Value }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('tree')),
    fc.dictionary(key, tie('tree')).map((value): Value => value),
  ),
}));

test('every value survives JSON text with its type', () => {
  fc.assert(
    fc.property(tree, (value) => {
      const text = JSON.stringify(serialize(value));
      const back = deserialize(JSON.parse(text));
      expect(JSON.stringify(serialize(back))).toBe(text);
      expect(toJson(back)).toEqual(toJson(value));
    }),
  );
});

const playbook = playbookFrom(`
playbook: 1
name: packed
inputs: { deep: { type: map, items: { type: decimal }, default: { a: "1.50", b: 2 } } }
steps:
  - id: read
    uses: agent/list-trade-volume
    with:
      startTime: "{{ daysAgo 7 tz='+08:00' }}"
      endTime: "{{ run.time }}"
      uid: "{{ inputs.deep.a }}{{ inputs.deep.b }}"
`);

test('a scope contains what is read, and evaluates like the complete one', () => {
  const scope = {
    run: { id: 'r', playbook: 'p', time: new Moment(1_795_147_200_000) },
    inputs: { deep: { a: decimal('1.50'), b: 2, c: 'not read' }, other: 'not read' },
    steps: { earlier: { response: 'not read' } },
  };
  const templates = [...(playbook.steps[0]?.with.values() ?? [])];
  const packed = serializeScope(
    templates.flatMap(expressionsIn).flatMap(({ references }) => references),
    scope,
  );
  expect(JSON.stringify(packed)).not.toContain('not read');
  const back = deserializeScope(JSON.parse(JSON.stringify(packed)));
  for (const template of templates) {
    expect(evaluateTemplate(template, back)).toEqual(evaluateTemplate(template, scope));
  }
});
