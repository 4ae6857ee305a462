/** The command line, built once for each file of tests that starts it. */
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..');

/** Inside node_modules, where nobody commits it. */
const folder = join(root, 'node_modules', '.deskhand-test', String(process.pid));

let building: Promise<string> | undefined;

/** The path to start. */
export function launcher(): Promise<string> {
  building ??= build();
  return building;
}

async function build(): Promise<string> {
  mkdirSync(folder, { recursive: true });
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await promisify(execFile)(process.execPath, [join(root, '.ci', 'build.mjs'), folder]);
  const path = join(folder, 'deskhand.mjs');
  writeFileSync(path, "import { main } from './cli.js';\nawait main(process.argv.slice(2));\n");
  return path;
}
