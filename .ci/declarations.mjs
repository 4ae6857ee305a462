/**
 * Writes the declarations of the library into a folder: one small file for each entry, which
 * exports from `types.d.ts`, and there all that the entries need and nothing else. They share that
 * file because a class is one type only where it is declared once.
 *
 *   node .ci/declarations.mjs FOLDER
 */
import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

const root = join(import.meta.dirname, '..');
const [folder = join(root, 'dist')] = process.argv.slice(2);
const emitted = join(folder, 'emitted');

const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const words = [tsc, '-p', join(root, 'tsconfig.build.json'), '--outDir', emitted];
const { status } = spawnSync(process.execPath, words, { stdio: 'inherit' });
if (status === 0) await rollUp();
else process.exitCode = 1;
await rm(emitted, { recursive: true, force: true });

async function rollUp() {
  const entries = {
    index: '.',
    api: 'exchange/api',
    client: 'exchange/client',
    sandbox: 'sandbox',
    playbook: 'language',
  };
  const input = Object.entries(entries).map(([name, folder]) => [
    name,
    join(emitted, folder, 'index.d.ts'),
  ]);
  const bundle = await rolldown({
    input: Object.fromEntries(input),
    external: (name) => !/^[./]/.test(name), // packages
    experimental: { attachDebugInfo: 'none' }, // no comments with the paths of this machine
    // It would start a compiler of sources otherwise; these are declarations already.
    plugins: [dts({ dtsInput: true, generator: 'oxc', tsconfig: false })],
  });
  await bundle.write({
    dir: folder,
    entryFileNames: '[name].d.ts',
    chunkFileNames: '[name].d.ts',
    codeSplitting: { groups: [{ name: 'types', test: /./ }] },
    minifyInternalExports: false,
  });
}
