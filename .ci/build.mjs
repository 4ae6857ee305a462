// Builds dist: the command line as one bundle with lazy parts, and the library's public doors.
import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const outdir = join(root, 'dist');

await rm(outdir, { recursive: true, force: true });
await Promise.all([bundle(), types()]);

async function bundle() {
  await build({
    absWorkingDir: root,
    entryPoints: {
      cli: 'src/cli/main.ts',
      index: 'src/index.ts',
      contract: 'src/contract/index.ts',
      client: 'src/client/index.ts',
      sandbox: 'src/sandbox/index.ts',
      playbook: 'src/playbook/index.ts',
    },
    outdir,
    chunkNames: 'parts/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    logLevel: 'warning',
  });
}

function types() {}
