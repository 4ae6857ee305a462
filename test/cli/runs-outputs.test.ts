/** Outputs of playbooks: at the end of a run, in `runs show`, on its page, and for other tools. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderWith, type Ended } from './deskhand.ts';
import { inside } from './inside.ts';

const files = {
  'desks.yaml': `playbook: 1
name: desks
inputs: { desks: { type: list, default: [a, b] } }
steps:
  - id: part
    for-each: "{{ inputs.desks }}"
    uses: ./part.yaml
    with: { desk: "{{ each.value }}" }
outputs:
  first: "{{ steps.part.outputs.a.symbols }}"
  names: "{{ inputs.desks }}"
  word: "two words"
`,
  'part.yaml': `playbook: 1
name: part
inputs: { desk: { type: string } }
steps:
  - { id: spot, uses: market/list-tickers, with: { category: SPOT } }
outputs: { symbols: "{{ length steps.spot.response }}", desk: "{{ inputs.desk }}" }
`,
};

test('they are shown everywhere, with those of nested playbooks, and printed for other tools', async () => {
  const cwd = folderWith(files);
  const at = async (...words: string[]): Promise<Ended> => inside(words, { cwd });
  const ended = await at('run', 'desks.yaml', '--report', 'reports', '-o', 'text');
  expect(ended.code).toBe(0);
  const shown = await at('runs', 'show', 'last');
  for (const { stdout } of [ended, shown]) {
    expect(stdout).toMatch(/Outputs +first +4\n/);
    expect(stdout).toMatch(/\n +word +two words\n/);
    expect(stdout).toMatch(/\n +part\[b\]\.desk +b\n/);
  }

  const { stdout } = await at('runs', 'outputs', 'last', '-o', 'json');
  const printed = JSON.parse(stdout);
  expect(printed).toEqual({
    version: 1,
    run: expect.stringMatching(/^r-/),
    status: 'done',
    outputs: {
      first: 4,
      names: ['a', 'b'],
      word: 'two words',
      'part[a].symbols': 4,
      'part[a].desk': 'a',
      'part[b].symbols': 4,
      'part[b].desk': 'b',
    },
  });
  const page = readFileSync(join(cwd, 'reports', `${printed.run}.html`), 'utf8');
  expect(page).toMatch(/Outputs<\/h2>/);
  expect(page).toContain('<code>two words</code>');

  const one = async (name: string): Promise<string> =>
    (await at('runs', 'outputs', 'last', name)).stdout;
  expect([await one('word'), await one('names'), await one('part[a].symbols')]).toEqual([
    'two words\n',
    '["a","b"]\n',
    '4\n',
  ]);
  const wrong = await at('runs', 'outputs', 'last', 'wrod');
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('did you mean word?')]);
});
