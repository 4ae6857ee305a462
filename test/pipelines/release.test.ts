/** The next version: its number is in every place that the build, the tests and npm compare. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { renumber } from '../../.ci/release/renumber.ts';
import { version } from '../../src/base/version.ts';
import { folderWith } from '../cli/deskhand.ts';

const root = join(import.meta.dirname, '..', '..');
const { man }: { man: readonly string[] } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const places = ['src/base/version.ts', 'CHANGELOG.md', 'package-lock.json', ...man];

function copy(): string {
  const folder = folderWith();
  for (const name of ['package.json', ...places]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(root, name), join(folder, name));
  }
  return folder;
}

test('the next version has its number in the code, the lockfile, the changelog and the manual', () => {
  const folder = copy();
  renumber(folder, { before: version, after: '9.8.7' });
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  expect(read('src/base/version.ts')).toContain(`version = '9.8.7'`);
  expect(read('CHANGELOG.md')).toMatch(/\n## Unreleased\n\n## 9\.8\.7\n/);
  const lock = JSON.parse(read('package-lock.json'));
  expect([lock.version, lock.packages[''].version]).toEqual(['9.8.7', '9.8.7']);
  for (const page of man) {
    expect(read(page)).toContain('"deskhand 9.8.7"');
    expect(read(page)).not.toContain(version);
  }
});

test('a place without the former number stops the release', () => {
  const folder = copy();
  expect(() => renumber(folder, { before: '0.0.0', after: '9.8.7' })).toThrow(
    `src/base/version.ts does not contain "'0.0.0'"`,
  );
});

test('a version without a section in the changelog is not packed', () => {
  const { jobs }: { jobs: { build: { steps: { name?: string; run?: string }[] } } } = parse(
    readFileSync(join(root, '.github/workflows/release.yml'), 'utf8'),
  );
  const script = jobs.build.steps.find(({ name }) => name === 'Pack')?.run ?? 'false';
  const packed = (changelog: string): readonly [number | null, string, string] => {
    const cwd = folderWith({
      'package.json': '{ "name": "deskhand", "version": "1.2.3" }\n',
      'CHANGELOG.md': changelog,
      'dist/sbom.cdx.json': '{}\n',
    });
    const words = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script];
    const { PATH = '' } = process.env;
    const env = { PATH, HOME: folderWith({}), TMPDIR: tmpdir() }; // npm logs to HOME while it packs cwd
    const { status, stdout, stderr } = spawnSync('bash', words, { cwd, env, encoding: 'utf8' });
    const path = join(cwd, 'release', 'notes.md');
    return [status, stdout, status === 0 ? readFileSync(path, 'utf8') : stderr];
  };
  const section = '\n## 1.2.3\n\n- An end.\n';
  expect(
    packed(`# Changelog\n\n## Unreleased\n\n- More.\n${section}\n## 1.2.2\n\n- Old.\n`),
  ).toEqual([0, 'deskhand-1.2.3.tgz\n', '\n- An end.\n\n']);
  expect(packed('# Changelog\n\n## Unreleased\n\n- More.\n')).toEqual([
    1,
    expect.stringContaining('::error::CHANGELOG.md says nothing about 1.2.3'),
    expect.any(String),
  ]);
});
