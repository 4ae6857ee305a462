/** The package as users get it: its tarball, and what npm makes of a Git address of this repository. */
import { createRequire } from 'node:module';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { publint } from 'publint';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { installLines, packageSource } from '../../src/cli/init/package-source.ts';
import { operationNames } from '../../src/exchange/api/index.ts';
import {
  cloneOf,
  freshFolder,
  npm,
  npmProgram,
  otherNodes,
  repositoryOfSources,
  root,
  started,
} from './installing.ts';

const require = createRequire(import.meta.url);
let repository = '';
let checkout = ''; // where the action built its own commit, and where the tarball was made
let tarball = '';
let project = ''; // where it is installed
let installed = '';
let fromGit = ''; // where npm installed the Git address of the repository

/** Of two builds, each is made by what users have: the action, and npm with a Git address. */
beforeAll(async () => {
  repository = repositoryOfSources();
  [checkout, fromGit] = await Promise.all([builtByAction(), installedFromGit()]);
  const packing = ['pack', '--ignore-scripts', '--json']; // it is built
  const [packed] = JSON.parse(await npm('11', packing, { cwd: checkout }));
  tarball = join(checkout, packed.filename);
  project = freshFolder();
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }\n');
  await npm('11', ['install', '--ignore-scripts', tarball], { cwd: project });
  installed = join(project, 'node_modules', 'deskhand');
});

const node22 = otherNodes().find(([major]) => major === '22')?.[1] ?? process.execPath;
const bins = (): string[] => [dirname(node22), process.env['PATH'] ?? ''];
let added = ''; // what the action added to the path of later steps

/** The first step of the action, as a runner does it: nothing is installed where the action is. */
async function builtByAction(): Promise<string> {
  const at = cloneOf(repository);
  const paths = join(freshFolder(), 'paths');
  const settings = { GITHUB_ACTION_PATH: at, GITHUB_WORKSPACE: at, GITHUB_PATH: paths };
  const env = { ...settings, PACKAGE: '', PATH: bins().join(':') };
  const { code, stderr } = await started('bash', stepWords(at, 0), { cwd: at, env });
  expect(code, stderr).toBe(0);
  added = readFileSync(paths, 'utf8').trim();
  return at;
}

/** How a runner starts a step of the action that is a script. */
function stepWords(at: string, step: number): string[] {
  const { runs } = parse(readFileSync(join(at, 'action.yml'), 'utf8')) as {
    runs: { steps: { run?: string }[] };
  };
  const script = runs.steps.flatMap(({ run }) => run ?? [])[step] ?? 'false';
  return ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script];
}

async function installedFromGit(): Promise<string> {
  const folder = freshFolder();
  writeFileSync(join(folder, 'package.json'), '{}\n');
  await npm('11', ['install', `git+file://${repository}`], { cwd: folder });
  return join(folder, 'node_modules', 'deskhand');
}

/** Paths within a folder, sorted. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** All packages of the project, as NAME@VERSION. */
function packagesIn(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => /(^|node_modules\/)(@[^/]+\/)?[^/@]+\/package\.json$/.test(name))
    .filter((name) => !/(^|\/)(dist|bin|lib|browser)\/package\.json$/.test(name));
  return names.map((name) => {
    const { name: own, version } = manifestIn(join(folder, name, '..'));
    return `${own}@${version}`;
  });
}

