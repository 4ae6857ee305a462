// Builds dist: the command line as one bundle with lazy parts, the library's doors, their types.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { bundledExamples } from './examples.mjs';
import { lazyModules } from './lazy.mjs';
import { writePacks } from './packs.mjs';
import { undiciParts } from './undici.mjs';
import { precompiledValidators } from './validators.mjs';

const root = join(import.meta.dirname, '..');

const common = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  logLevel: 'warning',
};

const [elsewhere] = process.argv.slice(2);
if (elsewhere !== undefined) {
  await bundleCommandLine(elsewhere); // for tests, which leave dist alone
} else {
  const outdir = join(root, 'dist');
  await rm(outdir, { recursive: true, force: true });
  await Promise.all([bundleCommandLine(outdir), bundleLibrary(outdir), types()]);
}

/** The command line with its packages inside: a start reads few files and compiles no schema. */
async function bundleCommandLine(outdir) {
  const result = await build({
    ...common,
    entryPoints: { cli: 'src/cli/main.ts' },
    outdir,
    chunkNames: 'parts/[name]-[hash]',
    // The other build waits for a package that draws pixels; we draw SVG and never have it.
    alias: { 'vega-canvas': join(root, 'node_modules/vega-canvas/build/vega-canvas.browser.js') },
    plugins: [lazyModules, bundledExamples(root), undiciParts, precompiledValidators(root)],
    legalComments: 'none', // licences are written whole, below
    minifySyntax: true,
    metafile: true,
    write: false,
  });
  await writePacks(root, outdir, result);
  await writeFile(join(outdir, 'LICENSES.txt'), await licencesOf(result.metafile));
}

/** The library's doors; packages stay outside, to be shared with whoever uses it. */
function bundleLibrary(outdir) {
  return build({
    ...common,
    entryPoints: {
      index: 'src/index.ts',
      api: 'src/api/index.ts',
      client: 'src/client/index.ts',
      sandbox: 'src/sandbox/index.ts',
      playbook: 'src/playbook/index.ts',
    },
    outdir,
    chunkNames: 'library/[name]-[hash]',
    packages: 'external',
  });
}

/** Declarations of everything but the command line. */
async function types() {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const child = spawn(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) process.exitCode = 1;
}

/** The licences of the packages that are inside the bundle. */
async function licencesOf({ inputs }) {
  const found = Object.keys(inputs).map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path));
  const names = [...new Set(found.map((match) => match?.[1]).filter(Boolean))].sort((a, b) =>
    a < b ? -1 : 1,
  );
  const texts = await Promise.all(
    names.map(async (name) => {
      const folder = join(root, 'node_modules', name);
      const { version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
      const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
      const text = file === undefined ? '' : await readFile(join(folder, file), 'utf8');
      return `${name} ${version} (${license})\n\n${text.trim()}\n`;
    }),
  );
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}
