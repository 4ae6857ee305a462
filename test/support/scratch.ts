/** A temporary folder for each file of tests, gone with all that is in it when they have ended. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, inject } from 'vitest';

const folder = mkdtempSync(join(inject('scratch'), '/'));
for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