describe('the tarball', () => {
  test('has nothing that only the Node or the machine of its publisher can use', () => {
    const files = filesIn(installed);
    expect(files.filter((name) => /\.(cache|node|tsbuildinfo|map)$/.test(name))).toEqual([]);
    const local = files.filter((name) => readFileSync(join(installed, name)).includes(checkout));
    expect(local).toEqual([]);
    expect(files.filter((name) => /^(src|test|api|bench|model|\.)/.test(name))).toEqual([]);
  });

  test('has no pictures, and at most 10 MB', () => {
    const files = filesIn(installed);
    expect(files.filter((name) => /\.(png|jpe?g|gif|webp|svg)$/.test(name))).toEqual([]);
    const sizes = files.map((name) => statSync(join(installed, name)).size);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(10_000_000);
  });

  test('satisfies publint, with suggestions', async () => {
    const bytes = readFileSync(tarball);
    const { messages } = await publint({
      pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) },
      level: 'suggestion',
      strict: true,
    });
    expect(messages).toEqual([]);
  });

  test('has types where each entry has code, for modules', async () => {
    const program = require.resolve('@arethetypeswrong/cli/package.json');
    const words = [join(program, '..', 'dist/index.js'), tarball, '--profile', 'esm-only'];
    const { code, stdout } = await started(process.execPath, words, { cwd: project });
    expect(code, stdout).toBe(0);
  });

  test('compiles in a project with TypeScript 5, strictly', async () => {
    const entries = ['', '/api', '/client', '/playbook', '/sandbox'];
    const lines = entries.map((entry, at) => `export * as e${at} from 'deskhand${entry}';`);
    writeFileSync(join(project, 'all.ts'), lines.join('\n'));
    await npm('11', ['install', '--no-save', '@types/node@20'], { cwd: project });
    const tsc = require.resolve('typescript-5/bin/tsc');
    for (const kind of ['nodenext', 'bundler']) {
      const module = kind === 'bundler' ? 'esnext' : kind;
      const words = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--target', 'es2022'];
      const resolution = ['--module', module, '--moduleResolution', kind];
      const { stdout } = await started(
        process.execPath,
        [tsc, 'all.ts', ...words, ...resolution, '--types', 'node', '--skipLibCheck', 'false'],
        { cwd: project },
      );
      expect([kind, stdout]).toEqual([kind, '']);
    }
  });
});

describe('installed without scripts', () => {
  test('it brings at most a dozen packages, and each is one that the library imports', () => {
    const listed = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8'));
    const names = Object.keys(listed.packages).filter((name) => name.startsWith('node_modules/'));
    expect(names.length).toBeLessThanOrEqual(13);
    const code = filesIn(join(installed, 'dist'))
      .filter((name) => /(^[a-z]+|^library\/.*)\.(js|d\.ts)$/.test(name))
      .map((name) => readFileSync(join(installed, 'dist', name), 'utf8'))
      .join('\n');
    const imported = [
      ...code.matchAll(/(?<=^|[;}])(?:import|export)\b[^;]*?from ?"([^."][^"]*)"/gm),
    ]
      .map(([, name = '']) => name)
      .filter((name) => !name.startsWith('node:'));
    const dependencies = Object.keys(manifestIn(installed).dependencies);
    expect(new Set(imported)).toEqual(
      new Set(dependencies.filter((name) => name !== '@types/big.js')),
    );
  });

  const use = `
    import { loadPlaybook, operationNames } from 'deskhand';
    import { checkInput } from 'deskhand/api';
    import { createLimiter, systemClock } from 'deskhand/client';
    import { rules } from 'deskhand/playbook';
    import { openSandbox } from 'deskhand/sandbox';
    import { createRequire } from 'node:module';
    const { version } = createRequire(import.meta.url)('deskhand/package.json');
    const { problems } = loadPlaybook('playbook: 1', 'a.yaml');
    createLimiter({ clock: systemClock });
    console.log(version, operationNames.length, problems.length > 0, typeof checkInput, rules.length > 0, typeof openSandbox);
  `;

  const nodes = otherNodes();
  if (nodes.length === 0) console.warn('not tested: there is no Node package for this platform');

  test.each(nodes)('it runs on Node %s, as a program and as a library', async (_, node) => {
    const start = { cwd: project, env: { DESKHAND_STATE_DIR: freshFolder() } };
    const words = [join(installed, 'bin/deskhand.js')];
    const example = join(installed, 'workflows/market-snapshot.yaml');
    const checked = await started(node, [...words, 'validate', example], start);
    expect([checked.code, checked.stderr]).toEqual([0, '']);
    const ran = await started(node, [...words, 'run', example], start);
    expect([ran.code, ran.stdout]).toEqual([0, expect.stringMatching(/done/i)]);
    writeFileSync(join(project, 'use.js'), use);
    const used = await started(node, ['use.js'], start);
    const { version } = manifestIn(root);
    expect([used.stderr, used.stdout]).toEqual([
      '',
      `${version} ${operationNames.length} true function true function\n`,
    ]);
  });
});

