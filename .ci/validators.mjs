// An esbuild plugin: JSON Schema validators are compiled at build time, so that ajv is never loaded.
// The sources run once with an ajv that takes notes; the bundle gets what was noted.
import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { build, transform } from 'esbuild';

/** Uses every schema once: what is compiled here is all that the program ever compiles. */
const rehearsal = `
import { inputProblems, schemaProblems } from './src/exchange/api/check.ts';
import { operationNames } from './src/exchange/api/operations/index.ts';
import { shapeProblem } from './src/exchange/api/check.ts';
import { entryShapes } from './src/engine/journal/schema.ts';
import { planProblems } from './src/engine/plan/schema.ts';
import { loadPlaybook } from './src/language/load.ts';
import { passkeysIn } from './src/engine/approval/passkey/keys.ts';
import { control, controlPaths } from './src/sandbox/control.ts';
import { scenarioProblems } from './src/sandbox/scenario/check.ts';
import { routesOf } from './src/serve/server/routes/index.ts';
import { tools } from './src/agents/mcp/tools/index.ts';
import { readTests } from './src/rehearsal/tests/read.ts';
for (const name of operationNames) inputProblems(name, {});
loadPlaybook('playbook: 1', 'rehearsal.yaml');
for (const shape of entryShapes.values()) shapeProblem(shape, {});
planProblems({});
scenarioProblems({});
passkeysIn([]);
const store = { exclusive: (work) => work(), settle: () => undefined };
for (const path of controlPaths) {
  for (const method of ['GET', 'POST', 'PUT']) {
    try { control({ method, path, fields: null }, { store }); } catch {} // none has such fields
  }
}
readTests('playbook-test: 1', 'rehearsal.test.yaml');
for (const [, route] of routesOf(false)) {
  schemaProblems(route.parameters.json, {});
  if (route.kind === 'write') schemaProblems(route.body.json, {});
}
for (const { input } of tools) schemaProblems(input, {});
`;

export function precompiledValidators(root) {
  let contents; // the same for each script of a build
  return replacing('ajv', () => (contents ??= noted(root).then(moduleOf)), root);
}

/** A plugin that puts our text in the place of a package. */
function replacing(name, contents, resolveDir) {
  return {
    name: `instead-of-${name}`,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: 'ours' }));
      onLoad({ filter: /./, namespace: 'ours' }, async () => ({
        contents: await contents(),
        resolveDir,
      }));
    },
  };
}

/** Runs the rehearsal and returns the code of each validator by its key. */
async function noted(root) {
  const folder = join(root, 'node_modules', '.deskhand-build');
  const outfile = join(folder, `${process.pid}-${performance.now()}.mjs`);
  await mkdir(folder, { recursive: true });
  await build({
    stdin: { contents: rehearsal, resolveDir: root },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    plugins: [replacing('ajv', () => 'export const Ajv = globalThis.noteTakingAjv;', root)],
  });
  const notes = new Map();
  globalThis.noteTakingAjv = noteTaking(createRequire(join(root, 'package.json')), notes);
  await import(pathToFileURL(outfile).href);
  delete globalThis.noteTakingAjv;
  await rm(outfile);
  return notes;
}

function noteTaking(require, notes) {
  const { Ajv, _ } = require('ajv');
  const standalone = require('ajv/dist/standalone').default;
  return class {
    constructor(options) {
      this.options = options;
      this.ajv = new Ajv({ ...options, code: { source: true, formats: _`formats` } });
    }
    addFormat(name, check) {
      this.ajv.addFormat(name, check);
    }
    compile(schema) {
      const validate = this.ajv.compile(schema);
      notes.set(keyOf(this.options, schema), standalone(this.ajv, validate));
      return validate;
    }
  };
}

function keyOf(options, schema) {
  return createHash('sha256')
    .update(JSON.stringify([options, schema]))
    .digest('hex');
}

/** What the bundle finds in ajv's place: the same class, with a table for a compiler. */
async function moduleOf(notes) {
  const makers = await Promise.all(
    [...notes].map(async ([key, code]) => {
      // No one reads this code, and every start reads its text.
      const small = await transform(code, { minify: true, target: 'node20.19' });
      return `${JSON.stringify(key)}: (formats) => { const module = { exports: {} }; ${small.code}; return module.exports; },`;
    }),
  );
  return `
import { createHash } from 'node:crypto';
import equal from 'ajv/dist/runtime/equal.js';
import ucs2length from 'ajv/dist/runtime/ucs2length.js';
const parts = { 'ajv/dist/runtime/equal': equal, 'ajv/dist/runtime/ucs2length': ucs2length };
const require = (name) => ({ default: parts[name].default ?? parts[name] });
const makers = {
${makers.join('\n')}
};
${keyOf}
export class Ajv {
  #options;
  #formats = {};
  constructor(options) {
    this.#options = options;
  }
  addFormat(name, check) {
    this.#formats[name] = check;
  }
  compile(schema) {
    const make = makers[keyOf(this.#options, schema)];
    if (make === undefined) throw new Error('this schema was not there when the program was built');
    return make(this.#formats);
  }
}
`;
}
