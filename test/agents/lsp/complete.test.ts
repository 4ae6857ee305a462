/** Completion in the editor: what is offered is what the checker knows at that place. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { completionsAt } from '../../../src/agents/lsp/complete.ts';
import type { Completion } from '../../../src/agents/lsp/completion.ts';
import type { Surroundings } from '../../../src/agents/lsp/checked.ts';
import { operationNames, operationOf } from '../../../src/exchange/api/operations/index.ts';
import { loadPlaybook } from '../../../src/language/load.ts';
import { onErrorWords } from '../../../src/language/playbook.ts';
import { isTried } from '../../support/share.ts';

const nested = `playbook: 1
name: nested
inputs:
  line: { type: enum, values: [SPOT, USDT-FUTURES], description: Kind of order }
  count: { type: integer, default: 3 }
steps:
  - id: orders
    uses: order/list-open
    with: { category: "{{ inputs.line }}", limit: "{{ inputs.count }}" }
`;

const around: Surroundings = {
  include: (file) => (file === 'nested.yaml' ? nested : undefined),
  profiles: ['main', 'other'],
};

/** The completions at `|`. */
function at(marked: string): readonly Completion[] {
  const offset = marked.indexOf('|');
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  return completionsAt(text, offset, 'p.yaml', around);
}

const labels = (marked: string): readonly string[] => at(marked).map(({ label }) => label);
const meaning = (marked: string, label: string): string | undefined =>
  at(marked).find((each) => each.label === label)?.documentation;

const head = 'playbook: 1\nname: x\n';
const step = (text: string): string =>
  `${head}steps:\n  - id: a\n${text.replaceAll(/^/gm, '    ')}\n`;

test('uses offers every operation with its title, also in quotes and half typed', () => {
  for (const typed of ['|', '"|"', '"|', 'futures/pl|', 'fut|ures/x']) {
    expect(labels(step(`uses: ${typed}`))).toEqual(expect.arrayContaining([...operationNames]));
  }
  expect(meaning(step('uses: |'), 'futures/place-order')).toBe(
    operationOf('futures/place-order').title,
  );
});

test('with offers the fields of the operation that it does not have yet', () => {
  const found = labels(step('uses: order/list-open\nwith:\n  category: SPOT\n  |'));
  const fields = Object.keys(Object(operationOf('order/list-open').input.json['properties']));
  expect([...found].sort()).toEqual(fields.filter((name) => name !== 'category').sort());
  expect(labels(step('uses: order/list-open\nwith: { category: SPOT, | }'))).toEqual(found);
});

test('words of a closed list have their meaning', () => {
  expect(labels(step('uses: wait\non-error: |'))).toEqual([...onErrorWords]);
  expect(meaning(step('uses: wait\non-error: |'), 'partial')).toContain('items that succeeded');
  expect(labels(step('uses: market/list-tickers\nwith: { category: | }'))).toContain('SPOT');
  expect(labels(`${head}inputs:\n  a:\n    type: |\nsteps: []\n`)).toContain('record');
  expect(labels(step('uses: order/list-open\nwrite:\n  since: |'))).toEqual(['last']);
});

test('keys of the whole language are offered where they belong', () => {
  expect(labels(`${head}|\nsteps: []\n`)).toEqual(expect.arrayContaining(['let', 'inputs']));
  expect(labels(step('uses: wait\n|'))).toEqual(
    expect.arrayContaining(['let', 'for-each', 'on-error', 'max-failures']),
  );
  expect(labels(step('uses: wait\nfor-each: { | }'))).toEqual(['matrix', 'exclude']);
  expect(labels(step('uses: wait\nfor-each:\n  matrix: { a: [b] }\n  |'))).toEqual(['exclude']);
  expect(labels(step('uses: order/list-open\nwrite:\n  |'))).toEqual(
    expect.arrayContaining(['since', 'overlap', 'unique']),
  );
  expect(
    labels(`${head}inputs:\n  a:\n    type: record\n    fields:\n      b:\n        |\n`),
  ).toEqual(expect.arrayContaining(['type', 'optional', 'default']));
});

test('the inputs of another playbook are offered with their descriptions and values', () => {
  expect(labels(step('uses: ./nested.yaml\nwith:\n  |'))).toEqual(['line', 'count']);
  expect(meaning(step('uses: ./nested.yaml\nwith: { | }'), 'line')).toBe(
    'Kind of order (enum, required)',
  );
  expect(labels(step('uses: ./nested.yaml\nwith:\n  line: |'))).toEqual(['SPOT', 'USDT-FUTURES']);
});

