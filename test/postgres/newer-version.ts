/** The command line of a later version: our sources with changes, built like ours. */
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..');

/** A text in a file of ours, which is there once, and what a later version has instead. */
export interface Change {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Each attempt at a run asks the exchange once more; with FORMAT=2, run folders have the next format. */
export const newerVersion: readonly Change[] = [
  { file: 'src/base/version.ts', from: "version = '0.1.0'", to: "version = '0.2.0'" },
  {
    file: 'src/engine/runtime/run.ts',
    from: 'const accounts = accountsIn(options);',
    to: 'const accounts = accountsIn(options);\n  await exchange.serverTime();',
  },
  {
    file: 'src/engine/journal/header.ts',
    from: 'journalFormat = 1',
    to: "journalFormat = Number(process.env['FORMAT'] ?? 1)",
  },
  {
    file: 'src/engine/journal/header.ts',
    from: 'if (format !== journalFormat)',
    to: 'if (format !== 1 && format !== journalFormat)',
  },
  {
    file: 'src/app/queue/job.ts',
    from: 'jobFormat = 2',
    to: "jobFormat = 1 + Number(process.env['FORMAT'] ?? 1)",
  },
  { file: 'src/app/queue/job.ts', from: '{ 1: 1 }', to: '{ 1: 1, 2: 3 }' },
];

export interface Version {
  /** The path to start. */
  readonly launcher: string;
  remove(): void;
}

/** @throws Error for a change that no longer applies */
export async function buildVersion(changes: readonly Change[]): Promise<Version> {
  mkdirSync(join(root, 'node_modules', '.deskhand-test'), { recursive: true });
  const folder = mkdtempSync(join(root, 'node_modules', '.deskhand-test', 'newer-'));
  for (const name of [
    'src',
    '.ci',
    'schemas',
    'workflows',
    'docs',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
  ]) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const { file, from, to } of changes) {
    const path = join(folder, file);
    const parts = readFileSync(path, 'utf8').split(from);
    if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} × ${from}`);
    writeFileSync(path, parts.join(to));
  }
  const out = join(folder, 'out');
  mkdirSync(out);
  await promisify(execFile)(process.execPath, [join(folder, '.ci', 'build.mjs'), out]);
  const launcher = join(out, 'deskhand.cjs');
  writeFileSync(launcher, "void require('./cli.cjs').main(process.argv.slice(2));\n");
  return { launcher, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
