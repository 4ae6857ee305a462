/** Problems quote the file they are in; a secret of the environment in it is masked. */
import { expect, test } from 'vitest';
import { folderWith } from './deskhand.ts';
import { inside } from './inside.ts';

const secret = 's3cret/0123456789+abcdef=';
const bad = `playbook: 1
name: quoted
steps:
  - id: tickers
    uses: market/list-tickers
    with: { category: "${secret}", "${secret}x": 1 }
    ${secret}: 1
`;

test.each([
  'validate bad.yaml',
  'validate bad.yaml -o json',
  'validate bad.yaml -o sarif',
  'validate bad.yaml -o github',
  'validate bad.yaml -o gitlab',
  'validate bad.yaml -o junit',
  'validate bad.yaml -o markdown',
  'plan bad.yaml',
  'run bad.yaml -o json',
  'sandbox load world.yaml',
  'test bad.test.yaml',
])('%s', async (line) => {
  const files = {
    'bad.yaml': bad,
    'world.yaml': `version: 1\n${secret}: 1\n`,
    'bad.test.yaml': `playbook-test: 1\n${secret}: 1\n`,
  };
  for (const name of ['DESKHAND_API_SECRET', 'DESKHAND_SECRET_HOOK', 'GITHUB_TOKEN']) {
    const env = { [name]: secret, GITHUB_ACTIONS: 'true' };
    const { code, stdout, stderr } = await inside(line.split(' '), { cwd: folderWith(files), env });
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain('•••');
    expect(stdout + stderr).not.toContain(secret.slice(0, 12));
  }
});
