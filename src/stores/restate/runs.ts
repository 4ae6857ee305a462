/** Runs that machines share through Restate. */
import { second, type Clock, type Millis } from '../../base/clock.ts';
import type {
  Blocked,
  Changes,
  Holder,
  RunLines,
  SharedRuns,
  Summary,
  SummaryOfRun,
  Taken,
} from '../shared/shared-runs.ts';
import { afterLines } from '../shared/lines.ts';
import { UnreachableError, type StoreError } from '../store.ts';
import { claimsOf } from './claims.ts';
import { openDesk, required, type Desk, type RestateOptions } from './desk.ts';
import type { CallOptions } from './ingress.ts';
import { linesObject, registryObject, runObject, summaryObject } from './objects/names.ts';
import type { Kept } from './objects/keep.ts';
import type { PageRead } from './objects/lines.ts';
import type { Listed } from './objects/registry.ts';
import type { RunEnded, TailRead } from './objects/run-object.ts';
import type { Looked } from './objects/run-state.ts';
import { keeperOver } from './stream/keeper.ts';

/** Opens the runs of a desk; it connects at the first call. @throws ConfigError for a bad address */
export function openRestate(options: RestateOptions): SharedRuns {
  const opened = openDesk(options);
  const { timeoutMs, clock } = opened;
  const desk = objectsOf(opened);
  const renewal = renewals(clock);
  const asked: ExclusiveCall = (run, handler, input, call) =>
    makingWay(desk, run, desk.run(run, handler, input, call), clock);
  const keeper = keeperOver({
    // Only an invocation that was given up here may be in the way: the call itself may open the next.
    call: async (run, input, call) => {
      const answer = desk.run<Kept>(run, 'keep', input, call);
      return required(makingWay(desk, run, answer, clock, { after: 200, isBrief: true }));
    },
    clock,
    timeoutMs,
    isPlain: opened.isPlain,
  });
  // A take is several calls inside of the server; what it found is recorded, whenever it ends.
  const patient = { timeoutMs: Math.max(options.lease, timeoutMs, 5 * second) };
  return {
    take: async (request) => {
      const answer = desk.registry<Taken | Blocked>('take', request, patient);
      return required(makingWay(desk, request.run, answer, clock, { after: 200, isBrief: true }));
    },
    keep: async (holder, batch) => {
      const isRenewal = renewal.isDue(holder);
      const isKept = await keeper.keep(holder, isRenewal, batch);
      if (isRenewal && isKept) renewal.done(holder);
      return isKept;
    },
    renew: async (holder) => {
      const isRenewed = await keeper.keep(holder, true);
      if (isRenewed) renewal.done(holder);
      return isRenewed;
    },
    release: async (holder, summary) => {
      keeper.end(holder.run);
      // The summary counts only for the record that it was made from, so it may be there before the end is.
      if (summary !== undefined) await desk.summary(holder.run, 'put', summary, repeatable);
      return (await asked<boolean>(holder.run, 'release', { holder }, repeatable)) === true;
    },
    claims: async (run) => {
      const open = run === undefined ? await openRuns(desk) : [run];
      return claimsOf(open, (id) => desk.run(id, 'look', {}, repeatable));
    },
    changed: (cursor) => changed(desk, cursor),
    // Restate does not list runs by account: all of them are fetched.
    isIdentified: async () => false,
    ...summariesOver(desk),
    lines: (run, after) => lines(desk, run, after, { clock, timeoutMs, asked }),
    unlock: async (run, nonce, givesUp) =>
      (await asked<boolean>(run, 'unlock', { nonce, givesUp }, {})) === true,
    restored: async (now) => {
      await desk.registry('restored', { now }, patient);
    },
    close: () => {
      keeper.close();
      return opened.close();
    },
  };
}

const repeatable = { isRepeatable: true } as const;

/** The clients of the handlers of one desk. */
interface Objects {
  readonly registry: ReturnType<Desk['single']>;
  readonly run: ReturnType<Desk['keyed']>;
  readonly lines: ReturnType<Desk['keyed']>;
  readonly summary: ReturnType<Desk['keyed']>;
}

function objectsOf(desk: Desk): Objects {
  return {
    registry: desk.single(registryObject),
    run: desk.keyed(runObject),
    lines: desk.keyed(linesObject),
    summary: desk.keyed(summaryObject),
  };
}

/** Calls a handler of a run that no other may execute at the same time. @throws StoreError */
type ExclusiveCall = <Result>(
  run: string,
  handler: string,
  input: object,
  options: CallOptions,
) => Promise<Result | undefined>;

/**
 * Repeats an exclusive call while an invocation that follows the run's process delays it: one in another
 * process of the service may last longer.
 */
async function makingWay<Answer>(
  desk: Objects,
  run: string,
  answer: Promise<Answer>,
  clock: Clock,
  { after = 20, isBrief = false }: { readonly after?: Millis; readonly isBrief?: boolean } = {},
): Promise<Answer> {
  const done = new AbortController();
  const settled = (): void => done.abort();
  answer.then(settled, settled);
  const interrupts = async (): Promise<void> => {
    for (let wait = after; !done.signal.aborted; wait = Math.min(2 * wait, 500)) {
      await clock.sleep(wait, done.signal);
      await desk.run(run, 'interrupt', { isBrief }, { ...repeatable, signal: done.signal });
    }
  };
  interrupts().catch(() => undefined); // the answer tells what is wrong
  return answer;
}

