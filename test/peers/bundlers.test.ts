/** Programs that import deskhand, as one bundle of each public bundler: they run where nothing is installed. */
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { everything, everythingConfig } from '../app/embedding/everything.ts';
import { freshFolder, root, started } from './installing.ts';

const require = createRequire(import.meta.url);
const { build: esbuild } = require('esbuild');
const { rollup } = require('rollup');
const { nodeResolve } = require('@rollup/plugin-node-resolve');
const commonjs = require('@rollup/plugin-commonjs');
const json = require('@rollup/plugin-json');
const webpack = require('webpack');
const ncc = require('@vercel/ncc');

interface Wanted {
  readonly entry: string;
  readonly outdir: string;
  readonly format: Format;
  readonly isSmall?: boolean;
}

type Format = 'esm' | 'cjs';

const formats: readonly Format[] = ['esm', 'cjs'];

/** Bundles `entry` into a folder, with the settings of the bundler's own guide for programs of Node. */
const bundlers: Readonly<Record<string, (wanted: Wanted) => Promise<void>>> = {
  async esbuild({ entry, outdir, format, isSmall = false }) {
    const { warnings } = await esbuild({
      entryPoints: [entry],
      outdir,
      outExtension: { '.js': format === 'esm' ? '.mjs' : '.cjs' },
      bundle: true,
      minify: isSmall,
      platform: 'node',
      format,
      logLevel: 'silent',
    });
    expect(warnings).toEqual([]);
  },
  async rollup({ entry, outdir, format }) {
    const plugins = [nodeResolve({ preferBuiltins: true }), commonjs(), json()];
    const made = await rollup({ input: entry, plugins, onwarn: () => undefined });
    const names = format === 'esm' ? '[name].mjs' : '[name].cjs';
    await made.write({ dir: outdir, format, entryFileNames: names, chunkFileNames: names });
  },
  async webpack({ entry, outdir, format, isSmall = false }) {
    const module = { module: true, chunkFormat: 'module', library: { type: 'module' } };
    const end = format === 'esm' ? 'mjs' : 'cjs';
    const stats = await new Promise<{ hasErrors(): boolean; toString(kind: string): string }>(
      (resolve, reject) => {
        const options = {
          mode: 'production',
          target: 'node20',
          entry,
          optimization: { minimize: isSmall },
          experiments: { outputModule: format === 'esm' },
          output: {
            path: outdir,
            filename: `main.${end}`,
            chunkFilename: `[id].${end}`,
            ...(format === 'esm' && module),
          },
        };
        webpack(options, (error: Error | null, result: typeof stats) =>
          error === null ? resolve(result) : reject(error),
        );
      },
    );
    expect(stats.hasErrors(), stats.toString('errors-only')).toBe(false);
  },
  async ncc({ entry, outdir, format }) {
    const made = await ncc(entry, { quiet: true });
    mkdirSync(outdir, { recursive: true });
    writeFileSync(join(outdir, format === 'esm' ? 'main.mjs' : 'main.cjs'), made.code);
    for (const [name, { source }] of Object.entries<{ source: string }>(made.assets)) {
      writeFileSync(join(outdir, name), source);
    }
  },
};

let project = '';

/** A project with the package as npm unpacks it, and without the optional packages. */
beforeAll(() => {
  project = freshFolder();
  const modules = join(project, 'node_modules');
  const own = join(modules, 'deskhand');
  const dist = dirname(fileURLToPath(inject('library')));
  mkdirSync(own, { recursive: true });
  cpSync(join(root, 'package.json'), join(own, 'package.json'));
  cpSync(dist, join(own, 'dist'), { recursive: true });
  rmSync(join(own, 'dist', 'package.json')); // the package has none there
  const { dependencies } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
});

/** ncc takes the format from the project; a file of its own says it to all. */
function entryOf(format: Format, text: string): string {
  const folder = join(project, format);
  mkdirSync(folder, { recursive: true });
  const type = format === 'esm' ? 'module' : 'commonjs';
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type }));
  const entry = join(folder, 'main.js');
  writeFileSync(entry, text);
  return entry;
}

const lines = `
  run({ playbook: 'everything.yaml' }).result.then(({ status, error }) => {
    console.log(status, error === undefined ? '' : error.message, operationNames.length > 0);
  });
`;

const program: Readonly<Record<Format, string>> = {
  esm: `import { run } from 'deskhand'; import { operationNames } from 'deskhand/api'; ${lines}`,
  cjs: `const { run } = require('deskhand'); const { operationNames } = require('deskhand/api'); ${lines}`,
};

describe.each(Object.entries(bundlers))('%s', (name, bundle) => {
  test.each(formats)(
    'bundles a service (%s) that draws a chart and writes files',
    async (format) => {
      const cwd = freshFolder();
      writeFileSync(join(cwd, 'everything.yaml'), everything);
      writeFileSync(join(cwd, 'deskhand.yaml'), everythingConfig);
      const outdir = join(cwd, 'bundle');
      await bundle({ entry: entryOf(format, program[format]), outdir, format });
      const main = join(outdir, format === 'esm' ? 'main.mjs' : 'main.cjs');
      const env = { DESKHAND_STATE_DIR: join(cwd, 'state') };
      const { stdout, stderr } = await started(process.execPath, [main], { cwd, env });
      expect([stdout, stderr]).toEqual(['done  true\n', '']);
      expect(readFileSync(join(cwd, 'out/page.html'), 'utf8')).toContain('<svg');
    },
  );

  test.runIf(name !== 'ncc')('leaves out all that a program does not use', async () => {
    const text = `import { exits } from 'deskhand'; console.log(exits);`;
    const outdir = freshFolder();
    await bundle({ entry: entryOf('esm', text), outdir, format: 'esm', isSmall: true });
    expect(readFileSync(join(outdir, 'main.mjs')).length).toBeLessThan(300);
  });
});
