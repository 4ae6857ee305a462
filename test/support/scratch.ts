/** A temporary folder for each file of tests, gone with all that is in it when they have ended. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, inject } from 'vitest';
import { begun, cleanFile, ended } from './cleanup.ts';

const folder = mkdtempSync(join(inject('scratch'), '/'));
for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;

afterAll(async () => {
  await cleanFile();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});
beforeEach(begun);
afterEach(ended);
