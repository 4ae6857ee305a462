/** What every implementation of SharedRuns must do, with two machines over one database. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hour, minute, second, type Millis } from '../../../src/base/clock.ts';
import type {
  Batch,
  Blocked,
  Holder,
  LineRow,
  SharedRuns,
  SummaryOfRun,
  Taken,
  TakeRequest,
} from '../../../src/stores/shared/shared-runs.ts';

export interface SharedWorld {
  /** One machine. */
  connect(): SharedRuns;
  /** Moves the clock of the database. */
  advance(ms: Millis): Promise<void>;
  close(): Promise<void>;
}

export const lease = 20 * second;
const start = Date.UTC(2026, 0, 5);

/** A request of one run for one account, each by the run's name. */
export function requestOf(run: string, more: Partial<TakeRequest> = {}): TakeRequest {
  return {
    run,
    playbook: 'ladder',
    accounts: [{ id: `account of ${run}`, alias: `key of ${run}`, profile: 'live' }],
    host: 'desk-1',
    owner: { machine: 'm1', host: 'desk-1', boot: 'b', namespace: 'n', pid: 7, born: '1' },
    nonce: `nonce of ${run}`,
    lease,
    isResumed: false,
    now: start,
    ...more,
  };
}

export const resumeOf = (run: string, more: Partial<TakeRequest> = {}): TakeRequest =>
  requestOf(run, { isResumed: true, host: 'desk-2', nonce: `second nonce of ${run}`, ...more });

/** One row for each text, after so many lines. */
export function batchOf(after: number, ...texts: readonly string[]): Batch {
  const rows: LineRow[] = [];
  let last = after;
  for (const text of texts) {
    const first = last + 1;
    last += text.split('\n').length - 1;
    rows.push({ first, last, text });
  }
  return { header: '{"run":"é"}', after, rows, link: `link ${last} ${texts.join('').length}` };
}

/** @throws when it was not taken */
export async function taken(runs: SharedRuns, request: TakeRequest): Promise<Taken> {
  const answer = await runs.take(request);
  if (answer.kind !== 'taken') throw new Error(`${request.run} was not taken: ${answer.kind}`);
  return answer;
}

