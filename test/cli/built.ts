/** The command line, built once for each file of tests that starts it. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../../.ci/build.mjs';

/** Inside node_modules, so that the bundle finds its packages and nobody commits it. */
const folder = join(import.meta.dirname, '..', '..', 'node_modules', '.deskhand-test');

let building: Promise<string> | undefined;

/** The path to start. */
export function launcher(): Promise<string> {
  building ??= build();
  return building;
}

async function build(): Promise<string> {
  const mine = join(folder, String(process.pid));
  mkdirSync(mine, { recursive: true });
  await bundle(mine);
  const path = join(mine, 'deskhand.mjs');
  writeFileSync(path, "import { main } from './cli.js';\nawait main(process.argv.slice(2));\n");
  process.once('exit', () => rmSync(mine, { recursive: true, force: true }));
  return path;
}
