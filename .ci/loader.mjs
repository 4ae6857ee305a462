// Loads the parts of the command line when they are asked for. They lie together in few files, and
// where the same Node built them, V8 finds them compiled; elsewhere they are compiled as any script.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

/** Part to the file it is in; the build fills it in. */
const placeOf = {};

const require = createRequire(import.meta.url);
const folder = fileURLToPath(new URL('.', import.meta.url));
const made = `${process.version}-${process.arch}`;
/** Where a pack puts its parts, for a script has no other way to hand them over. */
const handedOver = Symbol.for('deskhand.pack');
const scripts = new Map();
const packs = new Map();
const loaded = new Map();

/** A part by its file name, as any module: evaluated once. Everything else is Node's. */
function part(name) {
  const own = name.slice(name.lastIndexOf('/') + 1);
  if (!Object.hasOwn(placeOf, own)) return require(name);
  const found = loaded.get(own);
  if (found !== undefined) return found.exports;
  const module = { exports: {} };
  loaded.set(own, module);
  packNamed(placeOf[own])[own](module.exports, part, module);
  return module.exports;
}

function packNamed(name) {
  const pack = packs.get(name) ?? opened(name);
  packs.set(name, pack);
  return pack;
}

function opened(name) {
  const path = `${folder}${name}.cjs`;
  const compiled = `${folder}${name}-${made}.cache`;
  const hasCompiled = existsSync(compiled);
  if (!hasCompiled && process.env.DESKHAND_BUILD !== 'remember') {
    require(path);
  } else {
    const cachedData = hasCompiled ? readFileSync(compiled) : undefined;
    const text = readFileSync(path, 'latin1'); // it holds only ASCII
    const script = new Script(text, { filename: path, ...(hasCompiled && { cachedData }) });
    script.runInThisContext();
    scripts.set(compiled, script);
  }
  return globalThis[handedOver];
}

// A thread that draws a chart begins here as well.
globalThis[Symbol.for('deskhand.program')] = import.meta.url;

export const { main, drawHere } = part('cli.js');

/** Keeps what has been compiled so far for other processes; called by the build alone. */
export function remember() {
  for (const [path, script] of scripts) writeFileSync(path, script.createCachedData());
}
