/** The catalogue of runs: used while it is true, and the answer is the one without it in any case. */
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { standingClock } from '../../../src/base/clock.ts';
import { isRecord } from '../../../src/base/json.ts';
import { catalogueOf, cataloguePath } from '../../../src/engine/journal/catalogue.ts';
import { valuesOf } from '../../../src/engine/journal/columns.ts';
import type { Entry, Event } from '../../../src/engine/journal/entry.ts';
import { headerText } from '../../../src/engine/journal/header.ts';
import { markPath, putMark, readMark } from '../../../src/engine/journal/high-water.ts';
import { clientOidOf, identityOf } from '../../../src/engine/journal/identity.ts';
import { ledgerFrom, playbookKey, type LedgerView } from '../../../src/engine/journal/ledger.ts';
import type { RunRecord } from '../../../src/engine/journal/run-record.ts';
import { PastWrites, type AccountWrites } from '../../../src/engine/journal/past-writes.ts';
import { placedOrders } from '../../../src/engine/journal/placed-orders.ts';
import { statesFrom } from '../../../src/engine/journal/states.ts';
import { recordsIn } from '../../support/past-records.ts';
import { frame, unframe } from '../../../src/engine/journal/record.ts';
import {
  hasWrittenSince,
  readDoubtsBeside,
  readForLedger,
} from '../../../src/engine/journal/records.ts';
import { removeRun } from '../../../src/engine/journal/prune.ts';
import {
  allRuns,
  listRuns,
  unnamedRuns,
  type AllRuns,
} from '../../../src/engine/journal/run-list.ts';
import {
  createRun,
  headerPath,
  journalPath,
  noteAccounts,
  openRun,
  readRun,
  runFolder,
} from '../../../src/engine/journal/runs.ts';
import {
  asideAmong,
  repeatedSince,
  setAsideEvent,
  unfinishedAmong,
} from '../../../src/engine/journal/unfinished.ts';
import { putRun, runHere } from '../../../src/stores/run-files.ts';
import { started } from '../../support/desk-setup.ts';

const clock = standingClock(1_790_000_000_000);
const account = { profile: 'main', target: 'sandbox', host: 'here', keyFingerprint: 'k' } as const;
const finished: Event = { kind: 'finished', status: 'done', exit: 0, outputs: {} };
const stopped: Event = { kind: 'finished', status: 'stopped', exit: 1, outputs: null };
const failed: Event = { kind: 'closed', step: 'verify', status: 'failed' };
const operation = 'futures/place-order';
const playbook = 'desk-setup';
const forgedAt = 77; // a time that only a forged header has

function intent(run: string, key: string, per: 'run' | 'playbook'): Event {
  const address = `ladder[${key}]`;
  const content = { symbol: 'BTCUSDT', size: key };
  const identity =
    per === 'run'
      ? identityOf({ per: 'run', run }, address, null)
      : playbookKey(account, { playbook, address, operation, content });
  const input = { ...content, clientOid: clientOidOf(identity) };
  return { kind: 'intended', address, operation, input, identity, attempt: 1, signedAt: 10 };
}

function settled(key: string): Event {
  const output = { orderId: key };
  return {
    kind: 'settled',
    address: `ladder[${key}]`,
    outcome: { kind: 'done', output, evidence: 'answered' },
  };
}

/** Runs of each kind, by what they leave. */
const kinds = {
  'r-nothing': () => [finished],
  'r-orders': (run) => [intent(run, '1', 'run'), settled('1'), finished],
  'r-lasting': (run) => [intent(run, '2', 'playbook'), settled('2'), finished],
  'r-stopped': () => [stopped],
  'r-left': (run) => [intent(run, '3', 'run'), settled('3'), failed, stopped],
  'r-doubt': (run) => [intent(run, '4', 'run')],
} satisfies Readonly<Record<string, (run: string) => readonly Event[]>>;
type Kind = keyof typeof kinds;
const names = Object.keys(kinds) as readonly Kind[];
/** Those that ended and left nothing. */
const endedNames: readonly Kind[] = ['r-nothing', 'r-orders', 'r-lasting', 'r-stopped'];

async function record(state: string, run: string, events: readonly Event[]): Promise<void> {
  const name = run === 'r-doubt' ? 'another' : playbook; // beside other playbooks, too
  const header = { run, playbook: name, destination: account, createdAt: 1, program: 'd' };
  const journal = await createRun(state, header, clock);
  const [start, ...others] = [started(run, account), ...events];
  const begun = start?.kind === 'started' ? start.playbook : undefined;
  const named = { ...start, playbook: { ...begun, name } } as Event;
  for (const event of [named, ...others]) await journal.append(event);
  await journal.close();
}

