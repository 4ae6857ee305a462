// Puts the parts of the command line into few files, by what is used together, and compiles them.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { settling } from './settled.mjs';

/** What belongs together: parts these need that no earlier pack has. The rest is its own pack. */
const wanted = {
  check: ['src/cli/main.ts', 'src/cli/commands/validate.ts'],
  work: ['src/cli/commands/plan.ts', 'src/cli/commands/run.ts', 'src/sandbox/sandbox.ts'],
  wire: ['src/client/transports/http.ts'],
  charts: ['src/report/chart/thread.ts', 'src/report/chart/chart.ts'],
};

/** Commands that use what should be found compiled, on a playbook of ours; each adds to the one before. */
const verbs = ['validate', 'plan'];

/** Writes `cli.js` and its packs. @param result of esbuild, split into parts and not yet written */
export async function writePacks(root, outdir, { outputFiles, metafile }) {
  const places = placed(metafile);
  const packs = new Map();
  for (const { path, text } of outputFiles) {
    const name = basename(path);
    const { code } = await transform(text, {
      format: 'cjs',
      platform: 'node',
      target: 'node20.19',
      minifyWhitespace: true,
      supported: { 'dynamic-import': false }, // a part is asked for like any other, only later
    });
    const parts = packs.get(places[name]) ?? [];
    packs.set(places[name], parts);
    parts.push(
      `${JSON.stringify(name)}:function(exports,require,module){${code}${settling(text)}\n}`,
    );
  }
  await mkdir(outdir, { recursive: true });
  const fileOf = {};
  for (const [name, parts] of packs) {
    const text = ascii(`globalThis[Symbol.for("deskhand.pack")]={${parts.join(',\n')}};\n`);
    // V8 takes what it compiled for the same as long as the text is as long: the name tells them apart.
    fileOf[name] = `${name}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
    await writeFile(join(outdir, `${fileOf[name]}.cjs`), text);
  }
  const loader = await readFile(join(root, '.ci', 'loader.mjs'), 'utf8');
  const files = Object.entries(places).map(([part, pack]) => [part, fileOf[pack]]);
  const table = `const placeOf = ${JSON.stringify(Object.fromEntries(files))};`;
  await writeFile(join(outdir, 'cli.js'), loader.replace('const placeOf = {};', table));
  await compile(outdir, join(root, 'workflows', 'desk-setup.yaml'));
}

/**
 * The loader reads a byte a letter. What esbuild leaves as it is is in tagged templates, whose
 * tags read it cooked, and in patterns: an escape says the same in both.
 */
function ascii(text) {
  return text.replaceAll(/[^\0-\x7f]/g, (sign) => {
    return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Part to pack. */
function placed({ outputs }) {
  const named = Object.fromEntries(
    Object.entries(outputs).map(([path, about]) => [basename(path), about]),
  );
  const entryOf = (source) =>
    Object.keys(named).find((name) => named[name].entryPoint === source) ?? '';
  const places = {};
  for (const [pack, sources] of Object.entries(wanted)) {
    const open = sources.map(entryOf);
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (named[name] === undefined) throw new Error(`a part of the pack ${pack} is missing`);
      if (places[name] === pack) continue;
      places[name] ??= pack;
      const { imports } = named[name];
      const needed = imports.filter(({ kind }) => kind === 'import-statement');
      for (const { path } of needed) {
        const next = basename(path);
        if (named[next] !== undefined && places[next] === undefined) open.push(next);
      }
    }
  }
  for (const name of Object.keys(named)) places[name] ??= 'rest';
  return places;
}

async function compile(outdir, playbook) {
  const folder = await mkdtemp(join(tmpdir(), 'deskhand-build-'));
  const start = (code, words) =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', code, '--', ...words], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, DESKHAND_BUILD: 'remember' },
    });
  const url = JSON.stringify(pathToFileURL(join(outdir, 'cli.js')).href);
  // A start has no flags set yet: V8 rejects what was compiled under those that a command sets.
  const unset = "import v8 from 'node:v8'; v8.setFlagsFromString = () => {};";
  const code = `${unset} const { main, remember } = await import(${url}); await main(process.argv.slice(1));`;
  for (const verb of verbs) await start(`${code} remember();`, [verb, playbook]);
  await rm(folder, { recursive: true });
}
