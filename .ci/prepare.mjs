/** Builds after `npm ci`; after `npm ci --omit=dev` there is nothing to build with, and what is built stays. */
import { createRequire } from 'node:module';
import process from 'node:process';

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
