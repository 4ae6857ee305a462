/** Runs that machines share through Restate. */
import { second, type Clock, type Millis } from '../../base/clock.ts';
import { claimOf } from '../shared/known-run.ts';
import type {
  Blocked,
  Changes,
  Holder,
  RunLines,
  SharedRuns,
  Taken,
} from '../shared/shared-runs.ts';
import { afterLines } from '../shared/lines.ts';
import { StoreError } from '../store.ts';
import { openDesk, required, type Desk, type RestateOptions } from './desk.ts';
import { linesObject, registryObject, runObject } from './objects/names.ts';
import type { PageRead } from './objects/lines.ts';
import type { Listed } from './objects/registry.ts';
import type { RunEnded, TailRead } from './objects/run.ts';
import type { Looked } from './objects/run-state.ts';

/** Connects at the first call. @throws ConfigError for a bad address */
export function openRestate(options: RestateOptions): SharedRuns {
  const opened = openDesk(options);
  const { timeoutMs, clock } = opened;
  const desk: Objects = {
    registry: opened.single(registryObject),
    run: opened.keyed(runObject),
    lines: opened.keyed(linesObject),
  };
  const renewal = renewals(clock);
  // A take is several calls inside of the server; what it found is recorded, whenever it ends.
  const patient = { timeoutMs: Math.max(options.lease, 5 * second) };
  return {
    take: async (request) => required(desk.registry<Taken | Blocked>('take', request, patient)),
    keep: async (holder, batch) => {
      const input = { holder, batch, isRenewal: renewal.isDue(holder) };
      const isKept = (await desk.run<boolean>(holder.run, 'keep', input, repeatable)) === true;
      if (input.isRenewal && isKept) renewal.done(holder);
      return isKept;
    },
    renew: async (holder) => {
      const isRenewed =
        (await desk.run<boolean>(holder.run, 'renew', { holder }, repeatable)) === true;
      if (isRenewed) renewal.done(holder);
      return isRenewed;
    },
    release: async (holder) =>
      (await desk.run<boolean>(holder.run, 'release', { holder }, repeatable)) === true,
    claims: async (run) => {
      const open = run === undefined ? await openRuns(desk) : [run];
      return (await looks(desk, open)).filter(({ isEnded }) => !isEnded).map(claimOf);
    },
    changed: (cursor) => changed(desk, cursor),
    // Its runs are not listed by account: all of them are fetched.
    isIdentified: async () => false,
    lines: (run, after) => lines(desk, run, after, { clock, timeoutMs }),
    unlock: async (run, nonce, givesUp) =>
      (await desk.run<boolean>(run, 'unlock', { nonce, givesUp })) === true,
    restored: async (now) => {
      await desk.registry('restored', { now }, patient);
    },
    close: () => opened.close(),
  };
}

const repeatable = { isRepeatable: true } as const;

/** The handlers of one desk. */
interface Objects {
  readonly registry: ReturnType<Desk['single']>;
  readonly run: ReturnType<Desk['keyed']>;
  readonly lines: ReturnType<Desk['keyed']>;
}

/**
 * Storing a batch renews the lease only now and then: it takes the handler another step. Between
 * two renewals at most a sixth of the lease passes.
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

/** The cursor names the incarnation and a position among the runs that ended. */
async function changed(desk: Objects, cursor?: string): Promise<Changes> {
  const [incarnation, position] = cursor?.split(' ') ?? [];
  let page = await listed(desk, Number(position ?? 0));
  // After a restore it may begin before the position.
  const isSame = page.incarnation === incarnation && page.next >= Number(position);
  if (cursor !== undefined && !isSame) page = await listed(desk, 0);
  const ended: RunEnded[] = [...page.ended];
  while (page.hasMore) {
    page = await listed(desk, page.next);
    ended.push(...page.ended);
  }
  const known = new Map(ended.map(({ run, lines: count, link }) => [run, { lines: count, link }]));
  for (const { run, lines: count, link } of await looks(desk, page.open)) {
    if (count > 0) known.set(run, { lines: count, link });
  }
  return {
    runs: [...known].map(([run, at]) => ({ run, ...at })),
    cursor: `${page.incarnation} ${page.next}`,
  };
}

interface Waiting {
  readonly clock: Clock;
  readonly timeoutMs: Millis;
}

const pause: Millis = 20; // until older lines have arrived

async function lines(
  desk: Objects,
  run: string,
  after: number,
  { clock, timeoutMs }: Waiting,
): Promise<RunLines | undefined> {
  const tail = await desk.run<TailRead>(run, 'read', {}, repeatable);
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
    // The tail may have moved there since.
    const most = Math.min(page.last, from - 1);
    texts.push(page.last === most ? page.text : firstLines(page.text, most - read));
    read = most;
    until = clock.monotonic() + timeoutMs;
  }
  texts.push(afterLines(text, Math.max(0, after - from + 1)));
  return { header, count, link, text: texts.join('') };
}

function firstLines(text: string, count: number): string {
  return text.slice(0, text.length - afterLines(text, count).length);
}

function lateLines(run: string): StoreError {
  return new StoreError(
    `Restate did not give all lines of run ${run}`,
    'check that `deskhand store serve` runs, then run it again',
  );
}
