/** YAML files of other tools beside playbooks, for commands that find the playbooks themselves. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deskhand, folderWith } from './deskhand.ts';

const reading = `playbook: 1
name: tickers
schedule: [{ cron: "0 8 * * *" }]
steps:
  - id: tickers
    uses: market/list-tickers
    with: { category: SPOT }
`;
const others = {
  'compose.yaml': 'services:\n  desk: { image: desk }\n',
  '.gitlab-ci.yml': 'validate:\n  script:   [deskhand validate]\n',
  'values.yaml': 'symbol: BTCUSDT\nsteps: 3\n',
};
const noted = Object.keys(others)
  .sort()
  .map((file) => `! ${file} is skipped: not a playbook (no key "playbook")\n`)
  .join('');

describe('beside playbooks, YAML of other tools', () => {
  test('is skipped by validate with a note', async () => {
    const cwd = folderWith({ ...others, 'tickers.yaml': reading });
    const { code, stdout, stderr } = await deskhand(['validate'], { cwd });
    expect([code, stdout]).toEqual([0, '✔ tickers.yaml: no problems. Nothing was sent.\n']);
    expect(stderr).toBe(noted);
  });

  test('is listed in the JSON of validate, not as a file that was validated', async () => {
    const cwd = folderWith({ ...others, 'tickers.yaml': reading });
    const { stdout } = await deskhand(['validate', '-o', 'json'], { cwd });
    const { files, skipped } = JSON.parse(stdout);
    expect(files).toEqual([{ file: 'tickers.yaml', problems: [] }]);
    expect(skipped.map(({ file }: { file: string }) => file)).toEqual(Object.keys(others).sort());
  });

  test('is validated if it is named', async () => {
    const cwd = folderWith(others);
    const { code, stdout } = await deskhand(['validate', 'compose.yaml'], { cwd });
    expect([code, stdout]).toEqual([3, expect.stringContaining('"services" is not known here')]);
  });

  test('is skipped by schedules, which are listed with exit 0', async () => {
    const cwd = folderWith({ ...others, 'tickers.yaml': reading });
    const { code, stdout, stderr } = await deskhand(['schedule', 'list'], { cwd });
    expect([code, stderr]).toEqual([0, noted]);
    expect(stdout).toContain('tickers');
    const exported = await deskhand(['schedule', 'export', '--cron', '--timezone', 'UTC'], { cwd });
    expect([exported.code, exported.stderr]).toEqual([0, noted]);
  });

  test('is not rewritten by fmt', async () => {
    const cwd = folderWith({ ...others, 'tickers.yaml': reading });
    expect(await deskhand(['fmt', '--check'], { cwd })).toMatchObject({ code: 0 });
    await deskhand(['fmt'], { cwd });
    for (const [file, text] of Object.entries(others)) {
      expect(readFileSync(join(cwd, file), 'utf8')).toBe(text);
    }
  });

  test('is compared with no account by drift', async () => {
    const cwd = folderWith({ ...others, 'tickers.yaml': reading });
    const { code, stderr } = await deskhand(['drift'], { cwd });
    expect([code, stderr]).toEqual([0, expect.stringContaining(noted)]);
  });
});

test('a file with errors of YAML that is meant as a playbook is an error, not skipped', async () => {
  const cwd = folderWith({ ...others, 'a.yaml': reading, 'b.yaml': 'playbook: 1\nname: [\n' });
  const { code, stdout, stderr } = await deskhand(['validate'], { cwd });
  expect([code, stderr]).toEqual([3, noted]);
  expect(stdout).toContain('b.yaml:');
});

test('playbooks are found beside a folder that only has YAML of other tools', async () => {
  const cwd = folderWith({ 'workflows/ci.yaml': others['.gitlab-ci.yml'], 'a.yaml': reading });
  const { code, stderr } = await deskhand(['validate'], { cwd });
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^! workflows\/ci\.yaml is skipped/)]);
});

test('a folder with YAML of other tools only has no playbook', async () => {
  const { code, stderr } = await deskhand(['validate'], { cwd: folderWith(others) });
  expect([code, stderr]).toMatchInlineSnapshot(`
    [
      2,
      "error[usage] no playbook found here; skipped .gitlab-ci.yml and 2 other files (no key "playbook")
      help  name one, or run \`deskhand init\`
    ",
    ]
  `);
});

test('init adds the first playbook to a folder with YAML of other tools only', async () => {
  const cwd = folderWith(others);
  const { stdout } = await deskhand(['init', '.', '-o', 'json'], { cwd });
  expect(JSON.parse(stdout).written).toContain('playbooks/market-snapshot.yaml');
});
