/** What a generated pipeline installs: the bytes that `--package` names, and nothing by a name alone. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createPlain, type RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { githubAction, githubWorkflow } from '../../src/cli/init/github.ts';
import { gitlabPipeline } from '../../src/cli/init/gitlab.ts';
import {
  installLines,
  packageSource,
  type PackageSource,
} from '../../src/cli/init/package-source.ts';
import { deskhand, folderWith } from '../cli/deskhand.ts';
import { selfSigned } from '../support/certificate.ts';
import { git } from '../stores/machines.ts';
import { put, scratch, step, type Said } from './host.ts';

const commit = 'a'.repeat(40);
const digest = `sha512-${'A'.repeat(86)}==`;
const url = 'https://desk.example/deskhand-0.1.0.tgz';

describe('--package', () => {
  test.each([
    [url, 'is not pinned'],
    [`${url}#sha512-short`, 'is not pinned'],
    [`${url}#sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=`, 'is not pinned'],
    ['git+https://desk.example/deskhand.git', 'is not pinned'],
    ['git+https://desk.example/deskhand.git#main', 'is not pinned'],
    ['git+https://desk.example/deskhand.git#v0.1.0', 'is not pinned'],
    [`git+https://desk.example/deskhand.git#${commit.slice(1)}`, 'is not pinned'],
    ['deskhand@0.1.0', 'is not pinned'],
    ['@desk/deskhand@0.1.0', 'is not pinned'],
    ['deskhand', 'is not a package'],
    [`@desk/deskhand@^0.1.0#${digest}`, 'is not a package'],
    [`@desk/deskhand@latest#${digest}`, 'is not a package'],
    [`http://desk.example/deskhand.tgz#${digest}`, 'is not a package'],
    [`https://ann:secret@desk.example/deskhand.tgz#${digest}`, 'a user name or a password'],
    [`git+https://ann@desk.example/deskhand.git#${commit}`, 'a user name or a password'],
    [`https://desk.example/\${{ secrets.KEY }}.tgz#${digest}`, 'a pipeline may change'],
    [`https://desk.example/a b.tgz#${digest}`, 'a pipeline may change'],
    ['/srv/deskhand.tgz', 'is not in the repository'],
    ['vendor/../../deskhand.tgz', 'is not in the repository'],
    ['vendor/missing.tgz', 'file not found'],
  ])('refuses %s: it %s', (text, because) => {
    expect(() => packageSource(text, scratch())).toThrow(because);
  });

  test('refuses a file with another digest', () => {
    const folder = scratch();
    writeFileSync(join(folder, 'a.tgz'), 'bytes');
    expect(() => packageSource(`a.tgz#${digest}`, folder)).toThrow('another digest');
    expect(packageSource('a.tgz', folder)).toMatchObject({ kind: 'file', address: 'a.tgz' });
  });

  test('of Windows names the file as the pipeline does, with slashes', () => {
    const folder = scratch();
    mkdirSync(join(folder, 'vendor'));
    writeFileSync(join(folder, 'vendor', 'a.tgz'), 'bytes');
    const named = packageSource(String.raw`vendor\a.tgz`, folder, 'win32');
    expect(named).toEqual(packageSource('vendor/a.tgz', folder));
    expect(() => packageSource(String.raw`vendor\..\..\a.tgz`, folder, 'win32')).toThrow(
      'is not in the repository',
    );
  });

  test('is for pipelines', async () => {
    const cwd = folderWith();
    const { code, stderr } = await deskhand(['init', '--package', `${url}#${digest}`], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('--package is for a pipeline')]);
  });
});

/** A tarball of a package whose program prints its arguments. */
function tarball(): { readonly bytes: Buffer; readonly integrity: string } {
  const folder = scratch();
  mkdirSync(join(folder, 'package', 'bin'), { recursive: true });
  const about = { name: '@desk/deskhand', version: '0.1.0' };
  writeFileSync(join(folder, 'package', 'package.json'), JSON.stringify(about));
  const script = '#!/usr/bin/env node\nconsole.log(process.argv.slice(2).join("|"));\n';
  writeFileSync(join(folder, 'package', 'bin', 'deskhand.js'), script, { mode: 0o755 });
  execFileSync('tar', ['-czf', 'deskhand.tgz', 'package'], { cwd: folder });
  const bytes = readFileSync(join(folder, 'deskhand.tgz'));
  const sha512 = createHash('sha512').update(bytes).digest('base64');
  return { bytes, integrity: `sha512-${sha512}` };
}

