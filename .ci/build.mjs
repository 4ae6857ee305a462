/**
 * Builds dist, or with a folder named, into that folder and without declarations (for tests).
 *
 *   program           the command line with its packages in parts, which are loaded when a command uses them
 *                     (parts.mjs); `pg` and Restate's SDK stay outside, for those who install them
 *   chart-HASH.js     the script of the thread that draws charts, compressed (compressed.mjs), as the text that a module exports
 *   cli.cjs           the loader (loader.cjs), which knows these names and keeps what V8 compiles (code-cache.cjs)
 *   web               the page of `serve`: a script, a sheet and an icon, compressed (page.mjs)
 *   LICENSES.txt      the licences of the packages inside the bundles (bundled.mjs)
 *   sbom.cdx.json     the bill of materials: those packages, and what the library imports
 *   index.js, …       the library's entries, packages outside that npm installs
 *   index.d.ts, …     their declarations (declarations.mjs)
 *
 * Six plugins: JSON Schema validators compiled now instead of at each start (validators.mjs), the parts
 * of undici, handlebars and the SDK of `mcp` that are used (undici.mjs, handlebars.mjs, mcp-sdk.mjs),
 * `process` without its module (process.mjs), and the example workflows as texts (examples.mjs).
 */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { compressed } from './compressed.mjs';
import { billOf, licencesOf, packagesOf } from './bundled.mjs';
import { bundledExamples } from './examples.mjs';
import { handlebarsParser } from './handlebars.mjs';
import { buildPage } from './page.mjs';
import { mcpSdkParts } from './mcp-sdk.mjs';
import { chartThread, requiredOfNode, zxWithoutGlobals } from './library.mjs';
import { buildParts } from './parts.mjs';
import { globalProcess } from './process.mjs';
import { undiciParts } from './undici.mjs';
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
  const chart = await buildChart(elsewhere);
  await Promise.all([buildCommandLine(elsewhere, chart), buildLibrary(elsewhere, chart)]);
} else {
  const outdir = join(root, 'dist');
  await rm(outdir, { recursive: true, force: true });
  const chart = await buildChart(outdir);
  await Promise.all([
    buildCommandLine(outdir, chart),
    buildLibrary(outdir, chart),
    writeDeclarations(outdir),
  ]);
}

/**
 * The thread that draws charts, for the command line and for the library: one script, compressed, in a module of its own
 * that is named by its content. As text it becomes part of any bundle that has the library inside.
 */
async function buildChart(outdir) {
  const { metafile, outputFiles } = await build({
    ...common,
    entryPoints: ['src/report/chart/thread.ts'],
    format: 'cjs',
    write: false,
    legalComments: 'none', // licences are written whole
    minify: true, // its stack traces are shown nowhere
    metafile: true,
    // The other build waits for a package that draws pixels; we draw SVG and never have it.
    alias: { 'vega-canvas': join(root, 'node_modules/vega-canvas/build/vega-canvas.browser.js') },
  });
  const [{ text }] = outputFiles;
  const name = `chart-${digestOf(text).slice(0, 8)}.js`;
  await mkdir(outdir, { recursive: true });
  const script = compressed(text).toString('base64');
  await writeFile(join(outdir, name), `export default '${script}';\n`);
  return { name, inputs: metafile.inputs };
}

async function buildCommandLine(outdir, chart) {
  const validators = precompiledValidators(root);
  const { main, files, inputs } = await buildParts(common, {
    outdir: join(outdir, 'program'),
    external: [
      './both.ts', // draws without the script of the thread: sources alone do that
      'pg',
      '@restatedev/restate-sdk/node',
    ],
    plugins: [
      bundledExamples(root),
      globalProcess,
      undiciParts,
      handlebarsParser(root),
      mcpSdkParts,
      validators.plugin,
    ],
    others: validators.parts,
  });
  const web = await buildPage(root, join(outdir, 'web'));
  const built = {
    id: digestOf(JSON.stringify(files)).slice(0, 16),
    main,
    files,
    commands: await commandNames(),
    chart: chart.name,
    home: relative(outdir, root), // of docs and schemas, which `mcp` serves
    commit: await commitHere(),
  };
  await build({
    ...common,
    entryPoints: ['.ci/loader.cjs'],
    outfile: join(outdir, 'cli.cjs'),
    define: { built: JSON.stringify(built) },
  });
  const bundled = packagesOf(Object.keys({ ...inputs, ...chart.inputs, ...web.inputs }));
  await writeFile(join(outdir, 'LICENSES.txt'), await licencesOf(root, bundled));
  const bill = JSON.stringify(await billOf(root, bundled));
  await writeFile(join(outdir, 'sbom.cdx.json'), `${bill}\n`);
}

function digestOf(text) {
  return createHash('sha256').update(text).digest('hex');
}

/** Such as `plan` and `runs-show`: each command has a file. */
async function commandNames() {
  const names = await readdir(join(root, 'src', 'cli', 'commands'));
  return names.map((name) => name.replace(/\.ts$/, '')).sort();
}

/** The commit that is built, with `-dirty` if files differ from it; none outside a repository. */
async function commitHere() {
  const words = ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'];
  return run('git', words, { cwd: root }).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
}

/**
 * The library's entries. Packages that npm installs with it stay outside, to be shared with others;
 * those that only runs need are in parts that are loaded when a step uses them.
 */
async function buildLibrary(outdir, chart) {
  const { dependencies, peerDependencies } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  );
  const installed = Object.keys({ ...dependencies, ...peerDependencies });
  return build({
    ...common,
    entryPoints: {
      index: 'src/index.ts',
      api: 'src/exchange/api/index.ts',
      client: 'src/exchange/client/index.ts',
      sandbox: 'src/sandbox/index.ts',
      playbook: 'src/language/index.ts',
    },
    outdir,
    splitting: true,
    legalComments: 'none', // licences are written whole
    minifySyntax: true,
    minifyWhitespace: true,
    format: 'esm',
    chunkNames: 'library/[name]-[hash]',
    external: installed,
    plugins: [
      handlebarsParser(root),
      undiciParts,
      chartThread(chart.name),
      requiredOfNode,
      zxWithoutGlobals,
    ],
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