/** Folders of such runs that changed more than two seconds ago, each for one test. */
let root: string;
let folders: string[] = [];

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'catalogue-'));
  folders = Array.from({ length: 240 }, (_, at) => join(root, String(at)));
  for (const state of folders) {
    for (const run of names) await record(state, run, kinds[run](run));
  }
  await setTimeout(2_100); // until the file system would show another change
}, 60_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A folder whose runs are catalogued. */
async function catalogued(): Promise<string> {
  const state = folder();
  await answers(state, true);
  return state;
}

function folder(): string {
  const state = folders.pop();
  if (state === undefined) throw new Error('more folders are needed');
  return state;
}

/** Everything that others ask, or the error of it. */
async function answers(state: string, keeps = false): Promise<unknown> {
  const all = () => true;
  const view = { as: account, standingOf: () => 'same' as const };
  const own = { run: 'r-own', entries: [{ ...started('r-own', account), seq: 1, at: 0 }] };
  const ask = async (work: () => Promise<unknown>): Promise<unknown> =>
    work().catch((error: unknown) => String(error));
  return {
    headers: await ask(async () => (await allRuns(state)).headers),
    listed: await ask(() => listRuns(state)),
    unnamed: await ask(() => unnamedRuns(state)),
    ledger: await ask(async () => {
      const runs = await allRuns(state);
      const past = await readForLedger(state, { playbook, isWide: true }, { runs, keeps });
      const records = recordsIn(past);
      const ofRun = new Set(['1', '3'].flatMap((key) => names.map((run) => nameOf(run, key))));
      return {
        ledger: [...ledgerFrom(records, view)].filter(([key]) => !ofRun.has(key)),
        placed: placedOrders(records, view),
        asked: askedOf(new PastWrites(past).of({ ...view, playbook }), records, view),
        unfinished: unfinishedAmong(records, all),
      };
    }),
    resumed: await ask(async () => {
      const runs = await allRuns(state);
      const scope = { playbook, isWide: false };
      return repeatedSince(
        own,
        recordsIn(await readForLedger(state, scope, { runs, keeps, known: own })),
        all,
        all,
      );
    }),
    doubts: await ask(async () => {
      const runs = await allRuns(state);
      return readDoubtsBeside(playbook, all, { runs, keeps });
    }),
  };
}

/** What a plan is told of each write that it asks about. */
function askedOf(past: AccountWrites, records: readonly RunRecord[], view: LedgerView): unknown {
  const keys = [...ledgerFrom(records, view).keys(), ...statesFrom(records, view, []).keys()];
  const placed = placedOrders(records, view);
  return {
    writes: keys.map((key) => past.get(key)),
    placed: past.named(placed.map(({ clientOid }) => clientOid)),
    all: past.all(),
  };
}

/** The name of an order once per run, for which no other run asks. */
function nameOf(run: string, key: string): string {
  return identityOf({ per: 'run', run }, `ladder[${key}]`, null);
}

/** Asks with the catalogue, and without it. */
async function bothAnswers(state: string): Promise<readonly [unknown, unknown]> {
  const known = await answers(state);
  rmSync(cataloguePath(state), { recursive: true, force: true });
  return [known, await answers(state)];
}

interface Stored {
  readonly kind: string;
  readonly run: string;
  readonly files: readonly (readonly number[])[];
  readonly value: unknown;
}

function linesIn(state: string): readonly string[] {
  return readFileSync(cataloguePath(state), 'utf8').split('\n').filter(Boolean);
}

/** The facts of all lines, also of blocks. */
function storedIn(state: string): readonly Stored[] {
  return linesIn(state).flatMap((line): readonly Stored[] => {
    const fact = JSON.parse(unframe(line));
    const { kind, runs, files, values } = fact;
    if (runs === undefined) return [fact];
    const [filesOf, valueOf] = [valuesOf(files), valuesOf(values)];
    return [...runs.entries()].map(([at, run]) => {
      return { kind, run, files: filesOf(at), value: valueOf(at) } as Stored;
    });
  });
}

/** Puts the facts of a catalogue into blocks, as the program does when there are many. */
async function pack(state: string): Promise<void> {
  const others = Array.from({ length: 1_100 }, (_, at): Stored => {
    return { kind: 'header 1', run: `r-gone-${at}`, files: [], value: 1 };
  });
  store(state, [...storedIn(state), ...others]);
  await answers(state, true);
}

