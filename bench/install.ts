/**
 * What an installation of deskhand takes, next to other clients and runners: packages, size on the disk,
 * and time with the packages in npm's cache. The size does not depend on the machine; the time does, also
 * on the registry that npm asks for the versions.
 *
 *   node --import tsx bench/install.ts
 */
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './figures/median.ts';

const rounds = 3;
const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'deskhand-bench-'));
const npm = (cwd: string, ...words: readonly string[]): string =>
  execFileSync('npm', words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

const [packed] = JSON.parse(
  npm(root, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder),
);
const others = ['bitget-api@3.2.3', 'ccxt@4.5.84', '@orangeopensource/hurl@8.0.4'];
for (const spec of [join(folder, packed.filename), ...others]) {
  install(spec); // fills the cache
  const took = Array.from({ length: rounds }, () => install(spec).ms);
  const { packages, bytes } = install(spec);
  const name = spec.startsWith(folder) ? `deskhand ${packed.version}` : spec;
  const size = (bytes / 2 ** 20).toFixed(1);
  console.log(`${name}: ${packages} packages, ${size} MiB, ${(median(took) / 1000).toFixed(1)} s`);
}
rmSync(folder, { recursive: true });

/** Without install scripts, which download programs for some. */
function install(spec: string): { ms: number; packages: number; bytes: number } {
  const project = mkdtempSync(join(folder, 'project-'));
  writeFileSync(join(project, 'package.json'), '{ "private": true }');
  const start = performance.now();
  npm(project, 'install', '--ignore-scripts', '--prefer-offline', spec);
  const ms = performance.now() - start;
  const { packages } = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8'));
  const files = readdirSync(join(project, 'node_modules'), { recursive: true }).map(String);
  const bytes = files.reduce((sum, file) => sum + sizeOf(join(project, 'node_modules', file)), 0);
  rmSync(project, { recursive: true });
  return { ms, packages: Object.keys(packages).length - 1, bytes };
}

function sizeOf(path: string): number {
  const found = lstatSync(path);
  return found.isFile() ? found.size : 0;
}
