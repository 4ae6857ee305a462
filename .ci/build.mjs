// Builds dist: the command line as one bundle with lazy parts, the library's doors, their types.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');

const entryPoints = {
  cli: 'src/cli/main.ts',
  index: 'src/index.ts',
  contract: 'src/contract/index.ts',
  client: 'src/client/index.ts',
  sandbox: 'src/sandbox/index.ts',
  playbook: 'src/playbook/index.ts',
};

if (import.meta.filename === process.argv[1]) {
  const outdir = join(root, 'dist');
  await rm(outdir, { recursive: true, force: true });
  await Promise.all([bundle(outdir), types(), linkCommand()]);
}

/** Bundles into a folder; packages stay outside, so the folder must be able to find them. */
export async function bundle(outdir) {
  await build({
    absWorkingDir: root,
    entryPoints,
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

/** Declarations of everything but the command line. */
async function types() {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const child = spawn(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) process.exitCode = 1;
}

/** Lets `npx deskhand` work in a checkout: npm links the commands of packages, not of the root. */
async function linkCommand() {
  const bin = join(root, 'node_modules', '.bin');
  await mkdir(bin, { recursive: true });
  await rm(join(bin, 'deskhand'), { force: true });
  await symlink(join('..', '..', 'bin', 'deskhand.js'), join(bin, 'deskhand'));
}
