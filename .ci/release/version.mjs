/**
 * Makes the next version from the files in .changeset, for the release workflow: changesets chooses the
 * number and deletes them, then every other place that has the number gets it, and "Unreleased" in
 * CHANGELOG.md, which people write, gets it as its heading. Needs Node 24, which reads TypeScript.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { renumber } from './renumber.ts';

const root = process.cwd();
const before = versionOf();
const changesets = createRequire(import.meta.url).resolve('@changesets/cli/bin.js');
execFileSync(process.execPath, [changesets, 'version'], { cwd: root, stdio: 'inherit' });
const after = versionOf();
if (after === before) throw new Error('.changeset asks for no new version');

renumber(root, { before, after });

function versionOf() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
}
