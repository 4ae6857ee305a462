/** Code as it ships: a loader for development adds to every function what costs time. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** Compiles a module with all it needs into one, and loads that. */
export async function compiled<T>(module: URL): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'deskhand-bench-'));
  const outfile = join(folder, 'compiled.mjs');
  await build({
    entryPoints: [fileURLToPath(module)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'warning',
  });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(folder, { recursive: true });
  }
}
