/** Inputs from files: the example of the language's page, mistakes with their places, and one limit. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deskhand, deskhandAlone, folderWith } from './deskhand.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'playbook.md'), 'utf8');
const block = (kind: string, start: string): string =>
  page
    .split(`\`\`\`${kind}\n`)
    .find((text) => text.startsWith(start))
    ?.split('```')[0] ?? '';
const files = {
  'fees.yaml': block('yaml', '# fees.yaml'),
  'clients.csv': block('csv', 'name,symbol'),
};
const plan = ['plan', 'fees.yaml', '-o', 'json', '--var-file'];

test('the client list of the page is planned and run as typed records', async () => {
  const cwd = folderWith(files);
  const planned = await deskhand([...plan, 'clients=clients.csv'], { cwd });
  expect(JSON.parse(planned.stdout).inputs).toEqual({
    clients: [
      {
        name: 'alpha',
        symbol: 'BTCUSDT',
        volume: '125000.50',
        rate: '0.001',
        since: '1769817600000',
      },
      { name: 'bravo', symbol: 'ETHUSDT', volume: '8000', rate: '0.0005' },
    ],
  });
  const run = ['run', 'fees.yaml', '-o', 'json', '--var-file', 'clients=clients.csv'];
  const { outputs } = JSON.parse((await deskhand(run, { cwd })).stdout);
  expect(outputs).toEqual({ total: '129.0005' });
});

test('the message of the page is the message', async () => {
  const csv = files['clients.csv'].replace('0.0005', '0.05%');
  const { code, stderr } = await deskhand([...plan, 'clients=clients.csv'], {
    cwd: folderWith({ ...files, 'clients.csv': csv }),
  });
  expect(code).toBe(3);
  const message = 'clients.csv:3:20: rate: "0.05%" is not a decimal number';
  expect(stderr).toContain(message);
  expect(page).toContain(message);
});

describe('the name of an input before a file', () => {
  test.each([
    ['client=clients.csv', 2, 'client-fees has no input "client"\n  help  did you mean clients?'],
    ['clients=missing.csv', 2, 'file not found: missing.csv'],
    ['clients=values.yaml', 3, 'is not a list'],
    ['./values=x.yaml', 0, ''],
    ['values.yaml', 0, ''],
  ])('%s', async (word, code, message) => {
    const yaml = 'clients: [{ name: alpha, symbol: BTCUSDT, volume: 1 }]\n';
    const cwd = folderWith({ ...files, 'values.yaml': yaml, 'values=x.yaml': yaml });
    const ended = await deskhand([...plan, word], { cwd });
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(message)]);
  });

  test('is kept in the commands that a screen suggests, and reads stdin', async () => {
    const cwd = folderWith(files);
    const input = '[{"name":"alpha","symbol":"BTCUSDT","volume":0.10}]';
    const { code, stdout } = await deskhand([...plan, 'clients=-'], { cwd, input });
    expect([code, JSON.parse(stdout).inputs.clients[0].volume]).toEqual([0, '0.10']);
  });
});

describe('a large file of values', () => {
  test('has one limit, which one flag raises', async () => {
    const cwd = folderWith(files);
    const row = `alpha,${'A'.repeat(600)},1\n`;
    writeFileSync(join(cwd, 'large.csv'), `name,symbol,volume\n${row.repeat(20_000)}`);
    const words = [...plan, 'clients=large.csv'];
    const refused = await deskhandAlone(words, { cwd });
    expect(refused.stderr).toContain('large.csv cannot be read: it is larger than 10 MB');
    const read = await deskhandAlone(['--max-file-size', '20', ...words], { cwd });
    expect(read.stderr).toContain('for-each has 20000 items; at most 10000 are allowed');
  });

  test('as YAML names its own limit and the remedy at once', async () => {
    const cwd = folderWith(files);
    writeFileSync(
      join(cwd, 'large.yaml'),
      `clients: [{ name: "${'a'.repeat(11 * 1024 * 1024)}" }]`,
    );
    const { stderr } = await deskhand([...plan, 'large.yaml'], { cwd });
    expect(stderr).toContain('large.yaml is larger than 4 MB, the limit of YAML');
    expect(stderr).toContain('as JSON or, with a name, as CSV');
  });
});

test('a shell completes the names of inputs, and files after them', async () => {
  const cwd = folderWith(files);
  const completed = async (word: string): Promise<string> =>
    (await deskhand(['__complete', 'zsh', 'plan', 'fees.yaml', '--var-file', word], { cwd }))
      .stdout;
  expect(await completed('cl')).toBe('clients=\nclients.csv\n');
  expect(await completed('clients=cl')).toBe('clients=clients.csv\n');
});
