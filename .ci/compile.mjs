/**
 * Runs commands on a playbook with a program that was just built, and keeps what V8 compiled.
 *
 *   node compile.mjs PROGRAM ENCODING CACHE PLAYBOOK VERB...
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import v8 from 'node:v8';
import { Script } from 'node:vm';

const [filename = '', encoding, cache = '', playbook = '', ...verbs] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'deskhand-build-'));
process.env = { PATH: process.env.PATH, HOME: folder }; // no setting of whoever builds
process.chdir(folder);
const setFlags = v8.setFlagsFromString;
v8.setFlagsFromString = () => undefined; // V8 rejects what was compiled under other flags than a start has
setFlags('--no-flush-bytecode'); // keep what ran early
process.stdout.write = () => true;

const script = new Script(readFileSync(filename, encoding), { filename });
script.runInThisContext();
const module = { exports: {} };
globalThis[Symbol.for('deskhand.program')](module.exports, createRequire(filename), module);
for (const verb of verbs) {
  await module.exports.main([verb, playbook]);
  if (process.exitCode !== 0) throw new Error(`${verb} ${playbook} ended with ${process.exitCode}`);
}
setFlags('--flush-bytecode');
writeFileSync(cache, script.createCachedData());
rmSync(folder, { recursive: true });
