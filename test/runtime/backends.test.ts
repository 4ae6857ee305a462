/** The backends there are: memory, and lines of JSON in a file. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { embeddedEngine } from '../../src/runtime/embedded.ts';
import { memoryJournal } from '../../src/runtime/memory.ts';
import type { Entry } from '../../src/journal/entry.ts';
import { openAppendFile, realFiles, type AppendFile } from '../../src/journal/file.ts';
import { openJournal, readJournal, type Journal } from '../../src/journal/journal.ts';
import { backendContract, type TestLife, type TestLifeOptions } from './contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'engines-'));
const open: Journal[] = [];
afterAll(async () => {
  await Promise.all(open.map((journal) => journal.close()));
  rmSync(folder, { recursive: true, force: true });
});
let files = 0;

/** The process is gone: nothing after this happens. */
class Gone extends Error {}

function lifeOn(options: TestLifeOptions, journal: Journal, earlier: readonly Entry[]): TestLife {
  const { clock, effects, body, drain } = options;
  const engine = embeddedEngine({
    runId: 'r-contract',
    journal,
    earlier,
    effects,
    body,
    clock,
    time: async () => clock.now(),
    drain,
    halt: new AbortController().signal,
    onEntry: () => undefined,
  });
  open.push(journal);
  return { durable: engine.durable, deliver: engine.deliver, die: engine.end };
}

/** Counts the acts of a storage and ends them at one of them. */
function mortal(diesAt = Infinity): (work: () => Promise<void>) => Promise<void> {
  let acts = 0;
  return async (work) => {
    if (++acts >= diesAt) throw new Gone();
    await work();
  };
}

backendContract('memory', () => {
  const kept: Entry[] = [];
  return async (options) => {
    const act = mortal(options.diesAt);
    const journal = memoryJournal(options.clock, kept);
    const dying: Journal = {
      ...journal,
      append: async (event) => {
        await act(async () => undefined);
        return journal.append(event);
      },
    };
    return lifeOn(options, dying, [...kept]);
  };
});

backendContract('JSONL', () => {
  const path = join(folder, `${++files}.ndjson`);
  writeFileSync(path, '');
  return async (options) => {
    const act = mortal(options.diesAt);
    const append = async (): Promise<AppendFile> => {
      const file = await openAppendFile(path);
      return {
        write: (text) => act(() => file.write(text)),
        sync: () => act(() => file.sync()),
        close: () => file.close(),
      };
    };
    const { journal, entries } = await openJournal(path, options.clock, { ...realFiles, append });
    return lifeOn(options, journal, entries);
  };
});

test('the file of the JSONL backend is a readable journal', () => {
  const text = readFileSync(join(folder, '1.ndjson'), 'utf8');
  expect(readJournal(text, '1.ndjson').entries).toMatchObject([{ kind: 'settled', address: 'a' }]);
});
