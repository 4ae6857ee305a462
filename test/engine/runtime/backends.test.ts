/** The backends of one process: memory, and lines of JSON in a file. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { memoryJournal } from '../../../src/engine/runtime/memory.ts';
import type { Entry } from '../../../src/engine/journal/entry.ts';
import { openAppendFile, realFiles } from '../../../src/engine/journal/file.ts';
import { openJournal, readJournal, type Journal } from '../../../src/engine/journal/journal.ts';
import type { TestPlace } from './backend.ts';
import { backendContract } from './contract.ts';
import { dyingFile, lifeOn, mortal } from './life.ts';

const folder = mkdtempSync(join(tmpdir(), 'engines-'));
const open: Journal[] = [];
afterAll(async () => {
  await Promise.all(open.map((journal) => journal.close().catch(() => undefined)));
  rmSync(folder, { recursive: true, force: true });
});
let files = 0;

function memoryPlace(): TestPlace {
  const kept: Entry[] = [];
  return {
    begin: async (options) => {
      const process = mortal(options);
      const journal = memoryJournal(options.clock, kept);
      const append: Journal['append'] = (event) => process.act(() => journal.append(event));
      return lifeOn(options, process, { ...journal, append }, [...kept]);
    },
    stored: async () => kept,
  };
}

function filePlace(): TestPlace {
  const path = join(folder, `${++files}.ndjson`);
  writeFileSync(path, '');
  return {
    begin: async (options) => {
      const process = mortal(options);
      const { journal, entries } = await openJournal(path, options.clock, {
        ...realFiles,
        append: async (name, bytes) => dyingFile(await openAppendFile(name, bytes), process),
      });
      open.push(journal);
      return lifeOn(options, process, journal, entries);
    },
    stored: async () => readJournal(readFileSync(path, 'utf8'), path).entries,
  };
}

backendContract({ name: 'memory', open: memoryPlace });
backendContract({ name: 'JSONL', open: filePlace, openFenced: filePlace });
