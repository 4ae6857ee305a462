/* global built -- { id, main, files, commands, chart, home, commit } of this build, filled in by build.mjs */
/**
 * Loads the command line: the part with `main`, and others when it requires one of their chunks (parts.mjs).
 * With a folder of the user's, a command finds there what V8 compiled at its first start (code-cache.cjs).
 */
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { Script } = require('node:vm');
const { openCodeCache } = require('./code-cache.cjs');

const program = path.join(__dirname, 'program');
const parts = new Map(); // by their files
const chunks = new Map();
let cache;

globalThis[Symbol.for('deskhand.commit')] = built.commit;
globalThis[Symbol.for('deskhand.web')] = path.join(__dirname, 'web');
globalThis[Symbol.for('deskhand.chart')] = path.join(__dirname, built.chart);
globalThis[Symbol.for('deskhand.home')] = path.join(__dirname, built.home);

/** @param folder where compiled code is kept, for a process that ends after this command line */
exports.main = (argv, folder) => {
  cache ??= folder && openCodeCache(folder, `${commandOf(argv)}-${built.id}`);
  return chunk(built.main).main(argv);
};

/** Commands of one name differ in what they execute, so each keeps its own code, as does the help of all. */
function commandOf(argv) {
  if (argv.includes('--help') || argv.includes('-h')) return 'help';
  const names = [argv.slice(0, 2).join('-'), argv[0]];
  return names.find((name) => built.commands.includes(name)) ?? 'other';
}

function chunk(name) {
  if (!chunks.has(name)) chunks.set(name, partOf(name)[name]());
  return chunks.get(name);
}

function partOf(name) {
  const file = built.files[name];
  const known = parts.get(file);
  if (known !== undefined) return known;
  const part = {};
  parts.set(file, part);
  scriptOf(file).runInThisContext()(part, required, { exports: part });
  return part;
}

function scriptOf(file) {
  const filename = path.join(program, file);
  const text = textOf(filename);
  const script = new Script(text, { filename, cachedData: cache?.codeOf(file) });
  cache?.uses(file, script);
  return script;
}

/** The build refuses what is not ASCII. */
function textOf(filename) {
  if (!filename.endsWith('.br')) return readFileSync(filename, 'latin1');
  const { brotliDecompressSync } = require('node:zlib'); // most starts load no such part
  return brotliDecompressSync(readFileSync(filename)).latin1Slice();
}

function required(name) {
  return name.startsWith('chunk:') ? chunk(name.slice('chunk:'.length)) : require(name);
}
