/* global built -- { program, chart, caches, node, encoding } of this build, filled in by build.mjs */
/**
 * Loads the command line. The Node that built it takes what V8 compiled then; any other compiles the
 * script itself, as does this one when V8 rejects the cache or it is gone.
 */
const { existsSync, readFileSync } = require('node:fs');
const path = require('node:path');
const { Script } = require('node:vm');

const filename = path.join(__dirname, built.program);
// Each MB of a cache takes 4 ms to load, so `validate` and the small commands get one without plans.
const { validate, plan } = built.caches;
const isPlanned = ['plan', 'run', 'resume'].includes(process.argv[2]);
const cache = path.join(__dirname, isPlanned ? plan : validate);

if (built.node === `${process.version}-${process.platform}-${process.arch}` && existsSync(cache)) {
  const text = readFileSync(filename, built.encoding);
  new Script(text, { filename, cachedData: readFileSync(cache) }).runInThisContext();
} else {
  require(filename); // from version 22 on, Node keeps what it compiles of it
}
globalThis[Symbol.for('deskhand.chart')] = path.join(__dirname, built.chart);
globalThis[Symbol.for('deskhand.program')](exports, require, module);
