/** Gives a bench its own temporary folder, and removes it with all that its worlds left there. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const folder = mkdtempSync(join(tmpdir(), 'deskhand-bench-'));
process.env['TMPDIR'] = folder;
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