function store(state: string, facts: readonly Stored[]): void {
  const path = cataloguePath(state);
  writeFileSync(`${path}.new`, facts.map((fact) => frame(JSON.stringify(fact))).join(''));
  renameSync(`${path}.new`, path);
}

/** Gives the catalogued headers a time that only the catalogue has. */
function forge(state: string): void {
  const facts = storedIn(state).map((fact) => {
    const { kind, value } = fact;
    if (!isRecord(value)) return fact;
    if (kind === 'header 1') return { ...fact, value: { ...value, createdAt: forgedAt } };
    const header = isRecord(value['header']) ? value['header'] : {};
    return { ...fact, value: { ...value, header: { ...header, createdAt: forgedAt } } };
  });
  store(state, facts);
}

/** Runs whose headers are those of the catalogue. */
async function usedIn(state: string): Promise<readonly string[]> {
  const { headers } = await allRuns(state);
  return headers.filter(({ createdAt }) => createdAt === forgedAt).map(({ run }) => run);
}

/** Runs whose journals are not read. */
async function unreadIn(state: string): Promise<readonly string[]> {
  const { headers, ended } = await allRuns(state);
  return headers.filter((header) => ended.ended(header) !== undefined).map(({ run }) => run);
}

describe('while files are unchanged', () => {
  test('headers are not read, nor the journals of runs that ended and left nothing', async () => {
    const state = await catalogued();
    expect((await unreadIn(state)).toSorted()).toEqual(endedNames.toSorted());
    forge(state);
    expect((await usedIn(state)).toSorted()).toEqual(names.toSorted());
    const before = linesIn(state);
    await answers(state, true);
    expect(linesIn(state)).toEqual(before); // nothing else is known
  });

  test('the answers are those without it', async () => {
    const [known, read] = await bothAnswers(await catalogued());
    expect(known).toEqual(read);
    expect(read).toMatchObject({
      ledger: {
        placed: [{ run: 'r-lasting' }],
        unfinished: [{ run: 'r-doubt' }, { run: 'r-left' }],
      },
      doubts: [{ run: 'r-doubt' }],
    });
  });
});

describe('it is made', () => {
  test('two seconds after the last change, and not before', async () => {
    const state = mkdtempSync(join(root, 'new-'));
    await record(state, 'r-1', [finished]);
    await answers(state, true);
    expect(existsSync(cataloguePath(state)) ? linesIn(state) : []).toEqual([]);
    expect(await unreadIn(state)).toEqual([]);
    await setTimeout(2_100);
    await answers(state);
    expect(existsSync(cataloguePath(state))).toBe(false); // it may not write
    await answers(state, true);
    expect(storedIn(state).map(({ kind }) => kind)).toEqual(['ended 3']);
  });

  test('by all processes at once, and each line is whole', async () => {
    const state = folder();
    await Promise.all(Array.from({ length: 8 }, () => answers(state, true)));
    expect(storedIn(state)).not.toHaveLength(0);
    expect((await unreadIn(state)).toSorted()).toEqual(endedNames.toSorted());
  });

  test('again in blocks, without facts that do not count, when there are many', async () => {
    const state = await catalogued();
    const before = storedIn(state);
    await pack(state);
    expect(linesIn(state)).toHaveLength(2); // a block of each kind
    expect(storedIn(state)).toEqual(expect.arrayContaining([...before]));
    expect(storedIn(state)).toHaveLength(before.length);
    expect(catalogueOf(state).table('ended 3').size).toBe(endedNames.length);
    expect((await unreadIn(state)).toSorted()).toEqual(endedNames.toSorted());
    const [known, read] = await bothAnswers(state);
    expect(known).toEqual(read);
  });

  test('and a block with a fact that does not count any more is made again', async () => {
    const state = await catalogued();
    await pack(state);
    rmSync(runFolder(state, 'r-orders'), { recursive: true });
    rmSync(markPath(state, 'r-orders'));
    await pack(state);
    expect(storedIn(state).map(({ run }) => run)).not.toContain('r-orders');
    expect(await unreadIn(state)).toHaveLength(endedNames.length - 1);
  });
});

