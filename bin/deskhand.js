#!/usr/bin/env node
/**
 * The launcher: checks the version of Node, then hands over to the loader. Both are CommonJS, which starts
 * 5 ms of CPU sooner than a module.
 */
const { existsSync } = require('node:fs');
const { homedir } = require('node:os');
const path = require('node:path');

const oldest = [20, 19];
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const loader = path.join(__dirname, '..', 'dist', 'cli.cjs');

if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
  fail(`deskhand needs Node ${oldest.join('.')} or newer; this is ${process.versions.node}`);
} else if (globalThis.Deno !== undefined) {
  fail('deskhand runs on Node only, not on Deno: its runs stop there in the middle');
} else if (process.permission !== undefined) {
  fail(
    'deskhand does not run under --permission, which disables fsync in Node: a request must be on the disk before it is sent',
  );
} else if (!existsSync(loader)) {
  fail('deskhand is not built here: run `npm run build`');
} else {
  void require(loader).main(process.argv.slice(2), cacheFolder());
}

/**
 * Where compiled code is kept: in a folder of the user, because another user could put code in a shared one
 * that we would execute. None for a user without a home, as in some containers, and none when
 * Node is asked to keep none.
 */
function cacheFolder() {
  const { LOCALAPPDATA, NODE_DISABLE_COMPILE_CACHE, XDG_CACHE_HOME } = process.env;
  if (NODE_DISABLE_COMPILE_CACHE) return undefined;
  const own = (process.platform === 'win32' ? LOCALAPPDATA : XDG_CACHE_HOME) ?? '';
  const all = path.isAbsolute(own) ? own : path.join(home(), '.cache');
  return path.isAbsolute(all) ? path.join(all, 'deskhand', 'compiled') : undefined;
}

function home() {
  try {
    return homedir();
  } catch {
    return ''; // HOME is not set, and the system has no entry for this user
  }
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 2;
}
