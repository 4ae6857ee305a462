/**
 * Builds dist, or with a folder named only the command line, into that folder (for tests).
 *
 *   program-HASH.cjs  the command line with its packages in one script; imports that the sources
 *                     write as `import()` run at their first use, so a command runs only its part;
 *                     `pg` and Restate's SDK stay outside, for those who install them
 *   validate-HASH.cjs the same without commands other than `validate`, which has less to read
 *   chart-HASH.cjs    the same for the thread that draws charts
 *   cli.cjs           the loader (loader.cjs), which knows these names
 *   web               the page of `serve`: a script, a sheet and an icon, named by their content
 *   *.cache           what V8 compiled of a script while it ran `validate`, and `plan` as well
 *                     (compile.mjs), for the Node that built it; others do without; not published
 *   index.js, …       the library's entries, packages outside
 *   index.d.ts, …     their declarations (declarations.mjs)
 *
 * Five plugins: one command only (one-command.mjs), JSON Schema validators compiled now instead of at each start (validators.mjs), the
 * part of undici that is used (undici.mjs), what packages load at each start and nobody here uses
 * (short-start.mjs), and the example workflows as texts (examples.mjs).
 */
import { execFile, spawn } from 'node:child_process';
import { isAscii } from 'node:buffer';
import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { bundledExamples } from './examples.mjs';
import { buildPage } from './page.mjs';
import { undiciParts } from './undici.mjs';
import { oneCommand } from './one-command.mjs';
import { shortStart } from './short-start.mjs';
import { precompiledValidators } from './validators.mjs';

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  logLevel: 'warning',
};

const [elsewhere] = process.argv.slice(2);
if (elsewhere !== undefined) {
  await buildCommandLine(elsewhere);
} else {
  const outdir = join(root, 'dist');
  await rm(outdir, { recursive: true, force: true });
  await Promise.all([buildCommandLine(outdir), buildLibrary(outdir), writeDeclarations(outdir)]);
}

async function buildCommandLine(outdir) {
  const plugins = [bundledExamples(root), shortStart, undiciParts, precompiledValidators(root)];
  const commandLine = {
    external: [
      './both.ts', // draws a chart without a thread: sources alone do that
      'pg',
      '@restatedev/restate-sdk/node',
    ],
    supported: { 'dynamic-import': false }, // a script compiled by the loader cannot import, only require
    // The loader calls it, whether V8 had it compiled or `require` did it.
    banner: { js: 'globalThis[Symbol.for("deskhand.program")]=function(exports,require,module){' },
    footer: { js: '};' },
  };
  const program = await script(outdir, {
    ...commandLine,
    entryPoints: { program: 'src/cli/main.ts' },
    plugins,
  });
  const validate = await script(outdir, {
    ...commandLine,
    entryPoints: { validate: 'src/cli/main.ts' },
    plugins: [oneCommand('validate'), ...plugins],
  });
  const chart = await script(outdir, {
    entryPoints: { chart: 'src/report/chart/thread.ts' },
    // The other build waits for a package that draws pixels; we draw SVG and never have it.
    alias: { 'vega-canvas': join(root, 'node_modules/vega-canvas/build/vega-canvas.browser.js') },
  });
  const web = await buildPage(root, join(outdir, 'web'));
  const node = `${process.version}-${process.platform}-${process.arch}`;
  const compiled = ({ name, encoding }, verb) => {
    return { script: name, encoding, cache: `${name}-${verb}-${node}.cache` };
  };
  const built = {
    validate: compiled(validate, 'validate'),
    plan: compiled(program, 'plan'),
    other: compiled(program, 'validate'), // each MB of a cache takes 4 ms to load
    chart: chart.name,
    node,
  };
  await build({
    ...common,
    entryPoints: ['.ci/loader.cjs'],
    outfile: join(outdir, 'cli.cjs'),
    define: { built: JSON.stringify(built) },
  });
  const inputs = { ...program.inputs, ...chart.inputs, ...web.inputs };
  await writeFile(join(outdir, 'LICENSES.txt'), await licencesOf(Object.keys(inputs)));
  const playbook = join(root, 'workflows', 'desk-setup.yaml');
  const compile = ({ script: name, encoding, cache }, ...verbs) => {
    const words = [join(outdir, name), encoding, join(outdir, cache), playbook, ...verbs];
    return run(process.execPath, [join(root, '.ci', 'compile.mjs'), ...words]);
  };
  await compile(built.validate, 'validate');
  await compile(built.other, 'validate');
  await compile(built.plan, 'validate', 'plan');
}

/** Bundles everything an entry needs into one script, named by its content. */
async function script(outdir, options) {
  const { metafile } = await build({
    ...common,
    outdir,
    format: 'cjs',
    entryNames: '[name]-[hash]',
    outExtension: { '.js': '.cjs' },
    legalComments: 'none', // licences are written whole
    minifySyntax: true,
    minifyWhitespace: true,
    metafile: true,
    ...options,
  });
  const [path = ''] = Object.keys(metafile.outputs);
  const isLatin = isAscii(await readFile(join(root, path)));
  // Latin-1 is read 4 ms sooner than UTF-8.
  return { name: basename(path), encoding: isLatin ? 'latin1' : 'utf8', inputs: metafile.inputs };
}

/** The library's entries; packages stay outside, to be shared with whoever uses it. */
function buildLibrary(outdir) {
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
    splitting: true,
    format: 'esm',
    chunkNames: 'library/[name]-[hash]',
    packages: 'external',
  });
}

/** As another process, so that the compiler runs beside the bundler. */
async function writeDeclarations(outdir) {
  const script = join(root, '.ci', 'declarations.mjs');
  const [code] = await once(
    spawn(process.execPath, [script, outdir], { stdio: 'inherit' }),
    'exit',
  );
  if (code !== 0) process.exitCode = 1;
}

/** The licences of the packages that are inside the bundle. */
async function licencesOf(inputs) {
  const found = inputs.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path));
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
