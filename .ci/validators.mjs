// An esbuild plugin: JSON Schema validators are compiled at build time, so that ajv is never loaded.
// The sources run once with an ajv that takes notes; the program gets what was noted: what each playbook
// needs in the place of ajv, and the rest in three parts, each loaded when the first schema in it is used.
import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { build, transform } from 'esbuild';

/** The schemas that are used while a playbook is read, when V8 accepts no compiled code (src/app/machine/optimizing.ts). */
const first = 'start';

/** The files below `src` that check stored values with `shapeCheck`. */
const storing = [
  'app/queue/job.ts',
  'app/schedule/pause.ts',
  'app/schedule/record-shape.ts',
  'engine/approval/answer-record.ts',
  'engine/approval/record.ts',
  'engine/export/claim.ts',
  'engine/journal/by-hand.ts',
  'engine/journal/lost.ts',
  'engine/journal/set-aside.ts',
  'engine/plan/drift-record.ts',
];

/** Uses every schema once: what is compiled here is all that the program ever compiles, in the part named before. */
const rehearsal = `
import { inputProblems, schemaProblems } from './src/exchange/api/check.ts';
import { operationNames } from './src/exchange/api/operations/index.ts';
import { checkedShapes, shapeProblem } from './src/exchange/api/check.ts';
import { entryShapes } from './src/engine/journal/entry-schema.ts';
import { planProblems } from './src/engine/plan/plan-schema.ts';
import { loadPlaybook } from './src/language/load.ts';
import { passkeysIn } from './src/engine/approval/passkey/keys.ts';
import { control, controlPaths } from './src/sandbox/control.ts';
import { scenarioProblems } from './src/sandbox/scenario/checked-scenario.ts';
import { routesOf } from './src/serve/server/routes/index.ts';
import { tools } from './src/agents/mcp/tools/index.ts';
import { readTests } from './src/rehearsal/tests/read.ts';
${storing.map((file, at) => `import * as storing${at} from './src/${file}';`).join('\n')}
const { noteTakingAjv } = globalThis;
noteTakingAjv.part = '${first}';
for (const name of operationNames) inputProblems(name, {});
loadPlaybook('playbook: 1', 'rehearsal.yaml');
noteTakingAjv.part = 'journal';
for (const shape of entryShapes.values()) shapeProblem(shape, {});
planProblems({});
noteTakingAjv.part = 'sandbox';
scenarioProblems({});
const store = { exclusive: (work) => work(), settle: () => undefined };
for (const path of controlPaths) {
  for (const method of ['GET', 'POST', 'PUT']) {
    try { control({ method, path, fields: null }, { store }); } catch {} // none has such fields
  }
}
noteTakingAjv.part = 'stored';
for (const module of [${storing.map((_, at) => `storing${at}`).join(', ')}]) Object.keys(module);
for (const shape of checkedShapes) shapeProblem(shape, {});
noteTakingAjv.part = 'other';
passkeysIn([]);
readTests('playbook-test: 1', 'rehearsal.test.yaml');
for (const [, route] of routesOf(false)) {
  schemaProblems(route.parameters.json, {});
  if (route.kind === 'write') schemaProblems(route.body.json, {});
}
for (const { input } of tools) schemaProblems(input, {});
`;

/** @returns the plugin, and `parts()`: the text of each part by the name that the program requires */
export function precompiledValidators(root) {
  let notes;
  const all = () => (notes ??= noted(root));
  return {
    plugin: replacing('ajv', () => all().then(moduleOf), root),
    parts: () => all().then(partsOf),
  };
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

/** Runs the rehearsal and returns the code of each validator, with its part, by its key. */
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
  return class NoteTaking {
    static part;
    constructor(options) {
      this.options = options;
      this.ajv = new Ajv({ ...options, code: { source: true, formats: _`formats` } });
    }
    addFormat(name, check) {
      this.ajv.addFormat(name, check);
    }
    compile(schema) {
      const validate = this.ajv.compile(schema);
      const code = standalone(this.ajv, validate);
      const key = keyOf(this.options, schema);
      if (!notes.has(key)) notes.set(key, { part: NoteTaking.part, code });
      return validate;
    }
  };
}

function keyOf(options, schema) {
  return createHash('sha256')
    .update(JSON.stringify([options, schema]))
    .digest('hex');
}

/** Parts with a table of functions that make validators. */
async function partsOf(notes) {
  const parts = [...new Set([...notes.values()].map(({ part }) => part))];
  const texts = await Promise.all(
    parts
      .filter((part) => part !== first)
      .map(async (part) => [nameOf(part), await tableOf(part, notes)]),
  );
  return Object.fromEntries(
    texts.map(([name, table]) => [name, `exports['${name}'] = () => (${table});`]),
  );
}

function nameOf(part) {
  return `validators-${part}`;
}

async function tableOf(part, notes) {
  const own = [...notes].filter(([, note]) => note.part === part);
  const lines = await Promise.all(
    own.map(async ([key, { code }]) => {
      // No one reads this code, and a start without a cache reads its text.
      const small = await transform(code, { minify: true, target: 'node20.19' });
      const maker = `const module = { exports: {} }; ${small.code}; return module.exports;`;
      return `${JSON.stringify(key)}: (formats, require) => { ${maker} },`;
    }),
  );
  return `{\n${lines.join('\n')}\n}`;
}

/** What the program finds in ajv's place: the same class, with tables for a compiler. */
async function moduleOf(notes) {
  const later = [...notes].filter(([, { part }]) => part !== first);
  const parts = later.map(([key, { part }]) => [key, `chunk:${nameOf(part)}`]);
  return `
import { createHash } from 'node:crypto';
import equal from 'ajv/dist/runtime/equal.js';
import ucs2length from 'ajv/dist/runtime/ucs2length.js';
const runtime = { 'ajv/dist/runtime/equal': equal, 'ajv/dist/runtime/ucs2length': ucs2length };
const required = (name) => ({ default: runtime[name].default ?? runtime[name] });
const makers = ${await tableOf(first, notes)};
const parts = ${JSON.stringify(Object.fromEntries(parts))};
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
    const key = keyOf(this.#options, schema);
    if (key in makers) return makers[key](this.#formats, required);
    if (!(key in parts)) throw new Error('this schema was not there when the program was built');
    return require(parts[key])[key](this.#formats, required);
  }
}
`;
}
