/**
 * Builds after `npm ci`; after `npm ci --omit=dev` there is nothing to build with, and what is built stays.
 * `npm install --global` of a Git address, as pre-commit does it, installs the development packages in the
 * global folder and not here, so that they are installed here first.
 */
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';

const root = join(import.meta.dirname, '..');

if (!hasCompiler() && process.env.npm_config_global === 'true') installHere();
if (hasCompiler()) await import('./build.mjs');
else process.stderr.write('not built: the development packages are not installed\n');

function hasCompiler() {
  try {
    createRequire(import.meta.url).resolve('esbuild');
    return true;
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return false;
    throw error;
  }
}

/** With the npm that started this script, and without what it was asked to do. */
function installHere() {
  const own = /^npm_config_(global|.*prefix|include|omit|force|save|install_links)$/;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
  const words = [process.env.npm_execpath ?? 'npm', 'ci', '--ignore-scripts'];
  execFileSync(process.execPath, words, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
}
