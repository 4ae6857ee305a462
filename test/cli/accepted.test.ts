/** What `validate` accepts, `plan` and `run` do not refuse for a reason of language. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith, type Ended } from './deskhand.ts';
import { inside } from './inside.ts';

interface Place {
  readonly cwd: string;
  readonly at: (...words: string[]) => Promise<Ended>;
}

function place(text: string, files: Readonly<Record<string, string>> = {}): Place {
  const cwd = folderWith({
    'p.yaml': `playbook: 1\nname: p\naccount: main\n${text}`,
    'deskhand.yaml': 'profiles: { main: { allow: { shell: [node] } } }\n',
    ...files,
  });
  const env = { DESKHAND_SECRET_HOOK: 'https://127.0.0.1:9/hook' };
  return { cwd, at: async (...words) => inside(words, { cwd, env }) };
}

const tickers = `
  - id: spot
    uses: market/list-tickers
    with: { category: SPOT }`;
const refused = `${tickers}
    expect: [{ that: "{{ gt (length response) 99 }}", message: "not today" }]`;

/** Prints its arguments into a file of the folder. */
const says = (words: string): string =>
  `uses: shell/run
    with: { command: [node, -e, "require('fs').writeFileSync('said.txt', process.argv.slice(1).join(' '))", ${words}] }`;
const notice = (text: string): string =>
  `uses: notify/webhook
    with: { url: "{{ secrets.HOOK }}", text: "${text}" }`;

describe('steps of on-failure that name the failure', () => {
  test('are planned, and run with its words', async () => {
    const { cwd, at } = place(`steps:${refused}
on-failure:
  - id: tell
    ${says('"{{ failure.step }}", "{{ failure.message }}"')}
`);
    expect((await at('validate', 'p.yaml')).code).toBe(0);
    const planned = await at('plan', 'p.yaml');
    expect([planned.code, planned.stderr]).toEqual([0, '']);
    const run = await at('run', 'p.yaml', '-o', 'json');
    expect([run.code, run.stderr.includes('PB313')]).toEqual([1, false]);
    expect(readFileSync(join(cwd, 'said.txt'), 'utf8')).toBe('spot not today');
  });

  test('show a notice whose text is known after a failure', async () => {
    const { at } = place(`steps:${tickers}
on-failure:
  - id: tell
    ${notice('{{ failure.step }}: {{ failure.code }}')}
`);
    const { code, stdout } = await at('plan', 'p.yaml');
    expect(stdout).toContain('POST to 127.0.0.1:9: "(after a failure): (after a failure)"');
    expect([code, stdout.includes('known-later')]).toEqual([0, false]);
    const page = await at('plan', 'p.yaml', '-o', 'markdown');
    expect(page.stdout).not.toContain('known-later');
  });

  test('are planned for each item', async () => {
    const { at } = place(`inputs: { desks: { type: list, default: [a, b] } }
steps:${tickers}
on-failure:
  - id: tell
    for-each: "{{ inputs.desks }}"
    ${says('"{{ each.value }}"')}
`);
    expect((await at('validate', 'p.yaml')).code).toBe(0);
    const { code, stderr } = await at('plan', 'p.yaml');
    expect([code, stderr]).toEqual([0, '']);
  });
});

test('steps whose items are known only during the run are planned', async () => {
  const { at } = place(`steps:
  - id: first
    uses: shell/run
    with: { command: [node, -p, "'a b'"] }
  - id: each
    for-each: "{{ split steps.first.response.stdout ' ' }}"
    ${says('"{{ each.value }}"')}
  - id: tell
    for-each: "{{ split steps.first.response.stdout ' ' }}"
    ${notice('{{ each.value }}')}
`);
  expect((await at('validate', 'p.yaml')).code).toBe(0);
  const { code, stdout, stderr } = await at('plan', 'p.yaml');
  expect([code, stderr, stdout.includes('known-later')]).toEqual([0, '', false]);
});

test('an output of a nested playbook that cannot be evaluated is null in a plan as in a run', async () => {
  const { at } = place(
    `steps:\n  - { id: part, uses: ./part.yaml, with: {} }\noutputs: { found: "{{ default steps.part.outputs.found 'none' }}" }\n`,
    {
      'part.yaml': `playbook: 1
name: part
steps:${tickers}
outputs: { found: "{{ first (filter steps.spot.response 'lastPrice' 'lt' 0) }}" }
`,
    },
  );
  expect((await at('validate', 'p.yaml')).stderr).toBe('');
  const planned = await at('plan', 'p.yaml');
  expect([planned.code, planned.stderr]).toEqual([0, '']);
  expect((await at('run', 'p.yaml')).code).toBe(0);
});

describe('numbers in a list of maps', () => {
  const text = `inputs: { rows: { type: list, default: [{ size: 0.5 }, { size: 0.25 }] } }
steps:
  - id: row
    for-each: "{{ inputs.rows }}"
    uses: market/list-tickers
    with: { category: SPOT }
    if: "{{ gt each.value.size 0.2 }}"
    expect: [{ that: "{{ ne (add each.value.size '0.00000000000000000001') 1 }}" }]
    outputs: { twice: "{{ mul each.value.size 2 }}" }
`;
  const sums = async (place: Place, ...words: string[]): Promise<unknown> => {
    const { code, stdout } = await place.at('run', 'p.yaml', ...words, '-o', 'json');
    const { items = [] } = JSON.parse(stdout || '{}').steps?.[0] ?? {};
    return [code, items.map(({ state }: { readonly state: string }) => state)];
  };
  const rows = '[{"size": 0.5}, {"size": 0.25}]';

  test.each([
    ['a default', []],
    ['--var', ['--var', `rows=${rows}`]],
    ['--var-file', ['--var-file', 'rows.yaml']],
    ['--var-file with JSON', ['--var-file', 'rows.json']],
  ])('from %s are exact numbers', async (_from, words) => {
    const given = place(text, {
      'rows.yaml': 'rows: [{ size: 0.5 }, { size: 0.25 }]\n',
      'rows.json': `{"rows": ${rows}}`,
    });
    expect(await sums(given, ...words)).toEqual([0, ['done', 'done']]);
  });

  test('keep digits that a double loses', async () => {
    const { at } = place(`inputs: { rows: { type: list } }
steps:${tickers}
    expect: [{ that: "{{ eq (sub inputs.rows.0.size '0.12345678901234567890') 0 }}" }]
`);
    const rows = 'rows=[{"size": 0.12345678901234567890}]';
    expect((await at('run', 'p.yaml', '--var', rows)).code).toBe(0);
  });

  test('with an exponent are refused where they are given', async () => {
    const { cwd, at } = place(text);
    writeFileSync(join(cwd, 'rows.json'), '{"rows": [{"size": 1e-9}]}');
    for (const words of [
      ['--var', 'rows=[{"size": 1e-9}]'],
      ['--var-file', 'rows.json'],
    ]) {
      const { code, stderr } = await at('plan', 'p.yaml', ...words);
      expect([code, stderr]).toEqual([3, expect.stringContaining('1e-9 is not a decimal number')]);
    }
  });
});