test('names are offered where they are referred to', () => {
  const steps = `${head}steps:\n  - id: a\n    uses: wait\n    with: { for: 1s }\n`;
  const b = `${steps}  - id: b\n    needs: [|]\n    uses: wait\n`;
  expect(labels(b)).toEqual(['a']);
  expect(
    labels(`${b.replace('|', 'a')}  - id: c\n    needs:\n      - |\n    uses: wait\n`),
  ).toEqual(['a', 'b']);
  expect(labels(`${steps}  - id: t\n    uses: report/table\n    with:\n      from: |\n`)).toEqual([
    'a',
  ]);
  expect(labels(`${head}account: |\nsteps: []\n`)).toEqual(['main', 'other']);
  expect(labels(step('uses: wait\naccount: |'))).toEqual(['main', 'other']);
  expect(labels(`${head}schedule: [{ cron: "1 2 * * *", timezone: | }]\nsteps: []\n`)).toContain(
    'Asia/Singapore',
  );
  expect(
    labels(
      step('uses: wait\nwith: &pause { for: 1s }').concat(
        '  - id: b\n    uses: wait\n    with: *|\n',
      ),
    ),
  ).toEqual(['*pause']);
});

test('expressions offer names of let, fields of records, options and zones', () => {
  const texts = `${head}inputs:
  clients: { type: list, items: { type: record, fields: { uid: { type: string }, rate: { type: decimal } } } }
let: { floor: "1.5" }
steps:
  - id: a
    for-each: "{{ inputs.clients }}"
    key: "{{ each.value.uid }}"
    let: { top: "{{ each.value.rate }}" }
    uses: wait
    with: { for: `;
  expect(labels(`${texts}"{{ let.|`)).toEqual(['floor', 'top']);
  expect(labels(`${texts}"{{ each.value.|`)).toEqual(['uid', 'rate']);
  expect(labels(`${texts}"{{ date run.time 'yyyy' |`)).toContain('tz=');
  expect(labels(`${texts}"{{ add 1 (daysAgo 1 tz='UTC') |`)).not.toContain('tz=');
  for (const typed of ["tz='|", "tz='Asia/|", "tz='|Asia/Tokyo'"]) {
    expect(labels(`${texts}"{{ date run.time 'yyyy' ${typed}`)).toContain('Asia/Singapore');
  }
  expect(labels(`${texts}"{{ date run.time '|`)).toEqual([]);
});

const folder = join(import.meta.dirname, '..', '..', '..', 'workflows');
const files = readdirSync(folder).filter((name) => /(?<!test)\.yaml$/.test(name));

/** The problems of something that does not exist at a place. */
const unknown = /is not known here|unknown|has no "|must be .* or |not found/;

/** Every place where a word begins, without the word and the path that continues it. */
function gapsIn(text: string): readonly { readonly text: string; readonly offset: number }[] {
  return [...text.matchAll(/[\w@][\w@/-]*(?=((?:\.[\w.-]*)?))/g)].map(
    ({ 0: word, 1: rest = '', index }) => ({
      text: text.slice(0, index) + text.slice(index + word.length + rest.length),
      offset: index,
    }),
  );
}

test.each(files)('%s: no accepted completion is unknown at its place', (file) => {
  const whole = readFileSync(join(folder, file), 'utf8');
  let offered = 0;
  const gaps = gapsIn(whole);
  const oneOf = Math.ceil(gaps.length / 25);
  for (const { text, offset } of gaps.filter((_gap, index) => isTried(index, oneOf))) {
    const found = completionsAt(text, offset, file, around);
    // The first, the last and one between: the lists of operations and zones are long.
    const some = new Set([0, Math.floor(found.length / 2), found.length - 1]);
    for (const index of some) {
      const completion = found[index];
      if (completion === undefined) continue;
      offered += 1;
      const { at: place, insert = completion.label } = completion;
      const changed = text.slice(0, place.start) + insert + text.slice(place.end);
      const end = place.start + insert.length;
      const wrong = loadPlaybook(changed, file, around).problems.filter(
        ({ at: { start, end: stop }, message }) =>
          start.offset < end &&
          place.start < stop.offset &&
          unknown.test(message) &&
          message.includes(completion.label),
      );
      expect(wrong.map(({ message }) => `${insert}: ${message}`)).toEqual([]);
    }
  }
  expect(offered).toBeGreaterThan(5);
});
