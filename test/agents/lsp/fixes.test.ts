/** Quick fixes in the editor: the change that a hint names, at exactly the wrong word. */
import { describe, expect, test } from 'vitest';
import { checkedText, type Surroundings } from '../../../src/agents/lsp/checked.ts';
import { fixesAt } from '../../../src/agents/lsp/fixes.ts';
import { operationNames } from '../../../src/exchange/api/operations/index.ts';

const unified: Surroundings = {
  guards: () => ({
    profile: 'main',
    rules: {},
    accounts: {
      lacksId: () => false,
      hint: () => '',
      family: () => 'unified',
      elsewhere: () => undefined,
      unknown: (name) =>
        name === 'mian'
          ? { message: 'unknown profile "mian"', hint: 'did you mean main?' }
          : undefined,
      program: () => undefined,
    },
  }),
};

/** The text after each fix of the problems at a text, by its title. */
function fixed(text: string, mark: string, around: Surroundings = {}): Record<string, string> {
  const start = text.indexOf(mark);
  const range = { start, end: start + mark.length };
  return Object.fromEntries(
    fixesAt(text, range, 'p.yaml', around).map(({ title, at, text: written }) => [
      title,
      text.slice(0, at.start) + written + text.slice(at.end),
    ]),
  );
}

const head = 'playbook: 1\nname: x\n';
const step = (text: string): string =>
  `${head}inputs: { count: { type: integer, default: 1 } }\nsteps:\n  - id: a\n${text.replaceAll(/^/gm, '    ')}\n`;
const read = 'uses: order/list-open\nwith: { category: SPOT, limit: "{{ inputs.count }}" }';

test.each([
  ['an unknown key', step(`${read}\non-eror: stop`), 'on-eror', 'on-error'],
  ['an operation', step(read.replace('list-open', 'list-opn')), 'list-opn', 'list-open'],
  ['a field', step(read.replace('limit', 'limt')), 'limt', 'limit'],
  ['a word in quotes', step(read.replace('SPOT', '"SPTO"')), 'SPTO', 'SPOT'],
  ['a name in a path', step(read.replace('inputs.count', 'inputs.cuont')), 'cuont', 'count'],
  ['a helper', step(read.replace('inputs.count', 'ad inputs.count 1')), '{{ ad ', '{{ add '],
  [
    'a zone',
    step(`${read}\noutputs: { year: "{{ date run.time 'yyyy' tz='Europe/Berln' }}" }`),
    'Europe/Berln',
    'Europe/Berlin',
  ],
  [
    'a step',
    step(`${read}\nneeds: [a]`)
      .replace('needs: [a]', 'needs: []')
      .concat('  - id: b\n    needs: [aa]\n    uses: wait\n    with: { for: 1s }\n'),
    '[aa]',
    '[a]',
  ],
])('%s: only the wrong word is replaced', (_what, text, wrong, right) => {
  expect(text).toContain(wrong);
  const after = Object.values(fixed(text, wrong));
  expect(after).toEqual([text.replace(wrong, right)]);
});

test('the other operation of the family, and the profile', () => {
  const text = step(
    'uses: futures/get-account\nwith: { symbol: A, productType: USDT-FUTURES, marginCoin: USDT }',
  );
  // Its fields have other names, which is another problem at the same step: no fix hides it.
  for (const changed of Object.values(fixed(text, 'futures/get-account', unified))) {
    expect(changed).toContain('uses: account/get-settings');
  }
  const account = step(`${read}\naccount: mian`);
  expect(fixed(account, 'mian', unified)).toEqual({
    'write main instead of mian': account.replace('mian', 'main'),
  });
});

test('a default of the right type, alone and inside a call', () => {
  const text = step(
    `uses: market/list-tickers\nwith: { category: SPOT }\noutputs:\n  first: "{{ response.0.fundingRate }}"\n  sum: "{{ add 1 response.0.fundingRate }}"`,
  );
  const after = fixed(text, 'response.0.fundingRate');
  expect(after).toEqual({
    'add a default: default response.0.fundingRate 0': text.replace(
      '{{ response.0.fundingRate }}',
      '{{ default response.0.fundingRate 0 }}',
    ),
  });
  expect(Object.values(fixed(text, 'add 1 response.0.fundingRate'))).toContain(
    text.replace('add 1 response.0.fundingRate', 'add 1 (default response.0.fundingRate 0)'),
  );
});

test('a template without quotes', () => {
  const text = step(read.replace('"{{ inputs.count }}"', '{{ inputs.count }}'));
  expect(Object.values(fixed(text, '{{ inputs.count }}'))).toEqual([
    text.replace('{{ inputs.count }}', '"{{ inputs.count }}"'),
  ]);
});

test('no fix for what the checker would not accept', () => {
  const text = step(`${read}\non-error: stop\non-eror: stop`);
  expect(fixed(text, 'on-eror')).toEqual({});
  expect(fixed(step(read), 'order/list-open')).toEqual({});
});

/** Two letters of a word swapped, as people mistype it. */
const mistyped = (word: string): string => word.replace(/(.)(.)(.)$/, '$2$1$3');

describe('every hint "did you mean" has a fix', () => {
  test.each(operationNames)('%s', (name) => {
    const text = step(`uses: ${mistyped(name)}`);
    const { problems } = checkedText(text, 'p.yaml', {});
    const meant = problems.filter(({ hint }) => hint?.startsWith('did you mean'));
    for (const { hint } of meant) {
      const [, word = ''] = /"(.*)"/.exec(hint ?? '') ?? [];
      const changed = text.replace(mistyped(name), word);
      const found = Object.values(fixed(text, mistyped(name)));
      const left = checkedText(changed, 'p.yaml', {}).problems;
      expect(found).toEqual(left.some(({ code }) => code === 'PB203') ? found : [changed]);
    }
  });
});

test('of a selected text with many problems, the first twenty have a fix', () => {
  const steps = Array.from(
    { length: 30 },
    (_, at) => `  - { id: s${at}, uses: wait, with: { for: 1s }, outpts: { a: 1 } }\n`,
  );
  const text = `${head}steps:\n${steps.join('')}`;
  const fixes = fixesAt(text, { start: 0, end: text.length }, 'p.yaml', {});
  expect(fixes.map(({ at }) => text.slice(at.start, at.end))).toEqual(Array(20).fill('outpts'));
});
