/**
 * The command line in parts: files that share code, each loaded when something in it is used.
 *
 * First esbuild splits the program at each `import()`, into some hundred chunks. Then the chunks that a
 * command needs together are bundled into one part, because each file takes a quarter of a millisecond,
 * and because code calls code of its own part without a getter. A part is an expression, a function of
 * `(exports, require, module)` like those in which Node wraps modules. It exports a function for each of
 * its chunks that is used elsewhere, which executes the chunk at its first call. The loader (loader.cjs)
 * has the table of chunks and parts, and answers `require('chunk:NAME')`.
 */
import { isAscii } from 'node:buffer';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { build } from 'esbuild';
import { compressed } from './compressed.mjs';

const main = 'src/cli/main.ts';

/** What is loaded together, by the modules that need it: the first part whose modules need a chunk has it. */
const together = {
  start: [main, 'src/cli/commands/completion.ts'],
  validate: ['src/cli/commands/validate.ts'],
  plan: [
    ...['plan', 'run', 'resume'].map((verb) => `src/cli/commands/${verb}.ts`),
    'src/app/machine/git.ts',
    'src/app/running/beside.ts',
  ],
  sandbox: ['src/sandbox/sandbox.ts', 'src/sandbox/control.ts'],
  http: ['src/exchange/client/transports/http.ts'],
  often: (
    'approve call doctor drift explain export fmt graph help init new resolve runs-diff runs-list runs-logs ' +
    'runs-show sandbox-advance sandbox-control schedule-list schedule-next schedule-run-due test verify'
  )
    .split(' ')
    .map((verb) => `src/cli/commands/${verb}.ts`),
};

/**
 * Parts that are files of text, as the commands that people wait for load them. Decompressing a megabyte takes
 * 3 ms, and each of the others is loaded by few commands.
 */
const textParts = ['start', 'validate', 'plan', 'often'];

/** A chunk that none of these needs is a part by itself from this size on; the others are one more part. */
const ownPartBytes = 40_000;

const small = { minifySyntax: true, minifyWhitespace: true, legalComments: 'none' };

/**
 * @param common options of esbuild
 * @param options `outdir` for the files; `external`, names that stay outside; `others()`, texts of more
 * parts by the name of their only chunk; what else esbuild needs for the sources
 * @returns the chunk that exports `main`, the file of each chunk, and the inputs of esbuild
 */
export async function buildParts(common, { outdir, external, others, ...sources }) {
  const { chunks, inputs } = await split(common, { external, ...sources });
  const partOf = parted(chunks);
  const names = [...new Set(partOf.values())];
  const built = await Promise.all(
    names.map(async (part) => {
      const used = [...chunks.keys()].filter(
        (chunk) => partOf.get(chunk) === part && isUsedElsewhere(chunk, chunks, partOf),
      );
      const lines = used.map((chunk) => `exports['${chunk}'] = () => require('./${chunk}');`);
      const own = [chunksOf(part, chunks, partOf)];
      const options = { outdir, external, plugins: own, part, contents: lines.join('\n') };
      const file = await buildPart(common, options);
      return used.map((chunk) => [chunk, file]);
    }),
  );
  const more = await Promise.all(
    Object.entries(await others()).map(async ([part, contents]) => [
      part,
      await buildPart(common, { outdir, part, contents }),
    ]),
  );
  const files = Object.fromEntries([...built.flat(), ...more]);
  return { main: chunkOf(main, chunks), files, inputs };
}

/**
 * The names of chunks end with `.js`: in a file `.mjs`, esbuild gives `default` of a required chunk as Node
 * does for CommonJS, which is the whole chunk instead of its default export.
 *
 * @returns chunks by name, each with its text and the names of those that it imports
 */
async function split(common, options) {
  const { metafile, outputFiles } = await build({
    ...common,
    ...small,
    ...options,
    entryPoints: { main },
    outdir: 'chunks',
    chunkNames: '[hash]',
    format: 'esm',
    splitting: true,
    write: false,
    metafile: true,
  });
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  const chunks = Object.entries(metafile.outputs).map(([path, { entryPoint, bytes, imports }]) => {
    const inside = imports.filter((each) => !each.external);
    const of = (kind) =>
      inside.filter((each) => each.kind === kind).map((each) => basename(each.path));
    const [name, now, later] = [basename(path), of('import-statement'), of('dynamic-import')];
    return [name, { entryPoint, bytes, text: texts.get(name), now, later }];
  });
  return { chunks: new Map(chunks), inputs: metafile.inputs };
}

/** @returns the part of each chunk */
function parted(chunks) {
  const partOf = new Map();
  for (const [part, modules] of Object.entries(together)) {
    const visit = (chunk) => {
      if (partOf.has(chunk)) return;
      partOf.set(chunk, part);
      chunks.get(chunk).now.forEach(visit);
    };
    modules.map((module) => chunkOf(module, chunks)).forEach(visit);
  }
  for (const [chunk, { bytes, entryPoint }] of chunks) {
    const own = entryPoint === undefined ? 'shared' : basename(entryPoint, extname(entryPoint));
    if (!partOf.has(chunk)) partOf.set(chunk, bytes < ownPartBytes ? 'other' : own);
  }
  return partOf;
}

/** @throws Error when no `import()` has the module, so that a moved one is not loaded elsewhere unseen */
function chunkOf(module, chunks) {
  const [name] = [...chunks].find(([, { entryPoint }]) => entryPoint === module) ?? [];
  if (name === undefined) throw new Error(`${module} has no chunk of its own`);
  return name;
}

function isUsedElsewhere(chunk, chunks, partOf) {
  if (chunks.get(chunk).entryPoint === main) return true; // by the loader
  return [...chunks].some(
    ([other, { now, later }]) =>
      partOf.get(other) !== partOf.get(chunk) && [...now, ...later].includes(chunk),
  );
}

/** An esbuild plugin: chunks of a part are in memory, and all others are outside. */
function chunksOf(part, chunks, partOf) {
  return {
    name: 'chunks',
    setup({ onResolve, onLoad }) {
      const filter = /\.js$/;
      onResolve({ filter }, ({ path }) => {
        const name = basename(path);
        return partOf.get(name) === part
          ? { path: name, namespace: 'chunk' }
          : { path: `chunk:${name}`, external: true };
      });
      onLoad({ filter, namespace: 'chunk' }, ({ path }) => ({ contents: chunks.get(path).text }));
    },
  };
}

/** @returns the name of its file, which has a hash of its content */
async function buildPart(common, { outdir, part, contents, ...options }) {
  const { outputFiles } = await build({
    ...common,
    ...small,
    ...options,
    stdin: { contents, sourcefile: part },
    outdir,
    entryNames: `${part}-[hash]`,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    write: false,
    banner: { js: '(function(exports,require,module){' },
    footer: { js: '})' },
    supported: { 'dynamic-import': false }, // a script of the loader cannot import, only require
    logOverride: { 'empty-import-meta': 'silent' }, // packages that are modules ask where they are
  });
  const [{ path, contents: bytes }] = outputFiles;
  // The loader reads it as Latin-1, which takes 4 ms less for the whole program than UTF-8.
  if (!isAscii(bytes)) throw new Error(`${part} has characters that are not ASCII`);
  await mkdir(outdir, { recursive: true });
  const isText = textParts.includes(part);
  const file = isText ? path : `${path}.br`;
  await writeFile(file, isText ? bytes : compressed(bytes));
  return basename(file);
}
