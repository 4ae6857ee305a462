/** Holds the accounts of one run, which are claimed until the run reports its end. */
import type { Millis } from '../../base/clock.ts';
import { readableJson } from '../../base/json.ts';
import { count } from '../../base/text.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { readJournal } from '../../engine/journal/journal.ts';
import { takenOver, type Lost } from '../../engine/journal/possible.ts';
import { withHandover } from '../handover.ts';
import { LostRunError, type Claim, type Hold, type Opened, type Wanted } from '../store.ts';
import { claimPath, claimsIn, headerPath, journalPath, planPath } from './claims.ts';
import type { Edit } from './commit.ts';
import { gatedJournal } from './gate.ts';
import { runHere, type RunFiles } from '../run-files.ts';
import { noteOwn } from './own.ts';
import type { StateRef } from './ref.ts';
import type { Tree } from './tree.ts';

export interface Holding {
  readonly claim: Claim;
  /** The commit with the claim. */
  readonly tree: Tree;
  readonly wanted: Wanted;
  readonly stateDir: string;
  readonly ref: StateRef;
  readonly lease: Millis;
  /** Releases the local locks. */
  readonly letGo: () => Promise<void>;
}

export function holdOver(holding: Holding): Hold {
  const { wanted, stateDir, ref, lease, letGo } = holding;
  const { run } = wanted;
  let { claim, tree } = holding;
  let published = 0;
  let flush = (): Promise<void> => Promise.resolve();

  /** Pushes the journal, and renews or removes the claim. @throws DiskError, StoreError, LostRunError */
  const report = async (isLast: boolean): Promise<void> => {
    const here = await runHere(stateDir, run);
    if (!isLast) await flush(); // what other machines know must not be lost here afterwards
    const seq = here === undefined ? 0 : here.journal.split('\n').length - 1;
    const now = isLast ? claim.until : await wanted.now();
    const next = { ...claim, until: Math.max(claim.until, now + (isLast ? 0 : lease)) };
    tree = await ref.change(async (current): Promise<Edit> => {
      await refuseLost(current, claim);
      const files = new Map<string, string | null>();
      files.set(claimPath(run), isLast && isKnownHere(claim, here) ? null : readableJson(next));
      if (here !== undefined) {
        files.set(headerPath(run), here.header).set(journalPath(run), here.journal);
        if (wanted.plan !== undefined) files.set(planPath(wanted.plan), `${run}\n`);
      }
      const what = isLast ? 'reports back' : 'continues';
      return { why: `${run} ${what}: ${count(seq, 'entry', 'entries')}`, files };
    }, tree);
    claim = next;
    published = seq;
  };

  const queue = oneAfterAnother(() => report(false));
  return {
    open: async (opened) => {
      const { before } = claim;
      const noted = await withHandover(stateDir, run, opened);
      const { journal, entries } = before ? await taking(noted, before) : noted;
      await noteOwn(stateDir, run, [claim.nonce]);
      flush = () => journal.flush();
      const publisher = {
        published: () => published,
        until: () => claim.until,
        publish: queue.ask,
      };
      return { journal: gatedJournal(journal, lease, publisher), entries };
    },
    release: async () => {
      try {
        await queue.idle();
        await report(true);
      } finally {
        await letGo();
      }
    },
  };
}

/**
 * Whether the journal shows what an earlier machine may have sent. Until it does, only the claim shows it, so
 * the claim stays: an error occurred before the journal was opened.
 */
function isKnownHere({ before }: Claim, here: RunFiles | undefined): boolean {
  if (before === undefined) return true;
  return here !== undefined && isTakenOver(readJournal(here.journal, '').entries, before);
}

function isTakenOver(entries: readonly Entry[], { until }: Lost): boolean {
  const isIt = (entry: Entry): boolean =>
    entry.kind === 'taken-over' && entry.isListed === true && entry.until === until;
  return entries.some(isIt);
}

/** Records once, in the journal, what an earlier machine may have sent. */
async function taking(opened: Opened, before: Lost): Promise<Opened> {
  const { journal, entries } = opened;
  if (isTakenOver(entries, before)) return opened;
  // The entries are queued together: they are written together, and the last one seals them.
  const events = takenOver(entries, before);
  const added = await Promise.all(events.map((event) => journal.append(event)));
  return { journal, entries: [...entries, ...added] };
}

/** @throws LostRunError when another machine has taken the run */
async function refuseLost(tree: Tree, { run, nonce }: Claim): Promise<void> {
  const claims = await claimsIn(tree);
  const standing = claims.find((claim) => claim.run === run);
  if (standing?.nonce === nonce) return;
  const who = standing === undefined ? 'a person released it' : `${standing.host} took it over`;
  throw new LostRunError(
    `run ${run} no longer belongs to this machine: ${who}`,
    `see \`deskhand runs list\`; the run that continues it looks up what was sent from here`,
  );
}

/** Makes a function that repeats work: concurrent requests share one repetition after the current one. */
function oneAfterAnother(work: () => Promise<void>): {
  readonly ask: () => Promise<void>;
  readonly idle: () => Promise<void>;
} {
  let running: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;
  return {
    ask: () => {
      if (waiting === undefined) {
        const next = running.then(() => {
          waiting = undefined;
          return work();
        });
        waiting = next;
        running = next.catch(() => undefined);
      }
      return waiting;
    },
    idle: () => running,
  };
}
