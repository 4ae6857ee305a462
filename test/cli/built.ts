/** The command line and the library, built once before the first test that starts one of them. */
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The path to start. */
    readonly launcher: string;
    /** The address that programs import. */
    readonly library: string;
  }
}

const root = join(import.meta.dirname, '..', '..');

/** Inside node_modules, where it is never committed. */
const folder = join(root, 'node_modules', '.deskhand-test', String(process.pid));

export async function setup(project: TestProject): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await promisify(execFile)(process.execPath, [join(root, '.ci', 'build.mjs'), folder]);
  const path = join(folder, 'deskhand.cjs');
  const kept = "require('node:path').join(__dirname, 'compiled')";
  writeFileSync(path, `void require('./cli.cjs').main(process.argv.slice(2), ${kept});\n`);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  project.provide('launcher', path);
  project.provide('library', pathToFileURL(join(folder, 'index.js')).href);
}

export function teardown(): void {
  rmSync(folder, { recursive: true, force: true });
}