/** @param isByAccount whether the database finds the runs on an account; default: yes */
export function sharedRunsContract(
  name: string,
  open: () => Promise<SharedWorld>,
  isByAccount = true,
): void {
  describe(`shared runs: ${name}`, () => {
    let world: SharedWorld;
    let one: SharedRuns;
    let two: SharedRuns;
    let named = 0;
    /** Another name for each test: they share a database. */
    const nextRun = (): string => `run-${++named}`;

    beforeAll(async () => {
      world = await open();
      [one, two] = [world.connect(), world.connect()];
    });
    afterAll(async () => {
      await Promise.all([one.close(), two.close()]);
      await world.close();
    });

    /** A run with one line, whose process does nothing any more. */
    const unfinished = async (run: string, more: Partial<TakeRequest> = {}): Promise<Holder> => {
      const { holder } = await taken(one, requestOf(run, more));
      expect(await one.keep(holder, batchOf(0, 'a\n'))).toBe(true);
      await world.advance(lease + second);
      return holder;
    };

    /** Everything a holder may do is refused, and nothing is stored. */
    const expectFenced = async (holder: Holder, runs = one): Promise<void> => {
      const before = await two.lines(holder.run, 0);
      const count = before?.count ?? 0;
      expect(await runs.keep(holder, batchOf(count, 'late\n'))).toBe(false);
      expect(await runs.renew(holder)).toBe(false);
      expect(await runs.release(holder)).toBe(false);
      expect(await two.lines(holder.run, 0)).toEqual(before);
    };

    describe('taking', () => {
      test('a run takes its accounts, which every machine sees with the rest of its lease', async () => {
        const run = nextRun();
        const request = requestOf(run, { plan: `p-${run}` });
        const { holder, before, forgot } = await taken(one, request);
        expect({ before, forgot }).toEqual({ before: undefined, forgot: undefined });
        expect(holder).toMatchObject({ run, lease });
        const claim = (await two.claims()).find((each) => each.run === run);
        const { playbook, plan, accounts, host, owner, nonce, now: since } = request;
        expect(claim).toEqual({
          run,
          playbook,
          plan,
          accounts,
          host,
          owner,
          nonce,
          since,
          left: claim?.left,
        });
        expect(claim?.left).toBeGreaterThan(0);
        expect(claim?.left).toBeLessThanOrEqual(lease);
      });

      test('a run is not taken again while its lease lasts, also when it is resumed', async () => {
        const run = nextRun();
        await taken(one, requestOf(run));
        expect(await two.take(resumeOf(run))).toMatchObject({ kind: 'running', claim: { run } });
        expect((await two.take(requestOf(run))).kind).not.toBe('taken');
      });

      test('a run is taken again after its lease, with the last holder and a higher epoch', async () => {
        const run = nextRun();
        const holder = await unfinished(run);
        const again = await taken(two, resumeOf(run, { now: start + hour }));
        expect(again.before).toEqual({ host: 'desk-1', since: start });
        expect(again.holder.epoch).toBeGreaterThan(holder.epoch);
        expect(again.forgot).toBeUndefined();
      });

      test('a run without lines is taken again without a last holder: nothing was sent', async () => {
        const run = nextRun();
        await taken(one, requestOf(run));
        await world.advance(lease + 1);
        expect((await taken(two, requestOf(run))).before).toBeUndefined();
      });

      test('a released run is resumed without a last holder', async () => {
        const run = nextRun();
        const holder = await unfinished(run);
        expect(await one.release(holder)).toBe(true);
        expect((await taken(two, resumeOf(run))).before).toBeUndefined();
      });

      test('a started run is only resumed, and its plan starts no other run', async () => {
        const run = nextRun();
        const plan = `p-${run}`;
        const holder = await unfinished(run, { plan });
        const used = { kind: 'used', run, claim: { run, host: 'desk-1' } };
        expect(await two.take(requestOf(run, { plan }))).toMatchObject(used);
        expect(await two.take(requestOf(nextRun(), { plan }))).toMatchObject(used);
        await one.release(holder);
        expect(await two.take(requestOf(run, { plan }))).toEqual({ kind: 'used', run });
        expect(await two.take(requestOf(nextRun(), { plan }))).toEqual({ kind: 'used', run });
        expect((await taken(two, resumeOf(run, { plan }))).kind).toBe('taken');
      });

      test('a plan is not started twice before its first line', async () => {
        const [first, second] = [nextRun(), nextRun()];
        const plan = `p-${first}`;
        const { holder } = await taken(one, requestOf(first, { plan }));
        expect((await two.take(requestOf(second, { plan }))).kind).toBe('running');
        await world.advance(lease + 1);
        await taken(two, requestOf(second, { plan }));
        await expectFenced(holder);
      });
    });

    describe('accounts', () => {
      const account = (id: string, alias?: string): Partial<TakeRequest> => ({
        accounts: [{ id, ...(alias !== undefined && { alias }), profile: 'live' }],
      });

      test('two runs never have the same account, by any of its names', async () => {
        for (const [mine, other] of [
          [account('a1'), account('a1')],
          [account('a2', 'k2'), account('a2')],
          [account('a3', 'k3'), account('k3')],
          [account('k4'), account('a4', 'k4')],
        ]) {
          const run = nextRun();
          const { holder } = await taken(one, requestOf(run, mine));
          const blocked = await two.take(requestOf(nextRun(), other));
          expect(blocked).toMatchObject({ kind: 'running', claim: { run } });
          expect(await one.release(holder)).toBe(true);
          await taken(two, requestOf(nextRun(), other));
        }
      });

      test('several accounts are taken together or not at all', async () => {
        const run = nextRun();
        await taken(one, requestOf(run, account('b2')));
        const both = ['b1', 'b2'].map((id) => ({ id, profile: id }));
        const blocked = await two.take(requestOf(nextRun(), { accounts: both }));
        expect(blocked).toMatchObject({ kind: 'running', claim: { run } });
        await taken(two, requestOf(nextRun(), account('b1')));
      });

      test('an unfinished run keeps its account after its lease', async () => {
        const run = nextRun();
        await unfinished(run, account('c'));
        const blocked = await two.take(requestOf(nextRun(), account('c')));
        expect(blocked).toMatchObject({ kind: 'unfinished', claim: { run } });
        expect(blocked.kind === 'unfinished' && blocked.claim.left).toBeLessThanOrEqual(0);
      });

      test('a run without lines has no account after its lease, and can store none', async () => {
        const { holder } = await taken(one, requestOf(nextRun(), account('d')));
        await world.advance(lease + 1);
        const other = nextRun();
        await taken(two, requestOf(other, account('d')));
        await expectFenced(holder);
        const claims = (await one.claims()).map(({ run }) => run);
        expect(claims).toContain(other);
        expect(claims).not.toContain(holder.run);
      });
    });

    describe('storing', () => {
      test('only the last holder stores lines, renews and releases', async () => {
        const run = nextRun();
        const first = await unfinished(run);
        const { holder: second } = await taken(two, resumeOf(run));
        await expectFenced(first);
        expect(await two.keep(second, batchOf(1, 'b\n'))).toBe(true);
        await expectFenced(first);
        expect(await two.renew(second)).toBe(true);
        expect(await two.release(second)).toBe(true);
        await expectFenced(first);
      });

      test('a holder stores lines after its lease, until another takes the run', async () => {
        const run = nextRun();
        const holder = await unfinished(run);
        expect(await one.keep(holder, batchOf(1, 'b\n'))).toBe(true);
        expect((await two.take(resumeOf(run))).kind).toBe('running');
      });

      test('renewing prolongs the lease', async () => {
        const run = nextRun();
        const holder = await unfinished(run);
        expect(await one.renew(holder)).toBe(true);
        expect((await two.take(resumeOf(run))).kind).toBe('running');
      });

      test('a batch that is stored again is there once', async () => {
        const run = nextRun();
        const { holder } = await taken(one, requestOf(run));
        const batch = batchOf(0, 'a\nb\n', 'c\n');
        for (const runs of [one, one, two]) expect(await runs.keep(holder, batch)).toBe(true);
        expect(await two.lines(run, 0)).toMatchObject({ count: 3, text: 'a\nb\nc\n' });
        expect(await one.keep(holder, batchOf(3, 'd\n'))).toBe(true);
        await one.keep(holder, batch);
        expect(await two.lines(run, 0)).toMatchObject({ count: 4, text: 'a\nb\nc\nd\n' });
      });

      test('a batch that is stored twice at the same time is there once', async () => {
        const run = nextRun();
        const { holder } = await taken(one, requestOf(run));
        for (let after = 0; after < 40; after += 2) {
          const batch = batchOf(after, `${after}\n`, 'x\n');
          const both = await Promise.all([one.keep(holder, batch), two.keep(holder, batch)]);
          expect(both).toEqual([true, true]);
        }
        expect(await two.lines(run, 0)).toMatchObject({ count: 40 });
      });

      test('other lines in the same place are refused, and lines after a gap', async () => {
        const run = nextRun();
        const { holder } = await taken(one, requestOf(run));
        const batch = batchOf(0, 'a\n', 'b\n');
        await one.keep(holder, batch);
        const { header, rows } = batchOf(0, 'a\n', 'X\n');
        expect(await one.keep(holder, { ...batch, rows })).toBe(false);
        expect(await one.keep(holder, { header, after: 0, rows, link: 'other' })).toBe(false);
        expect(await one.keep(holder, batchOf(0, 'a\n', 'b\n', 'c\n'))).toBe(false);
        expect(await one.keep(holder, batchOf(1, 'X\n', 'c\n'))).toBe(false);
        expect(await one.keep(holder, batchOf(3, 'd\n'))).toBe(false);
        expect(await two.lines(run, 0)).toMatchObject({ text: 'a\nb\n', link: batch.link });
      });

      test('a released run has no holder; its release may be repeated', async () => {
        const { holder } = await taken(one, requestOf(nextRun()));
        await one.keep(holder, batchOf(0, 'a\n'));
        for (const runs of [one, two]) expect(await runs.release(holder)).toBe(true);
        expect(await one.keep(holder, batchOf(1, 'b\n'))).toBe(false);
        expect(await one.renew(holder)).toBe(false);
        expect((await two.claims()).map(({ run }) => run)).not.toContain(holder.run);
      });
    });

    describe('summaries', () => {
      const summaryOf = (lines: number, link: string, version = 2) => {
        return { version, lines, link, text: `text ${version} of ${lines}` };
      };

      test('a summary that is stored with the end of a run is read until the run has other lines', async () => {
        const run = nextRun();
        const { holder } = await taken(one, requestOf(run));
        const batch = batchOf(0, 'a\nb\n');
        await one.keep(holder, batch);
        expect(await one.release(holder, summaryOf(2, batch.link))).toBe(true);
        expect(await two.summaries([run, 'none'], 2)).toEqual([{ run, text: 'text 2 of 2' }]);
        expect(await two.summaries([run], 1)).toEqual([]);
        const again = await taken(two, resumeOf(run));
        expect(await one.summaries([run], 2)).toHaveLength(1);
        await two.keep(again.holder, batchOf(2, 'c\n'));
        expect(found(await one.summaries([run], 2), 3)).toEqual([]);
        await two.release(again.holder); // of a version that knows no summaries
        expect(found(await one.summaries([run], 2), 3)).toEqual([]);
      });

      test('the summary of a run without one is stored later, and one of a newer version stays', async () => {
        const run = nextRun();
        const { holder } = await taken(one, requestOf(run));
        const batch = batchOf(0, 'a\n');
        await one.keep(holder, batch);
        await one.release(holder);
        expect(await two.summaries([run], 2)).toEqual([]);
        await two.summarize(run, summaryOf(1, batch.link, 2));
        expect(await one.summaries([run], 2)).toEqual([{ run, text: 'text 2 of 1' }]);
        await one.summarize(run, summaryOf(1, batch.link, 3));
        await two.summarize(run, summaryOf(1, batch.link, 2));
        expect(await one.summaries([run], 3)).toEqual([{ run, text: 'text 3 of 1' }]);
        expect(await one.summaries([run], 2)).toEqual([]);
      });

      test('a process that lost its run ends nothing with a summary', async () => {
        const run = nextRun();
        const holder = await unfinished(run);
        const later = await taken(two, resumeOf(run));
        expect(await one.release(holder, summaryOf(1, batchOf(0, 'a\n').link))).toBe(false);
        expect(await two.renew(later.holder)).toBe(true);
      });

      /** Those that a reader would use: it compares the record that a summary was made from. */
      const found = (summaries: readonly SummaryOfRun[], lines: number): readonly unknown[] =>
        summaries.filter(({ text }) => text.endsWith(` of ${lines}`));
    });

    describe('reading', () => {
      test('lines are those after a number, also from the middle of a row', async () => {
        const run = nextRun();
        const { holder } = await taken(one, requestOf(run));
        const texts = ['1\n', '2\n3\n4\n', '5\n', '6\n7\n'];
        const batch = batchOf(0, ...texts);
        await one.keep(holder, batch);
        const all = texts.join('').split(/(?<=\n)/);
        for (let after = 0; after <= 7; after++) {
          expect(await two.lines(run, after)).toEqual({
            header: batch.header,
            count: 7,
            link: batch.link,
            text: all.slice(after).join(''),
          });
        }
      });

      test('a run without lines has none', async () => {
        const run = nextRun();
        expect(await two.lines(run, 0)).toBeUndefined();
        await taken(one, requestOf(run));
        expect(await two.lines(run, 0)).toBeUndefined();
      });

      test('the header is the last one', async () => {
        const { holder } = await taken(one, requestOf(nextRun()));
        await one.keep(holder, batchOf(0, 'a\n'));
        await one.keep(holder, { ...batchOf(1, 'b\n'), header: '{"other":1}' });
        expect(await two.lines(holder.run, 0)).toMatchObject({ header: '{"other":1}' });
      });

      test('every text is read as it was stored', async () => {
        const { holder } = await taken(one, requestOf(nextRun()));
        const texts = ['', 'NULL', '{"a":"\\u0000\\n"}', `'"\\ {,}`, '\t\r', 'é√🦀\u2028', '$1'];
        const lines = texts.map((text) => `${text}\n`);
        expect(await one.keep(holder, batchOf(0, ...lines))).toBe(true);
        expect((await two.lines(holder.run, 0))?.text).toBe(lines.join(''));
      });

      test('rows of 1 MiB, and a batch of many rows, keep their order', async () => {
        const { holder } = await taken(one, requestOf(nextRun()));
        const large = Array.from({ length: 3 }, (_none, at) => `${at}${'€'.repeat(2 ** 20 - 2)}\n`);
        const small = Array.from({ length: 1_000 }, (_none, at) => `${at}\n`);
        expect(await one.keep(holder, batchOf(0, ...large))).toBe(true);
        expect(await one.keep(holder, batchOf(3, ...small))).toBe(true);
        const read = await two.lines(holder.run, 0);
        expect(read?.count).toBe(1_003);
        expect(read?.text === [...large, ...small].join('')).toBe(true);
        expect((await two.lines(holder.run, 1_002))?.text).toBe('999\n');
      });

      test('changes are runs with lines that are in progress, or ended since the cursor', async () => {
        const [empty, open, ended] = [nextRun(), nextRun(), nextRun()];
        await taken(one, requestOf(empty));
        const batch = batchOf(0, 'a\nb\n');
        for (const run of [open, ended]) {
          const { holder } = await taken(one, requestOf(run));
          await one.keep(holder, batch);
        }
        await world.advance(hour);
        const { cursor, runs } = await two.changed();
        const changes = [open, ended].map((run) => ({ run, lines: 2, link: batch.link }));
        expect(runs).toEqual(expect.arrayContaining(changes));
        expect(runs.map(({ run }) => run)).not.toContain(empty);
        const { holder } = await taken(one, resumeOf(ended));
        await one.release(holder);
        const later = await two.changed(cursor);
        expect(later.runs).toEqual(expect.arrayContaining(changes));
      });
    });

    describe('the runs on an account', () => {
      test('are those with one of its names, as the first or another account', async () => {
        const [own, key, second, other] = [nextRun(), nextRun(), nextRun(), nextRun()];
        const { accounts } = requestOf(own);
        const [account] = accounts;
        const others = requestOf(other).accounts;
        const kept = async (run: string, of: TakeRequest['accounts']): Promise<void> => {
          const { holder } = await taken(one, requestOf(run, { accounts: of }));
          await one.keep(holder, batchOf(0, 'a\n'));
          await one.release(holder);
        };
        await kept(own, accounts);
        await kept(key, [{ ...account, id: `other id of ${own}`, profile: 'live' }]);
        await kept(second, [...requestOf(second).accounts, ...accounts]);
        await kept(other, others);
        const beside = { playbook: 'ladder', accounts: [account?.id ?? '', account?.alias ?? ''] };
        const all = await two.changed();
        const namesSince = async (cursor?: string): Promise<readonly string[]> => {
          const { runs } = await two.changed(cursor, beside);
          return runs.map(({ run }) => run);
        };
        expect(await namesSince()).toEqual(expect.arrayContaining([own, key, second]));
        const { holder } = await taken(one, requestOf(nextRun(), { accounts }));
        await one.keep(holder, batchOf(0, 'a\n'));
        for (const cursor of [undefined, all.cursor]) {
          expect(await namesSince(cursor)).toContain(holder.run);
          if (isByAccount) expect(await namesSince(cursor)).not.toContain(other);
        }
        await one.release(holder);
      });

      test('tell a playbook whose accounts all have ids', async () => {
        const [named, unnamed] = [nextRun(), nextRun()];
        const keep = async (run: string, accounts: TakeRequest['accounts']): Promise<void> => {
          const { holder } = await taken(one, requestOf(run, { playbook: 'named', accounts }));
          await one.keep(holder, batchOf(0, 'a\n'));
        };
        await keep(named, requestOf(named).accounts);
        expect(await two.isIdentified('named')).toBe(isByAccount);
        expect(await two.isIdentified('never run')).toBe(isByAccount);
        await keep(unnamed, [
          ...requestOf(unnamed).accounts,
          { id: `only a key of ${unnamed}`, profile: 'live' },
        ]);
        expect(await two.isIdentified('named')).toBe(false);
      });

      test('a claim is found by its run', async () => {
        const [own, other] = [nextRun(), nextRun()];
        for (const run of [own, other]) await taken(one, requestOf(run));
        expect((await two.claims(own)).map(({ run }) => run)).toEqual([own]);
        expect(await two.claims('unknown')).toEqual([]);
      });
    });

    describe('unlocking', () => {
      test('ends the current claim only, whose process can store nothing any more', async () => {
        const run = nextRun();
        const { holder } = await taken(one, requestOf(run));
        await one.keep(holder, batchOf(0, 'a\n'));
        expect(await two.unlock(run, 'another nonce', false)).toBe(false);
        expect(await two.unlock('unknown', `nonce of ${run}`, true)).toBe(false);
        expect(await one.renew(holder)).toBe(true);
        expect(await two.unlock(run, `nonce of ${run}`, false)).toBe(true);
        await expectFenced(holder);
        const { accounts } = requestOf(run);
        const other = await two.take(requestOf(nextRun(), { accounts }));
        expect(other).toMatchObject({ kind: 'unfinished', claim: { run } });
        expect((await taken(two, resumeOf(run))).before).toMatchObject({ host: 'desk-1' });
      });

      test('giving up releases the accounts, and a later resume gets the last holder', async () => {
        const run = nextRun();
        const { holder } = await taken(one, requestOf(run));
        await one.keep(holder, batchOf(0, 'a\n'));
        expect(await two.unlock(run, `nonce of ${run}`, true)).toBe(true);
        await expectFenced(holder);
        expect((await two.claims()).map((claim) => claim.run)).not.toContain(run);
        const { accounts } = requestOf(run);
        const { holder: other } = await taken(two, requestOf(nextRun(), { accounts }));
        await two.release(other);
        expect((await taken(two, resumeOf(run))).before).toMatchObject({ host: 'desk-1' });
        expect(await two.unlock(run, `nonce of ${run}`, true)).toBe(false);
      });
    });

    describe('at the same time', () => {
      test('of several takes of a run exactly one succeeds', async () => {
        for (let round = 0; round < 10; round++) {
          const run = nextRun();
          const answers = await Promise.all(
            Array.from({ length: 8 }, (_none, at) =>
              (at % 2 ? one : two).take(requestOf(run, { nonce: `${at}` })),
            ),
          );
          expect(answers.filter(({ kind }) => kind === 'taken')).toHaveLength(1);
        }
      });

      test('of several runs with one account exactly one is taken', async () => {
        const ids = ['s1', 's2', 's3'];
        for (let round = 0; round < 10; round++) {
          // Each has one of three accounts, in other orders, and the one that they share.
          const answers: readonly (Taken | Blocked)[] = await Promise.all(
            Array.from({ length: 6 }, (_none, at) => {
              const own = ids.slice(at % 3).concat(at % 2 ? ['shared'] : []);
              const accounts = [...(at % 2 ? own : ['shared', ...own.toReversed()])];
              const named = accounts.map((id) => ({ id, profile: 'live' }));
              return (at % 2 ? one : two).take(requestOf(nextRun(), { accounts: named }));
            }),
          );
          const holders = answers.flatMap((answer) =>
            answer.kind === 'taken' ? [answer.holder] : [],
          );
          expect(holders).toHaveLength(1);
          for (const holder of holders) expect(await one.release(holder)).toBe(true);
        }
      });

      test('a run stores its first line, or another one gets its account: never both', async () => {
        const seen = new Set<string>();
        for (let round = 0; round < 60 || seen.size < 2; round++) {
          const wider = 8 * Math.floor(round / 60); // on a busy machine one may always be first
          const run = nextRun();
          const { accounts } = requestOf(run);
          const { holder } = await taken(one, requestOf(run, { lease: 0 }));
          const taking = (async () => {
            for (let turn = 0; turn < round % (3 + wider); turn++) await two.lines('none', 0);
            return two.take(requestOf(nextRun(), { accounts }));
          })();
          const keeping = (async () => {
            for (let turn = 0; turn < round % (20 + wider); turn++) await one.lines('none', 0);
            return one.keep({ ...holder, lease: 0 }, batchOf(0, 'a\n'));
          })();
          const [{ kind }, isStored] = await Promise.all([taking, keeping]);
          expect(kind).toBe(isStored ? 'unfinished' : 'taken');
          seen.add(kind);
        }
      });

      test('nothing is stored by the former holder once another has taken the run', async () => {
        for (let round = 0; round < 30; round++) {
          const run = nextRun();
          // Without a lease anybody may take the run: the epoch alone must refuse the former holder.
          const former = { ...(await unfinished(run)), lease: 0 };
          const storing = (async () => {
            let count = 1;
            while (await one.keep(former, batchOf(count, `${count}\n`))) count += 1;
            return count;
          })();
          for (let turn = 0; turn < round % 4; turn++) await two.lines('none', 0);
          const { holder } = await taken(two, resumeOf(run));
          const there = await two.lines(run, 0);
          const confirmed = await storing;
          expect(there?.count).toBe(confirmed);
          expect(await two.lines(run, 0)).toEqual(there);
          expect(await two.release(holder)).toBe(true);
        }
      });
    });

    describe('a database that has lost lines', () => {
      test('is another one: holders end, and every take reports it until the run has lines', async () => {
        const [continued, empty, fresh] = [nextRun(), nextRun(), nextRun()];
        const holder = await unfinished(continued, { now: start + hour });
        const lost = await taken(one, requestOf(empty));
        expect(lost.forgot).toBeUndefined();

        const noticed = start + 5 * hour;
        await two.restored(noticed);
        await expectFenced(holder);
        await expectFenced(lost.holder);
        await world.advance(lease + 1);

        const now = noticed + minute;
        const again = await taken(two, resumeOf(continued, { now }));
        expect(again.holder.incarnation).not.toBe(holder.incarnation);
        expect(again.forgot?.isContinued).toBe(false);
        expect(again.forgot?.since).toBeLessThanOrEqual(start + hour);
        expect(again.forgot?.until).toBeGreaterThanOrEqual(noticed);
        expect(again.forgot?.until).toBeLessThanOrEqual(now);
        const other = await taken(two, requestOf(fresh, { now }));
        expect(other.forgot).toMatchObject({ isContinued: false });

        // It may have had lines.
        const { accounts } = requestOf(empty);
        const blocked = await two.take(requestOf(nextRun(), { accounts, now }));
        expect(blocked).toMatchObject({ kind: 'unfinished', claim: { run: empty } });

        expect(await two.keep(again.holder, batchOf(1, 'b\n'))).toBe(true);
        await world.advance(lease + 1);
        const third = await taken(one, resumeOf(continued, { now }));
        expect(third.forgot).toMatchObject({ isContinued: true });
        const still = await taken(one, requestOf(fresh, { now, nonce: 'next' }));
        expect(still.forgot).toMatchObject({ isContinued: false });
      });

      test('twice: a run looks back to the first loss after its last line', async () => {
        const run = nextRun();
        const began = start + 10 * hour;
        await unfinished(run, { now: began });
        await two.restored(began + hour);
        await taken(two, requestOf(nextRun(), { now: began + 2 * hour }));
        await two.restored(began + 3 * hour);
        const now = began + 4 * hour;
        const { forgot } = await taken(two, resumeOf(run, { now }));
        expect(forgot?.isContinued).toBe(false);
        expect(forgot?.since).toBeLessThanOrEqual(began);
        expect(forgot?.until).toBeGreaterThanOrEqual(began + 3 * hour);
      });
    });
  });
}
