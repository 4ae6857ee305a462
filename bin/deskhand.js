#!/usr/bin/env node
/**
 * The launcher: checks the version of Node, then hands over to the bundle. It and the loader are
 * CommonJS, which starts 5 ms of CPU sooner than a module.
 */
const { existsSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { homedir } = require('node:os');
const path = require('node:path');

const oldest = [20, 19];
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const bundle = path.join(__dirname, '..', 'dist', 'cli.cjs');

if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
  fail(`deskhand needs Node ${oldest.join('.')} or newer; this is ${process.versions.node}`);
} else if (!existsSync(bundle)) {
  fail('deskhand is not built here: run `npm run build`');
} else {
  const kept = cacheFolder();
  if (kept !== undefined) enableCompileCache?.(kept); // from Node 22 on, for a version other than the one that built it
  void require(bundle).main(process.argv.slice(2));
}

/**
 * A folder of the user's: Node's default is below the shared temporary folder, where another user could
 * put code that we would run. None for a user without a home, as in some containers.
 */
function cacheFolder() {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
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
