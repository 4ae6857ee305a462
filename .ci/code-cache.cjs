/**
 * What V8 compiled of the program, in a folder of the user: one file for each command, version of Node and
 * build, made at the first start that succeeds. Node's own cache (`module.enableCompileCache`) has
 * only what is compiled when a file is loaded, and not the functions that are compiled when they are called,
 * which are most of a start.
 *
 * Code from there is executed, so a folder or a file that another user could have written is not read, and
 * V8 does not check what it is given, so a digest shows whether the file is whole. Whatever
 * fails, the program starts without it. The file contains code only, no data of a run.
 */
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const v8 = require('node:v8');

const bytesMax = 64 * 2 ** 20;
const ageMaxMs = 30 * 86_400_000; // older files are of versions that may be gone; a used one is made again
const soonMs = 2_000; // later, V8 has dropped functions that only the start calls
const digestBytes = 32;

/** Also in src/app/machine/compiled.ts. */
const keepKey = Symbol.for('deskhand.keep-compiled');

/** @returns `codeOf(file)`, what is kept of a file, and `uses(file, script)`, which keeps it for the next start */
exports.openCodeCache = (folder, name) => {
  const { version, platform, arch } = process;
  // V8's tag covers its version, its flags, and the processor's features.
  const tag = v8.cachedDataVersionTag();
  const at = path.join(folder, `${name}-${version}-${platform}-${arch}-${tag}`);
  const kept = attempt(() => read(folder, at)) ?? new Map();
  const scripts = new Map(); // since the last time that something was kept
  let timer;
  const keep = () => {
    clearTimeout(timer);
    delete globalThis[keepKey];
    if (v8.cachedDataVersionTag() !== tag) return; // V8 would refuse the code at the next start
    attempt(() => {
      for (const [file, script] of scripts) kept.set(file, script.createCachedData());
      scripts.clear();
      write(folder, at, kept);
    });
  };
  process.once('exit', (code) => code === 0 && globalThis[keepKey]?.());
  return {
    codeOf: (file) => kept.get(file),
    uses: (file, script) => {
      scripts.set(file, script);
      const isNew = script.cachedDataRejected !== false;
      if (!isNew || keepKey in globalThis || v8.cachedDataVersionTag() !== tag) return;
      globalThis[keepKey] = keep;
      timer = setTimeout(keep, soonMs).unref();
    },
  };
};

function attempt(work) {
  try {
    return work();
  } catch {
    return undefined; // the next start compiles again
  }
}

/** @returns the code by file; throws when there is none to trust */
function read(folder, at) {
  if (!isOurs(fs.lstatSync(folder))) return undefined;
  const descriptor = fs.openSync(at, fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0));
  try {
    const found = fs.fstatSync(descriptor);
    if (!found.isFile() || !isOurs(found) || found.size > bytesMax) return undefined;
    return unpacked(fs.readFileSync(descriptor));
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Nobody else may write it. Windows has access lists instead, and the folder there is the user's. */
function isOurs({ uid, mode }) {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}

/** A digest of what follows, the length of a table of files and sizes, the table, and the code. */
function packed(kept) {
  const table = Buffer.from(JSON.stringify([...kept].map(([file, { length }]) => [file, length])));
  const length = Buffer.alloc(8);
  length.writeUInt32LE(table.length);
  const body = Buffer.concat([length, ...[table, ...kept.values()].flatMap(aligned)]);
  return Buffer.concat([digestOf(body), body]);
}

/** V8 copies code that does not begin at a multiple of eight. */
function aligned(bytes) {
  return [bytes, Buffer.alloc(-bytes.length & 7)];
}

function unpacked(bytes) {
  const body = bytes.subarray(digestBytes);
  if (!digestOf(body).equals(bytes.subarray(0, digestBytes))) return undefined;
  const tableBytes = body.readUInt32LE(0);
  let at = 8 + Math.ceil(tableBytes / 8) * 8;
  const kept = new Map();
  for (const [file, length] of JSON.parse(body.toString('utf8', 8, 8 + tableBytes))) {
    kept.set(file, body.subarray(at, at + length));
    at += Math.ceil(length / 8) * 8;
  }
  return kept;
}

function digestOf(bytes) {
  return createHash('sha256').update(bytes).digest();
}

/** Another process sees the whole file or none. */
function write(folder, at, kept) {
  makeOurs(path.dirname(path.dirname(folder)), path.dirname(folder), folder);
  removeOld(folder);
  const draft = `${at}.${process.pid}`;
  try {
    fs.writeFileSync(draft, packed(kept), { flag: 'wx', mode: 0o600 });
    fs.renameSync(draft, at);
  } catch (error) {
    fs.rmSync(draft, { force: true });
    throw error;
  }
}

/** Creates missing folders, but not those of root in the home of a user. */
function makeOurs(...folders) {
  for (const folder of folders) {
    const above = fs.statSync(path.dirname(folder));
    if (fs.existsSync(folder)) continue;
    const { getuid } = process;
    if (getuid !== undefined && above.uid !== getuid() && above.uid !== 0)
      throw new Error('not ours');
    fs.mkdirSync(folder, { mode: 0o700 });
  }
  if (!isOurs(fs.lstatSync(folders.at(-1)))) throw new Error('not ours');
}

function removeOld(folder) {
  const oldest = Date.now() - ageMaxMs;
  for (const name of fs.readdirSync(folder)) {
    const file = path.join(folder, name);
    if (fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs < oldest)
      fs.rmSync(file, { force: true });
  }
}