/** What may happen to the files of a run. */
const changes: Readonly<Record<string, (state: string, run: string) => Promise<void> | void>> = {
  'the run continued': async (state, run) => {
    const { journal } = await openRun(state, run, clock);
    for (const event of [{ kind: 'resumed' } as const, intent(run, '9', 'playbook'), stopped]) {
      await journal.append(event);
    }
    await journal.close();
  },
  'the run continues': async (state, run) => {
    const { journal } = await openRun(state, run, clock);
    await journal.append({ kind: 'resumed' });
    await journal.append(intent(run, '8', 'run'));
    await journal.close();
  },
  'an account was noted in its header': (state, run) =>
    noteAccounts(state, run, [{ ...account, keyFingerprint: 'new' }]),
  'a byte of its journal was changed, and the time set back': (state, run) => {
    const path = journalPath(state, run);
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace('"kind":"finished"', '"kind":"finishes"'),
    );
    utimesSync(path, 1, 1);
  },
  'its journal was written again with the same bytes': (state, run) => {
    const path = journalPath(state, run);
    writeFileSync(path, readFileSync(path));
  },
  'its journal was restored from an older backup': (state, run) => {
    const path = journalPath(state, run);
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, `${lines.slice(0, -2).join('\n')}\n`);
  },
  'its journal was replaced by one with another order': async (state, run) => {
    const other = mkdtempSync(join(root, 'other-'));
    await record(other, run, [intent(run, '7', 'playbook'), finished]);
    cpSync(journalPath(other, run), journalPath(state, run), { preserveTimestamps: true });
    cpSync(markPath(other, run), markPath(state, run), { preserveTimestamps: true });
  },
  'its folder was replaced by its copy': (state, run) => {
    const path = runFolder(state, run);
    cpSync(path, `${path}.copy`, { recursive: true, preserveTimestamps: true });
    rmSync(path, { recursive: true });
    renameSync(`${path}.copy`, path);
  },
  'its journal is a link': (state, run) => {
    const path = journalPath(state, run);
    renameSync(path, join(state, `${run}-elsewhere`));
    symlinkSync(join(state, `${run}-elsewhere`), path);
  },
  'its journal was removed': (state, run) => rmSync(journalPath(state, run)),
  'its header was removed': (state, run) => rmSync(headerPath(state, run)),
  'its mark was removed': (state, run) => rmSync(markPath(state, run)),
  'its folder was removed': (state, run) => rmSync(runFolder(state, run), { recursive: true }),
  'all of it was removed': (state, run) => {
    rmSync(runFolder(state, run), { recursive: true });
    rmSync(markPath(state, run));
  },
  'its mark is another': async (state, run) => {
    const mark = await readMark(state, run);
    if (mark) await putMark(state, mark, { ...mark, seq: mark.seq + 1, link: 'f'.repeat(16) });
  },
  'its header is damaged': (state, run) => appendFileSync(headerPath(state, run), 'x'),
  'its header is of another playbook': (state, run) => {
    const header = JSON.parse(readFileSync(headerPath(state, run), 'utf8'));
    writeFileSync(headerPath(state, run), headerText({ ...header, playbook: 'other' }));
  },
  'its header was changed without its seal': (state, run) => {
    const path = headerPath(state, run);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"program": "d"', '"program": "e"'));
  },
  'its folder has the name of another run': (state, run) => {
    renameSync(runFolder(state, run), runFolder(state, `${run}-2`));
    renameSync(markPath(state, run), markPath(state, `${run}-2`));
  },
  'another process added a run': (state, run) =>
    record(state, `${run}-new`, [intent(`${run}-new`, '6', 'playbook')]),
};

