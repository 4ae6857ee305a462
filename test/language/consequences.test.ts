/** One mistake is one problem: what only follows from it is not told next to it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadPlaybook } from '../../src/language/load.ts';

const folder = join(import.meta.dirname, '..', '..', 'workflows');
const workflows = readdirSync(folder).filter((name) => /^[^.]+\.yaml$/.test(name));

const errorsIn = (text: string, file: string): string[] =>
  loadPlaybook(text, file)
    .problems.filter(({ level }) => level === 'error')
    .map(({ code, at, message }) => `${code}@${at.start.line} ${message}`);

/** Every key of a text, with a letter too few, too many, in the wrong place, or a dash too few. */
function* typosIn(text: string): Iterable<{ readonly what: string; readonly typed: string }> {
  const lines = text.split('\n');
  let specIndent = Infinity; // a chart's spec is in its own language
  for (const [index, line] of lines.entries()) {
    const indent = line.search(/\S/);
    if (indent >= 0 && indent <= specIndent) specIndent = Infinity;
    if (specIndent < Infinity || line.trimStart().startsWith('#')) continue;
    if (/^\s*spec:/.test(line)) specIndent = indent;
    for (const match of line.matchAll(/([A-Za-z][A-Za-z-]+)(?=:(?:\s|$))/g)) {
      const [key] = match;
      const typos = [
        key.replace('-', ''),
        key.slice(0, -1),
        `${key}x`,
        key.replace(/^(.)(.)/, '$2$1'),
      ];
      const typo = typos[index % typos.length] ?? key;
      if (typo === key) continue;
      const changed = line.slice(0, match.index) + typo + line.slice(match.index + key.length);
      yield {
        what: `${index + 1}: ${key} → ${typo}`,
        typed: lines.with(index, changed).join('\n'),
      };
    }
  }
}

test.each(workflows)('%s: one typo in a key is at most one error', (file) => {
  const text = readFileSync(join(folder, file), 'utf8');
  expect(errorsIn(text, file)).toEqual([]);
  let count = 0;
  for (const { what, typed } of typosIn(text)) {
    const errors = errorsIn(typed, file);
    expect([what, errors.slice(1)]).toEqual([what, []]);
    count += errors.length;
  }
  expect(count).toBeGreaterThan(10);
});

/** Every name of a step in a report, as an expression of its rows. */
function* expressionsIn(text: string): Iterable<{ readonly what: string; readonly typed: string }> {
  for (const match of text.matchAll(/(?<=[{ ](?:from|table|chart): )[a-z][\w-]*(?=[ ,}\n])/g)) {
    const [id] = match;
    const expression = `"{{ steps.${id}.outputs }}"`;
    const before = text.slice(0, match.index);
    yield {
      what: `${before.split('\n').length}: ${id}`,
      typed: `${before}${expression}${text.slice(match.index + id.length)}`,
    };
  }
}

test('the name of a step that is written as an expression is one error', () => {
  let count = 0;
  for (const file of workflows) {
    const text = readFileSync(join(folder, file), 'utf8');
    for (const { what, typed } of expressionsIn(text)) {
      const errors = errorsIn(typed, file).map((error) => error.replace(/@\d+/, ''));
      expect([file, what, ...errors]).toEqual([
        file,
        what,
        'PB105 this is read before the run: write a literal value',
      ]);
      count += 1;
    }
  }
  expect(count).toBeGreaterThan(10);
});

test('foreach gets a suggestion and no other problem', () => {
  const file = 'desk-setup.yaml';
  const text = readFileSync(join(folder, file), 'utf8').replace('for-each:', 'foreach:');
  const { problems } = loadPlaybook(text, file);
  expect(problems.map(({ code, message, hint }) => [code, message, hint])).toEqual([
    ['PB101', '"foreach" is not known here', 'did you mean "for-each"?'],
  ]);
});

test('a test of a playbook is named as one', () => {
  const { problems } = loadPlaybook(
    'playbook-test: 1\nplaybook: a.yaml\ntests: []\n',
    'a.test.yaml',
  );
  expect(problems.map(({ hint }) => hint)).toContain(
    'this is a test of a playbook: `deskhand test FILE`',
  );
});

test.each(['frst inputs.coins', 'first inputs.coins null', 'first (inputs.coins'])(
  'an input in an expression that cannot be read counts as used: %s',
  (expression) => {
    const text = `playbook: 1
name: unread
inputs: { coins: { type: list, items: { type: string } } }
steps:
  - { id: a, uses: futures/list-positions, with: { productType: "{{ ${expression} }}" } }
`;
    const { problems } = loadPlaybook(text, 'unread.yaml');
    expect(problems.map(({ code }) => code)).toEqual([expect.stringMatching(/^PB30[123]$/)]);
  },
);

test('two independent mistakes are both reported', () => {
  const text = `playbook: 1
name: two
steps:
  - { id: a, uses: market/list-tickers, with: { category: SPOT }, foreach: [1] }
  - { id: b, uses: market/list-tickers, with: { category: SPT } }
  - { id: c, uses: market/list-discount-rates, if: "{{ eq steps.z.response.0.coin 'x' }}" }
`;
  expect(errorsIn(text, 'two.yaml').map((error) => error.slice(0, 7))).toEqual([
    'PB101@4',
    'PB204@5',
    'PB304@6',
  ]);
});

const unknownNeeds = (count: number): string =>
  `playbook: 1\nname: many\nsteps:\n${Array.from(
    { length: count },
    (_, at) => `- { id: step-${at}, uses: wait, with: { for: 1s }, needs: [stpe-${at}] }\n`,
  ).join('')}`;

test('the first hundred unknown names have a suggestion: each is compared with all names', () => {
  const { problems } = loadPlaybook(unknownNeeds(150), 'many.yaml');
  const unknown = problems.filter(({ code }) => code === 'PB402');
  expect(unknown).toHaveLength(150);
  expect(unknown.filter(({ hint }) => hint?.startsWith('did you mean')).length).toBe(100);
});

test('of many names that exist, a problem lists the first fifty', () => {
  const steps = Array.from(
    { length: 60 },
    (_, at) => `- { id: s${at}, uses: wait, with: { for: 1s } }`,
  );
  const last =
    '- { id: last, uses: wait, with: { for: 1s }, if: "{{ steps.somewhere-else.outputs }}" }';
  const text = `playbook: 1\nname: many\nsteps:\n${[...steps, last].join('\n')}\n`;
  const hint = loadPlaybook(text, 'many.yaml').problems.find(({ code }) => code === 'PB304')?.hint;
  expect(hint).toMatch(/^it has: s0, s1, .*, s49, … 10 more$/);
});
