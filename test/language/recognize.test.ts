import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { looksLikePlaybook } from '../../src/language/recognize.ts';

test.each([
  ['a plain one', 'playbook: 1\nname: a\n'],
  ['after comments and a document marker', '# ours\n\n---\nname: a\nplaybook: 1\n'],
  ['with a byte order mark', '\ufeffplaybook: 1\n'],
  ['with Windows line ends', 'name: a\r\nplaybook: 1\r\n'],
  ['indented as a whole', '  name: a\n  playbook: 1\n'],
  ['with a quoted key', '"playbook" : 1\nname: a\n'],
  ['in braces', '{ name: a, "playbook": 1 }'],
  ['with errors of YAML', 'name: [\nplaybook: 1\n\t- {{ x }}\n'],
  ['with a later version', 'playbook: 7\n'],
  ['without its first key', 'name: a\nsteps:\n  - id: x\n    uses: market/list-tickers\n'],
  ['with that key misspelled', 'playbok: 1\nsteps: [{ uses: market/list-tickers }]\n'],
])('a playbook %s is recognized', (_, text) => {
  expect(looksLikePlaybook(text)).toBe(true);
});

test.each([
  ['nothing', ''],
  ['comments only', '# playbook: 1\n'],
  ['a file of Compose', 'services:\n  desk:\n    image: desk\n    command: [playbook]\n'],
  ['values with such a key deeper', 'desk:\n  playbook: 1\n  steps: []\n'],
  ['a list', '- playbook\n- name: a\n'],
  [
    'a workflow of GitHub',
    'on: push\njobs:\n  a:\n    steps:\n      - uses: actions/checkout@v4\n',
  ],
  ['a pipeline of GitLab', 'validate:\n  script: [deskhand validate]\n'],
  ['a pipeline of Azure', 'steps:\n  - script: make\n'],
])('%s is not', (_, text) => {
  expect(looksLikePlaybook(text)).toBe(false);
});

test('every workflow of this repository is one', () => {
  for (const name of readdirSync('workflows').filter((file) => file.endsWith('.yaml'))) {
    const text = readFileSync(join('workflows', name), 'utf8');
    expect([name, looksLikePlaybook(text)]).toEqual([name, true]);
  }
});