describe('the bill of materials', () => {
  const read = (): {
    components: { purl: string; properties: { name: string }[] }[];
  } => JSON.parse(readFileSync(join(installed, 'dist/sbom.cdx.json'), 'utf8'));

  test('is valid CycloneDX', async () => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    expect(await validator.validate(JSON.stringify(read()))).toBeNull();
    const wrong = { ...read(), components: [{ type: 'part' }] };
    expect(await validator.validate(JSON.stringify(wrong))).not.toBeNull();
  });

  const namesWith = (property: string): readonly string[] =>
    read()
      .components.filter(({ properties }) =>
        properties.some(({ name }) => name === `deskhand:${property}`),
      )
      .map(({ purl }) => decodeURIComponent(purl.replace('pkg:npm/', '')))
      .toSorted();

  test('lists each package in the bundles with its licence, and those npm installs', () => {
    const licences = readFileSync(join(installed, 'dist/LICENSES.txt'), 'utf8');
    const titles = licences
      .split(`\n${'-'.repeat(80)}\n\n`)
      .map((text) => /^(\S+) (\S+) \(/.exec(text));
    expect(titles.map((title) => `${title?.[1]}@${title?.[2]}`).toSorted()).toEqual(
      namesWith('bundled'),
    );
    for (const name of ['ajv', 'handlebars', 'listr2', 'undici', 'yaml', 'zx']) {
      const known = [...namesWith('bundled'), ...namesWith('imported')];
      expect(known.some((each) => each.startsWith(`${name}@`))).toBe(true);
    }
    const others = packagesIn(join(project, 'node_modules')).filter(
      (name) => !/^(deskhand|@types\/node|undici-types)@/.test(name),
    );
    const withoutVersion = (name: string): string => name.slice(0, name.lastIndexOf('@'));
    expect(namesWith('imported').map(withoutVersion)).toEqual(
      [...new Set(others.map(withoutVersion))].toSorted(),
    );
  });
});

describe('a pipeline', () => {
  test('installs the version in the lockfile of its repository', async () => {
    const script = [...installLines({ kind: 'lockfile' }), '"$folder/bin/deskhand" --version'];
    const words = ['-euo', 'pipefail', '-c', script.join('\n')];
    const { code, stdout } = await started('bash', words, { cwd: project });
    expect([code, stdout]).toEqual([0, expect.stringContaining(manifestIn(root).version)]);
  });

  test('installs the tarball, and nothing else', async () => {
    copyFileSync(tarball, join(project, 'deskhand.tgz'));
    const source = packageSource('deskhand.tgz', project);
    const commands = ['"$folder/bin/deskhand" validate "$1"', 'ls "$folder/package"'];
    const script = [...installLines(source), ...commands].join('\n');
    const example = join(root, 'workflows/order-ladder.yaml');
    const words = ['--norc', '-euo', 'pipefail', '-c', script, 'bash', example]; // as the host of a pipeline starts it
    const { code, stdout, stderr } = await started('bash', words, { cwd: project });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).not.toContain('node_modules');
  });

  test('with the action executes its commands with what it built of its own commit', async () => {
    const COMMANDS = `--version\nvalidate "${join(root, 'workflows/order-ladder.yaml')}"\n`;
    const env = { COMMANDS, GITHUB_ACTION_PATH: checkout, PATH: [added, ...bins()].join(':') };
    const ran = await started('bash', stepWords(checkout, 1), { cwd: project, env });
    expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining('no problems')]);
    expect(ran.stdout).toContain(manifestIn(root).version);
  });
});

describe('a checkout', () => {
  test('installs and builds without a warning', async () => {
    const words = [npmProgram('11'), 'ci'];
    const env = { NPM_CONFIG_USERCONFIG: join(freshFolder(), 'npmrc') }; // the machine's may have warnings
    const { code, stderr } = await started(process.execPath, words, {
      cwd: cloneOf(repository),
      env,
    });
    expect([code, stderr]).toEqual([0, '']);
  });

  test('installed from its Git address is built there, to the same bytes as by another Node', () => {
    const names = filesIn(installed);
    expect(filesIn(fromGit)).toEqual(names);
    const different = names.filter(
      (name) => !readFileSync(join(fromGit, name)).equals(readFileSync(join(installed, name))),
    );
    expect(different).toEqual([]);
  });

  test('installs without development packages, where nothing can be built', async () => {
    const folder = cloneOf(repository);
    await npm('11', ['ci', '--omit=dev'], { cwd: folder });
    expect(existsSync(join(folder, 'dist'))).toBe(false);
    expect(packagesIn(join(folder, 'node_modules')).length).toBeLessThanOrEqual(12);
  });
});
