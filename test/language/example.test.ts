/** The complete example of the language, and seven mistakes in it that must all be reported at once. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatProblems } from '../../src/language/format.ts';
import { loadPlaybook } from '../../src/language/load.ts';

const example = readFileSync(join(import.meta.dirname, 'complete.yaml'), 'utf8');

test('the complete example has no problem, not even a warning', () => {
  const { playbook, problems } = loadPlaybook(example, 'desk-setup.yaml');
  expect(problems).toEqual([]);
  expect(playbook?.steps.map(({ id }) => id)).toEqual([
    'subs',
    'leverage',
    'ladder',
    'verify',
    'volume',
  ]);
});

const mistakes: readonly (readonly [string, string])[] = [
  ['uses: futures/set-all-leverage', 'uses: futures/set-all-levrage'],
  ['{{ response.subUid }}', '{{ response.subUidd }}'],
  ['note: "desk {{ each.value }}"', 'note: "desk {{ inputs.desks }}"'],
  ["'qty')) inputs.budget", "'qty')) inputs.symbol"],
  [
    'symbol: "{{ inputs.symbol }}"\n      productType',
    'symbol: {{ inputs.symbol }}\n      productType',
  ],
  ['marginMode: crossed', 'marginMode: crosed'],
  ['      price: "{{ each.value.price }}"\n', ''],
];

const wrong = mistakes.reduce((text, [right, mistake]) => {
  if (!text.includes(right)) throw new Error(`the example no longer holds ${right}`);
  return text.replace(right, mistake);
}, example);

test('seven planted mistakes are reported at once, with location and hint', () => {
  const { playbook, problems } = loadPlaybook(wrong, 'desk-setup.yaml');
  expect(playbook).toBeUndefined();
  expect(
    problems.map(
      ({ code, message, at, hint }) =>
        `${at.start.line}:${at.start.column} ${code} ${message} (${hint})`,
    ),
  ).toMatchInlineSnapshot(`
    [
      "43:19 PB309 a list of text cannot be used inside a text (join it: {{ join … ', ' }})",
      "45:16 PB304 response has no "subUidd" (did you mean "subUid"?)",
      "49:11 PB201 unknown operation "futures/set-all-levrage" (did you mean "futures/set-all-leverage"?)",
      "63:15 PB006 a template must be quoted (write "{{ inputs.symbol }}")",
      "65:19 PB204 marginMode must be isolated or crossed (did you mean "crossed"?)",
      "69:18 PB203 price is missing: a limit order needs a price (add price: under with)",
      "80:57 PB305 lte expects a number, found text (declare it as type: decimal, or use a field that holds a number)",
    ]
  `);
});

test('a code frame shows the line, a caret and the suggestion', () => {
  const { problems } = loadPlaybook(wrong, 'desk-setup.yaml');
  const only = problems.filter(({ code }) => code === 'PB201');
  expect(
    formatProblems([{ file: 'desk-setup.yaml', text: wrong, problems: only }], { color: false }),
  ).toMatchInlineSnapshot(`
    "error[PB201] unknown operation "futures/set-all-levrage"
      ──▶ desk-setup.yaml:49:11
    48 │     needs: [subs]
    49 │     uses: futures/set-all-levrage
       │           ^^^^^^^^^^^^^^^^^^^^^^^
       help  did you mean "futures/set-all-leverage"?

    ✖ 1 problem in desk-setup.yaml. Nothing was sent.  Explain a rule: deskhand explain PB201"
  `);
});

test('a misspelled operation does not hide a misspelled field of its response', () => {
  const text = example
    .replace('uses: account/create-sub', 'uses: account/create-subs')
    .replace('{{ response.subUid }}', '{{ response.subUidd }}');
  const { problems } = loadPlaybook(text, 'desk-setup.yaml');
  expect(problems.map(({ code }) => code)).toEqual(['PB201', 'PB304']);
});
