/**
 * Builds dist, or with a folder named, into that folder and without declarations (for tests).
 *
 *   program-HASH.cjs  the command line with its packages in one script; imports that the sources
 *                     write as `import()` run at their first use, so a command runs only its part;
 *                     `pg` and Restate's SDK stay outside, for those who install them
 *   validate-HASH.cjs the same without commands other than `validate`, which has less to read
 *   plan-HASH.cjs     the same without commands other than `plan`, `run` and `resume`
 *   chart-HASH.cjs    the same for the thread that draws charts
 *   cli.cjs           the loader (loader.cjs), which knows these names
 *   reference.json.gz the documents and schemas that `mcp` serves (reference.mjs)
 *   web               the page of `serve`: a script, a sheet and an icon, named by their content
 *   *.cache           what V8 compiled of a script while it ran `validate`, or `plan` with its own script
 *                     (compile.mjs), for the Node that built it; others do without; not published
 *   LICENSES.txt      the licences of the packages inside the bundles (bundled.mjs)
 *   sbom.cdx.json     the bill of materials: those packages, and what the library imports
 *   index.js, …       the library's entries, packages outside that npm installs
 *   index.d.ts, …     their declarations (declarations.mjs)
 *
 * Seven plugins: some commands only (some-commands.mjs), JSON Schema validators compiled now instead
 * of at each start (validators.mjs), the parts of undici, handlebars and the SDK of `mcp` that are used
 * (undici.mjs, handlebars.mjs, mcp-sdk.mjs), what packages load at each start and nobody here uses
 * (short-start.mjs), and the example workflows as texts (examples.mjs).
 */
import { execFile, spawn } from 'node:child_process';
import { isAscii } from 'node:buffer';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { billOf, licencesOf, packagesOf } from './bundled.mjs';
import { bundledExamples } from './examples.mjs';
import { handlebarsParser } from './handlebars.mjs';
import { buildPage } from './page.mjs';
import { mcpSdkParts } from './mcp-sdk.mjs';
import { buildReference } from './reference.mjs';
import { undiciParts } from './undici.mjs';
import { chartThread, requiredOfNode } from './library.mjs';
import { shortStart } from './short-start.mjs';
import { someCommands } from './some-commands.mjs';
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

/** The thread that draws charts, for the command line and for the library. */
function buildChart(outdir) {
  return script(outdir, {
    entryPoints: { chart: 'src/report/chart/thread.ts' },
    // The other build waits for a package that draws pixels; we draw SVG and never have it.
    alias: { 'vega-canvas': join(root, 'node_modules/vega-canvas/build/vega-canvas.browser.js') },
  });
}

async function buildCommandLine(outdir, chart) {
  const plugins = [
    bundledExamples(root),
    shortStart,
    undiciParts,
    handlebarsParser(root),
    mcpSdkParts,
    precompiledValidators(root),
  ];
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
    plugins: [someCommands('validate'), ...plugins],
  });
  const plan = await script(outdir, {
    ...commandLine,
    entryPoints: { plan: 'src/cli/main.ts' },
    plugins: [someCommands('plan', 'run', 'resume'), ...plugins],
  });
  const web = await buildPage(root, join(outdir, 'web'));
  const compiled = ({ name, encoding }, verb) => {
    return { script: name, encoding, cache: `${name}-${verb}` };
  };
  const built = {
    validate: compiled(validate, 'validate'),
    plan: compiled(plan, 'plan'),
    other: compiled(program, 'validate'), // each MB of a cache takes 4 ms to load
    chart: chart.name,
    reference: await buildReference(root, outdir),
    commit: await commitHere(),
  };
  await build({
    ...common,
    entryPoints: ['.ci/loader.cjs'],
    outfile: join(outdir, 'cli.cjs'),
    define: { built: JSON.stringify(built) },
  });
  const inputs = {
    ...program.inputs,
    ...validate.inputs,
    ...plan.inputs,
    ...chart.inputs,
    ...web.inputs,
  };
  const bundled = packagesOf(Object.keys(inputs));
  await writeFile(join(outdir, 'LICENSES.txt'), await licencesOf(root, bundled));
  const bill = JSON.stringify(await billOf(root, bundled), undefined, 2);
  await writeFile(join(outdir, 'sbom.cdx.json'), `${bill}\n`);
  const playbook = join(root, 'workflows', 'desk-setup.yaml');
  const node = `${process.version}-${process.platform}-${process.arch}`;
  const compile = ({ script: name, encoding, cache }, ...verbs) => {
    const cached = join(outdir, `${cache}-${node}.cache`);
    const words = [join(outdir, name), encoding, cached, playbook, ...verbs];
    return run(process.execPath, [join(root, '.ci', 'compile.mjs'), ...words]);
  };
  await compile(built.validate, 'validate');
  await compile(built.other, 'validate');
  await compile(built.plan, 'plan');
}

/** The commit that is built, with `-dirty` if files differ from it; none outside a repository. */
async function commitHere() {
  const words = ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'];
  return run('git', words, { cwd: root }).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
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
    format: 'esm',
    chunkNames: 'library/[name]-[hash]',
    external: ['./both.ts', ...installed],
    plugins: [handlebarsParser(root), chartThread(chart.name), requiredOfNode],
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
