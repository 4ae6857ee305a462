/** The next version: its number is in every place that the build, the tests and npm compare. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { beforeEach, describe, expect, test } from 'vitest';
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
  const script = scriptOf('build', 'Pack');
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

/** What a step of the workflow executes. */
function scriptOf(job: string, step: string): string {
  const { jobs }: { jobs: Record<string, { steps: { name?: string; run?: string }[] }> } = parse(
    readFileSync(join(root, '.github/workflows/release.yml'), 'utf8'),
  );
  return jobs[job]?.steps.find(({ name }) => name === step)?.run ?? 'false';
}

describe('the release is run again', () => {
  let folder = '';
  let integrity = '';
  beforeEach(() => {
    folder = folderWith({
      'package/package.json': '{ "name": "deskhand", "version": "1.2.3" }\n',
      'sbom.cdx.json': '{}\n',
      'notes.md': 'An end.\n',
      // They answer what the test says, and list what would be changed.
      'bin/npm': '#!/bin/sh\n[ "$1" = view ] && echo "$PUBLISHED" || echo "npm $1 $2"\n',
      'bin/gh':
        '#!/bin/sh\n[ "$2" = view ] || { echo "gh $2 $4"; exit; }\n[ -n "$ASSETS" ] && printf "%b" "$ASSETS"\n',
    });
    [, integrity = ''] = shell(pack);
  });
  const shell = (script: string, env: Readonly<Record<string, string>> = {}): readonly string[] => {
    const words = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script];
    const PATH = `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`;
    const { status, stdout } = spawnSync('bash', words, {
      cwd: folder,
      env: { PATH, GITHUB_REPOSITORY: 'o/r', GITHUB_SHA: 'abc', ...env },
      encoding: 'utf8',
    });
    return [String(status), ...stdout.split('\n').filter((line) => !/^$|: OK$/.test(line))];
  };
  const pack = `chmod +x bin/*; tar -czf deskhand-1.2.3.tgz package
    sha512sum deskhand-1.2.3.tgz > SHA512SUMS
    echo "sha512-$(openssl dgst -sha512 -binary deskhand-1.2.3.tgz | base64 -w 0)"`;
  const publish = (PUBLISHED: string): readonly string[] =>
    shell(scriptOf('publish', 'Publish with provenance'), { PUBLISHED });
  const release = (ASSETS: string): readonly string[] =>
    shell(scriptOf('publish', 'Create the release'), { ASSETS });

  test('what is published already is compared with what was built', () => {
    expect(publish('')).toEqual(['0', 'npm publish ./deskhand-1.2.3.tgz']);
    expect(publish(integrity)).toEqual([
      '0',
      'deskhand@1.2.3 is published already, with the same bytes',
    ]);
    expect(publish('sha512-other')).toEqual(['1', expect.stringContaining('::error::')]);
  });

  test('a release gets the files that it does not have', () => {
    expect(release('')).toEqual(['0', 'gh create --repo']);
    expect(release('sbom.cdx.json\\n')).toEqual([
      '0',
      'gh upload deskhand-1.2.3.tgz',
      'gh upload SHA512SUMS',
    ]);
    expect(release('deskhand-1.2.3.tgz\\nsbom.cdx.json\\nSHA512SUMS\\n')).toEqual(['0']);
  });
});