/**
 * Decides when storing a batch also renews the lease, which takes the handler another step. Between two
 * renewals at most a sixth of the lease passes.
 */
function renewals(clock: Clock): { isDue(of: Holder): boolean; done(of: Holder): void } {
  const latest = new Map<string, { readonly incarnation: string; readonly at: Millis }>();
  return {
    isDue: ({ run, incarnation, lease }) => {
      const known = latest.get(run);
      return known?.incarnation !== incarnation || clock.monotonic() >= known.at + lease / 6;
    },
    done: ({ run, incarnation }) => {
      latest.set(run, { incarnation, at: clock.monotonic() });
    },
  };
}

async function openRuns(desk: Objects): Promise<readonly string[]> {
  return (await listed(desk, Number.MAX_SAFE_INTEGER)).open;
}

async function listed(desk: Objects, from: number): Promise<Listed> {
  return required(desk.registry<Listed>('list', { from }, repeatable));
}

async function looks(desk: Objects, runs: readonly string[]): Promise<readonly Looked[]> {
  const found = await Promise.all(runs.map((run) => desk.run<Looked>(run, 'look', {}, repeatable)));
  return found.flatMap((looked) => looked ?? []);
}

/** Reads the changed runs. The cursor names the incarnation and a position in the list of ended runs. */
async function changed(desk: Objects, cursor?: string): Promise<Changes> {
  const [incarnation, position] = cursor?.split(' ') ?? [];
  let page = await listed(desk, Number(position ?? 0));
  // After a restore the list may begin before the position.
  const isSame = page.incarnation === incarnation && page.next >= Number(position);
  if (cursor !== undefined && !isSame) page = await listed(desk, 0);
  const ended: RunEnded[] = [...page.ended];
  while (page.hasMore) {
    page = await listed(desk, page.next);
    ended.push(...page.ended);
  }
  const pruned = new Set(page.pruned);
  const known = new Map(
    ended
      .filter(({ run }) => !pruned.has(run))
      .map(({ run, lines: count, link }) => [run, { lines: count, link }]),
  );
  for (const { run, lines: count, link } of await looks(desk, page.open)) {
    if (count > 0) known.set(run, { lines: count, link });
  }
  return {
    runs: [...known].map(([run, at]) => ({ run, ...at })),
    cursor: `${page.incarnation} ${page.next}`,
  };
}

const atOnce = 50; // questions about runs

function summariesOver(desk: Objects): Pick<SharedRuns, 'summaries' | 'summarize'> {
  return {
    summaries: async (runs, version) => {
      const found: SummaryOfRun[] = [];
      for (let at = 0; at < runs.length; at += atOnce) {
        const some = runs.slice(at, at + atOnce).map(async (run) => {
          const summary = await desk.summary<Summary>(run, 'find', {}, repeatable);
          return summary?.version === version ? [{ run, text: summary.text }] : [];
        });
        found.push(...(await Promise.all(some)).flat());
      }
      return found;
    },
    summarize: async (run, summary) => {
      await desk.summary(run, 'put', summary, repeatable);
    },
  };
}

interface Waiting {
  readonly clock: Clock;
  readonly timeoutMs: Millis;
  readonly asked: ExclusiveCall;
}

const pause: Millis = 20; // until lines have arrived

async function lines(
  desk: Objects,
  run: string,
  after: number,
  { clock, timeoutMs, asked }: Waiting,
): Promise<RunLines | undefined> {
  let tail = await tailOf(desk, run, clock);
  // A batch that was just stored may not be shown yet, so that fewer lines say nothing.
  if (after > (tail?.count ?? 0) || isBehind(tail))
    tail = await asked<TailRead>(run, 'readAll', {}, repeatable);
  if (tail === undefined) return undefined;
  const { header, count, link, from, text } = tail;
  const texts: string[] = [];
  let read = after;
  for (let until = clock.monotonic() + timeoutMs; read < from - 1;) {
    const page = await desk.lines<PageRead>(run, 'page', { after: read }, repeatable);
    if (page === undefined) {
      if (clock.monotonic() > until) throw lateLines(run);
      await clock.sleep(pause);
      continue;
    }
    // Lines of the tail may have moved to this page since.
    const most = Math.min(page.last, from - 1);
    texts.push(page.last === most ? page.text : firstLines(page.text, most - read));
    read = most;
    until = clock.monotonic() + timeoutMs;
  }
  texts.push(afterLines(text, Math.max(0, after - from + 1)));
  return { header, count, link, text: texts.join('') };
}

/** Reads the newest lines. A batch that is missing at the first time is most often shown at the second. */
async function tailOf(desk: Objects, run: string, clock: Clock): Promise<TailRead | undefined> {
  const tail = await desk.run<TailRead>(run, 'read', {}, repeatable);
  if (!isBehind(tail)) return tail;
  await clock.sleep(pause);
  return desk.run<TailRead>(run, 'read', {}, repeatable);
}

function isBehind(tail: TailRead | undefined): boolean {
  return tail !== undefined && tail.count < tail.countMin;
}

function firstLines(text: string, count: number): string {
  return text.slice(0, text.length - afterLines(text, count).length);
}

function lateLines(run: string): StoreError {
  return new UnreachableError(
    `Restate did not give all lines of run ${run}`,
    'check that `deskhand store serve` runs, then run it again',
  );
}