/** Executes the lines of a source, then its deskhand. */
function install(
  source: PackageSource,
  cwd: string,
  env: Record<string, string> = {},
): Promise<Said> {
  const script = [...installLines(source), '"$folder/bin/deskhand" plan "a b"'].join('\n');
  return step(script, { cwd, env, bin: scratch() });
}

async function address(server: Server | ReturnType<typeof createPlain>): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const at = server.address();
  return `127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}`;
}

describe('the install step', () => {
  test('of a file installs it, and stops at any other byte', async () => {
    const { bytes } = tarball();
    const folder = scratch();
    mkdirSync(join(folder, "it's"));
    writeFileSync(join(folder, "it's", 'deskhand.tgz'), bytes);
    const source = packageSource("it's/deskhand.tgz", folder);
    expect(await install(source, folder)).toMatchObject({ code: 0, text: 'plan|a b\n' });
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    writeFileSync(join(folder, "it's", 'deskhand.tgz'), bytes);
    const changed = await install(source, folder);
    expect(changed.code).not.toBe(0);
    expect(changed.text).toContain('FAILED');
  });

  test('of an address loads it with https, and stops at any other byte', async () => {
    const { bytes, integrity } = tarball();
    const { key, cert } = selfSigned('localhost');
    const folder = scratch();
    writeFileSync(join(folder, 'ca.pem'), cert);
    const server = createServer({ key, cert }, (_, response) => response.end(bytes));
    try {
      const from = `https://${await address(server)}/deskhand.tgz`;
      const env = { CURL_CA_BUNDLE: join(folder, 'ca.pem') };
      const said = await install(packageSource(`${from}#${integrity}`, folder), folder, env);
      expect(said).toMatchObject({ code: 0, text: 'plan|a b\n' });
      const other = await install(packageSource(`${from}#${digest}`, folder), folder, env);
      expect([other.code === 0, other.text]).toEqual([false, expect.stringContaining('FAILED')]);
    } finally {
      server.close();
    }
  });

  test('of a name in a registry installs the version with that digest, and no other', async () => {
    const { bytes, integrity } = tarball();
    const folder = scratch();
    let from = '';
    const answer: RequestListener = ({ url: path = '' }, response) => {
      if (path.endsWith('.tgz')) return response.end(bytes);
      const dist = { tarball: `${from}/deskhand.tgz`, integrity };
      const versions = { '0.1.0': { name: '@desk/deskhand', version: '0.1.0', dist } };
      const about = { name: '@desk/deskhand', 'dist-tags': { latest: '0.1.0' }, versions };
      return response.end(JSON.stringify(about));
    };
    const server = createPlain(answer);
    try {
      from = `http://${await address(server)}`;
      const env = { npm_config_registry: `${from}/`, npm_config_update_notifier: 'false' };
      const spec = '@desk/deskhand@0.1.0';
      const said = await install(packageSource(`${spec}#${integrity}`, folder), folder, env);
      expect([said.code, said.text]).toEqual([0, expect.stringMatching(/^plan\|a b$/m)]);
      const other = await install(packageSource(`${spec}#${digest}`, folder), folder, env);
      expect([other.code === 0, other.text]).toEqual([false, expect.stringContaining('FAILED')]);
    } finally {
      server.close();
    }
  });

  test('of a commit builds it with its lockfile, whatever its branches are by then', async () => {
    const folder = scratch();
    const about = { name: 'deskhand', scripts: { build: 'mv source.js bin/deskhand.js' } };
    put(folder, {
      'package.json': JSON.stringify(about),
      'package-lock.json': '{ "name": "deskhand", "lockfileVersion": 3, "packages": { "": {} } }',
      'bin/note': '',
      'source.js': '#!/usr/bin/env node\nconsole.log(process.argv.slice(2).join("|"));\n',
    });
    chmodSync(join(folder, 'source.js'), 0o755);
    git(folder, ['init', '--quiet', '--initial-branch=main']);
    git(folder, ['add', '--all']);
    git(folder, ['commit', '--quiet', '--message', 'first']);
    const first = git(folder, ['rev-parse', 'HEAD']);
    writeFileSync(join(folder, 'source.js'), 'throw new Error("moved");\n');
    git(folder, ['commit', '--quiet', '--all', '--message', 'second']);
    const source = packageSource(`git+file://${folder}#${first}`, '.');
    const { code, text } = await install(source, scratch());
    expect([code, text]).toEqual([0, expect.stringMatching(/^plan\|a b$/m)]);
    const gone = packageSource(`git+file://${folder}#${commit}`, '.');
    expect((await install(gone, scratch())).code).not.toBe(0);
  });

  test('without --package stops when the lockfile has no deskhand', async () => {
    const files = {
      'package.json': '{ "private": true }\n',
      'package-lock.json': '{ "lockfileVersion": 3, "packages": { "": {} } }\n',
    };
    const { code, text } = await install(packageSource(undefined, '.'), folderWith(files));
    expect([code, text]).toEqual([1, expect.stringContaining('package-lock.json has no deskhand')]);
    const without = await install(packageSource(undefined, '.'), folderWith());
    expect([without.code === 0, without.text]).toEqual([false, expect.stringContaining('npm')]);
  });
});