/** What may happen to the catalogue, beside being forged with its checksums. */
const damages: Readonly<Record<string, (state: string) => void>> = {
  'it is torn': (state) => truncateSync(cataloguePath(state), 700),
  'it is empty': (state) => writeFileSync(cataloguePath(state), ''),
  'it was removed': (state) => rmSync(cataloguePath(state)),
  'it is a folder': (state) => {
    rmSync(cataloguePath(state));
    mkdirSync(cataloguePath(state));
  },
  'it is a link': (state) => {
    renameSync(cataloguePath(state), join(state, 'elsewhere'));
    symlinkSync(join(state, 'elsewhere'), cataloguePath(state));
  },
  'it has no line feeds': (state) => writeFileSync(cataloguePath(state), linesIn(state).join('')),
  'every second line is missing': (state) =>
    store(
      state,
      storedIn(state).filter((_, at) => at % 2 === 0),
    ),
  'its lines are in another order, twice': (state) =>
    store(state, [...storedIn(state), ...storedIn(state).toReversed()]),
  'a byte of each line was changed': (state) => {
    const lines = linesIn(state).map((line) => line.replace(/"at":|"createdAt":1/, '$&1'));
    writeFileSync(cataloguePath(state), lines.map((line) => `${line}\n`).join(''));
  },
  'it has another version': (state) =>
    store(
      state,
      storedIn(state).map((fact) => ({ ...fact, kind: fact.kind.replace('1', '2') })),
    ),
  'its values have another shape': (state) =>
    store(
      state,
      storedIn(state).map((fact, at) => ({ ...fact, value: [1, null, { entries: [1] }][at % 3] })),
    ),
  'its lines have the runs of others': (state) => {
    const facts = storedIn(state);
    const runs = facts.map(({ run }) => run);
    store(
      state,
      facts.map((fact, at) => ({ ...fact, run: runs[(at + 2) % runs.length] ?? '' })),
    );
  },
  'a block has other runs than it begins with': (state) => {
    const path = cataloguePath(state);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('"r-orders"', '"r-nothing"'));
  },
  'a byte in the list of runs was changed': (state) => {
    const path = cataloguePath(state);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('"r-orders",', '"r-orders,'));
  },
  'it is of an earlier time': (state) => {
    const facts = storedIn(state);
    store(
      state,
      facts.map((fact) => ({ ...fact, files: fact.files.map((each) => each.with(4, 1)) })),
    );
  },
};

describe.each(['single lines', 'blocks'])(
  'with %s the answers are those without it when',
  (form) => {
    const made = async (): Promise<string> => {
      const state = await catalogued();
      if (form === 'blocks') await pack(state);
      return state;
    };

    test.each(Object.entries(changes))('%s', async (_name, change) => {
      const cases = [await made(), await made()];
      for (const [at, run] of (['r-orders', 'r-stopped'] as const).entries()) {
        const state = cases[at] ?? '';
        await change(state, run);
        const [known, read] = await bothAnswers(state);
        expect(known).toEqual(read);
      }
    });

    test.each(Object.entries(damages))('%s', async (_name, damage) => {
      const state = await made();
      damage(state);
      await answers(state, true); // it is mended, or left
      const [known, read] = await bothAnswers(state);
      expect(known).toEqual(read);
    });

    test('anything of this happened to any of the runs', async () => {
      const happening = fc.oneof(
        fc.tuple(fc.constantFrom(...Object.keys(changes)), fc.constantFrom(...names)),
        fc.tuple(fc.constantFrom(...Object.keys(damages)), fc.constant(undefined)),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(happening, { minLength: 1, maxLength: 4 }), async (drawn) => {
          const state = await made();
          for (const [what, run] of drawn) {
            // A change may need what an earlier one removed or damaged.
            const work = async () =>
              run === undefined ? damages[what]?.(state) : changes[what]?.(state, run);
            await work().catch(() => undefined);
            await answers(state, true);
          }
          const [known, read] = await bothAnswers(state);
          expect(known).toEqual(read);
        }),
        { numRuns: 40, endOnFailure: true },
      );
    });
  },
);

test('a run that is resumed reads what began after it, and is read in full', async () => {
  const state = await catalogued();
  const entries = await readRun(state, 'r-left');
  const known = { run: 'r-left', entries };
  const runs = await allRuns(state);
  const scope = { playbook, isWide: false };
  const records = recordsIn(await readForLedger(state, scope, { runs, keeps: false, known }));
  expect(records.find(({ run }) => run === 'r-left')).toBe(known);
  expect(records.find(({ run }) => run === 'r-orders')?.createdOn).toHaveLength(1);
});

test('a run that is resumed reads an older run only if that signed something since, as it may have been resumed', async () => {
  const state = await catalogued(); // all signed at 10
  const runs = await allRuns(state);
  const scope = { playbook, isWide: false };
  const readBeside = async (time: number): Promise<readonly string[]> => {
    const began = { ...started('r-own', account), time, seq: 1, at: clock.now() + 1 } as Entry;
    const known = { run: 'r-own', entries: [began] };
    const past = await readForLedger(state, scope, { runs, keeps: false, known });
    return recordsIn(past).flatMap(({ run, createdOn = [] }) =>
      createdOn.length > 0 ? [run] : [],
    );
  };
  expect(await readBeside(9)).toContain('r-orders');
  expect(await readBeside(10)).not.toContain('r-orders');
});

