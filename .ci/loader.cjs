/* global built -- { validate, plan, other, chart, reference, commit } of this build, filled in by build.mjs */
/**
 * Loads the command line. The Node that built it takes what V8 compiled then; any other compiles the
 * script itself, as does this one when V8 rejects the cache or it is gone.
 */
const { existsSync, readFileSync } = require('node:fs');
const path = require('node:path');
const { Script } = require('node:vm');

const { script, encoding, cache } = chosen(process.argv[2]);
const filename = path.join(__dirname, script);
const node = `${process.version}-${process.platform}-${process.arch}`;
const cached = path.join(__dirname, `${cache}-${node}.cache`);

if (existsSync(cached)) {
  const text = readFileSync(filename, encoding);
  new Script(text, { filename, cachedData: readFileSync(cached) }).runInThisContext();
} else {
  require(filename); // from version 22 on, Node keeps what it compiles of it
}
globalThis[Symbol.for('deskhand.commit')] = built.commit;
globalThis[Symbol.for('deskhand.web')] = path.join(__dirname, 'web');
globalThis[Symbol.for('deskhand.chart')] = path.join(__dirname, built.chart);
globalThis[Symbol.for('deskhand.reference')] = path.join(__dirname, built.reference);
globalThis[Symbol.for('deskhand.program')](exports, require, module);

/** A command that starts with flags is in the whole program. */
function chosen(verb) {
  if (verb === 'validate') return built.validate;
  return ['plan', 'run', 'resume'].includes(verb) ? built.plan : built.other;
}