describe('a generated pipeline', () => {
  const sources = [undefined, `${url}#${digest}`, `git+${url.replace('tgz', 'git')}#${commit}`];

  test.each(sources)(
    'with --package %s installs nothing by a name that anyone could take',
    (text) => {
      const source = packageSource(text, '.');
      const workflow = githubWorkflow({ hasSnapshot: true });
      const action = githubAction(source);
      const pipeline = gitlabPipeline({ source, hasSnapshot: true });
      for (const text of [workflow, action, pipeline]) {
        expect(parse(text)).toBeTypeOf('object');
        expect(text).not.toMatch(/\bnpx\b|npm (?:install|i|exec|x)\b(?! --save-dev)/);
      }
      for (const text of [action, pipeline]) {
        for (const line of installLines(source)) expect(text).toContain(line);
      }
    },
  );

  test.each([
    [['schedule', 'export', '--github', 'a.yaml'], 'npm ci --ignore-scripts'],
    [['schedule', 'export', '--github', 'a.yaml', '--package', `${url}#${digest}`], url],
  ])('of %s is pinned in the same way, with its actions', async (words, contained) => {
    const playbook = `playbook: 1
name: nightly
schedule: [{ cron: "15 2 * * *", timezone: UTC }]
steps: [{ id: prices, uses: market/list-tickers, with: { category: SPOT } }]
`;
    const { code, stdout, stderr } = await deskhand(words, {
      cwd: folderWith({ 'a.yaml': playbook }),
    });
    expect([code, stderr]).toEqual([0, '']);
    const { steps } = parse(stdout).jobs.due as { steps: { uses?: string; run?: string }[] };
    for (const { uses } of steps) {
      if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
    }
    expect(steps.map(({ run = '' }) => run).join('\n')).toContain(contained);
    expect(stdout).not.toContain('npx');
  });

  test('says how deskhand gets into the lockfile, until it is there', async () => {
    const note = /package-lock\.json, which does\s+not have it yet/;
    const cwd = folderWith();
    expect((await deskhand(['init', 'a', '--github'], { cwd })).stdout).toMatch(note);
    const pinned = ['init', 'b', '--github', '--package', `${url}#${digest}`];
    expect((await deskhand(pinned, { cwd })).stdout).not.toMatch(note);
    const shownBeside = async (lock: string): Promise<string> => {
      const has = folderWith({ 'package-lock.json': lock });
      return (await deskhand(['init', '--gitlab'], { cwd: has })).stdout;
    };
    const program = { bin: { deskhand: 'bin/deskhand.js' } };
    for (const name of ['deskhand', '@desk/deskhand']) {
      const lock = JSON.stringify({ packages: { '': {}, [`node_modules/${name}`]: program } });
      expect(await shownBeside(lock)).not.toMatch(note);
    }
    for (const lock of ['{ "packages": { "node_modules/deskhand": {} } }', '{}', '<<<<<<< a']) {
      expect(await shownBeside(lock)).toMatch(note);
    }
  });
});