test('a run that was set aside is outdone by a later run of its playbook that wrote, read or catalogued', async () => {
  const state = await catalogued();
  const runs = await allRuns(state); // all began at 1
  const isOutdone = (startedAt: number, name = playbook, profile = 'main'): boolean =>
    hasWrittenSince({ startedAt }, name, (then) => then.profile === profile, runs);
  expect([isOutdone(0), isOutdone(1), isOutdone(0, 'none'), isOutdone(0, playbook, 'b')]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  const aside = { run: 'r-left', entries: asideEntries('r-left') };
  expect(asideAmong([aside], () => true)).toMatchObject({
    run: 'r-left',
    writes: [{ address: 'ladder[3]' }],
    word: { who: 'ana', reason: 'cancelled' },
  });
  const entries = entriesOf(started('r-later', account));
  const later = { run: 'r-later', entries, createdOn: [{ account, signedAt: 5, at: 5 }] };
  expect(asideAmong([aside, later], () => true)).toBeUndefined();
  expect(asideAmong([aside, { ...later, createdOn: [] }], () => true)?.run).toBe('r-left');
});

function entriesOf(...events: readonly Event[]): Entry[] {
  return events.map((event, seq) => ({ ...event, seq, at: 5 }));
}

/** The journal of a run that placed one order, stopped, and was set aside. */
function asideEntries(run: string): Entry[] {
  const word = setAsideEvent({ who: 'ana', reason: 'cancelled' });
  return entriesOf(started(run, account), ...kinds['r-left'](run), word);
}

/** Whether a run has left nothing, as a command sees it that listed all runs a moment ago. */
async function hasEndedStill(state: string, run: string, before: AllRuns): Promise<boolean> {
  const { headers, ended } = await allRuns(state, before);
  const header = headers.find((each) => each.run === run);
  return header !== undefined && ended.ended(header) !== undefined;
}

async function readAll(state: string): Promise<AllRuns> {
  const runs = await allRuns(state);
  await readForLedger(state, { playbook, isWide: true }, { runs, keeps: false });
  return runs;
}

describe('a command that has just listed all runs', () => {
  test('looks again at none that ended', async () => {
    const state = await catalogued();
    const before = await readAll(state);
    utimesSync(journalPath(state, 'r-orders'), 1, 1); // by another program
    expect(await hasEndedStill(state, 'r-orders', before)).toBe(true);
    expect(await hasEndedStill(state, 'r-left', before)).toBe(false);
  });

  test.each(['the run continued', 'the run continues', 'an account was noted in its header'])(
    'sees that %s, whatever the times of its files',
    async (what) => {
      for (const run of ['r-orders', 'r-stopped']) {
        const state = await catalogued();
        const before = await readAll(state);
        await changes[what]?.(state, run);
        expect(await hasEndedStill(state, run, before)).toBe(false);
      }
    },
  );

  test('sees that a store replaced a run, and that another run has its name', async () => {
    const state = await catalogued();
    const before = await readAll(state);
    const files = await runHere(state, 'r-orders');
    if (files) await putRun(state, 'r-orders', files);
    expect(await hasEndedStill(state, 'r-orders', before)).toBe(false);
    expect(await removeRun(state, 'r-nothing')).toBe(undefined);
    await record(state, 'r-nothing', [intent('r-nothing', '5', 'playbook')]);
    expect(await hasEndedStill(state, 'r-nothing', before)).toBe(false);
  });

  test('sees runs that are new, and those that are gone', async () => {
    const state = await catalogued();
    const before = await readAll(state);
    await record(state, 'r-new', [intent('r-new', '6', 'playbook')]);
    rmSync(runFolder(state, 'r-orders'), { recursive: true });
    rmSync(markPath(state, 'r-orders'));
    const { headers } = await allRuns(state, before);
    const found = headers.map(({ run }) => run).toSorted();
    expect(found).toEqual([...names, 'r-new'].filter((run) => run !== 'r-orders').toSorted());
    rmSync(runFolder(state, 'r-nothing'), { recursive: true });
    await expect(allRuns(state, before)).rejects.toThrow('the folder of run r-nothing is missing');
  });

  test('looks at all again when the names of continued runs cannot be read', async () => {
    const state = await catalogued();
    const before = await readAll(state);
    mkdirSync(join(state, 'continued'));
    utimesSync(journalPath(state, 'r-orders'), 1, 1);
    expect(await hasEndedStill(state, 'r-orders', before)).toBe(false);
  });
});
