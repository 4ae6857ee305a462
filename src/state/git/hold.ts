/** Accounts one run has to itself, until it says how it ended. */
import type { Millis } from '../../base/clock.ts';
import { readableJson } from '../../base/json.ts';
import { count } from '../../base/text.ts';
import { HeldError, type Claim, type Hold, type Wanted } from '../store.ts';
import { claimPath, claimsIn, headerPath, journalPath, planPath } from './claims.ts';
import type { Edit } from './commit.ts';
import { gatedJournal } from './gate.ts';
import { runHere } from './hydrate.ts';
import type { StateRef } from './ref.ts';
import type { Tree } from './tree.ts';

export interface Holding {
  readonly claim: Claim;
  /** The commit that made the claim. */
  readonly tree: Tree;
  readonly wanted: Wanted;
  readonly stateDir: string;
  readonly ref: StateRef;
  readonly lease: Millis;
  /** Frees what was taken on this machine. */
  readonly letGo: () => Promise<void>;
}

export function holdOver(holding: Holding): Hold {
  const { wanted, stateDir, ref, lease, letGo } = holding;
  const { run } = wanted;
  let { claim, tree } = holding;
  let told = 0;

  const report = async (isLast: boolean): Promise<void> => {
    const here = await runHere(stateDir, run);
    const seq = here === undefined ? 0 : here.journal.split('\n').length - 1;
    const now = isLast ? claim.until : await wanted.now();
    const next = { ...claim, until: Math.max(claim.until, now + (isLast ? 0 : lease)) };
    tree = await ref.change(async (current): Promise<Edit> => {
      await refuseLost(current, claim);
      const files = new Map<string, string | null>();
      files.set(claimPath(run), isLast ? null : readableJson(next));
      if (here !== undefined) {
        files.set(headerPath(run), here.header).set(journalPath(run), here.journal);
        if (wanted.plan !== undefined) files.set(planPath(wanted.plan), `${run}\n`);
      }
      const what = isLast ? 'reports back' : 'goes on';
      return { why: `${run} ${what}: ${count(seq, 'entry', 'entries')}`, files };
    }, tree);
    claim = next;
    told = seq;
  };

  const queue = oneAfterAnother(() => report(false));
  return {
    open: async ({ journal, entries }) => {
      const all = [...entries];
      const { before } = claim;
      const isKnown = entries.some(
        (entry) => entry.kind === 'taken-over' && entry.until === before?.until,
      );
      if (before !== undefined && !isKnown) {
        all.push(await journal.append({ kind: 'taken-over', ...before }));
      }
      const telling = { told: () => told, until: () => claim.until, tell: queue.ask };
      return { journal: gatedJournal(journal, lease, telling), entries: all };
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

/** @throws HeldError when another machine has taken the run meanwhile */
async function refuseLost(tree: Tree, { run, nonce }: Claim): Promise<void> {
  const claims = await claimsIn(tree);
  const standing = claims.find((claim) => claim.run === run);
  if (standing?.nonce === nonce) return;
  const who = standing === undefined ? 'a person gave it up' : `${standing.host} took it over`;
  throw new HeldError(
    `run ${run} is no longer this machine's: ${who}`,
    `see «deskhand runs list»; what was sent from here is looked up by whoever goes on with it`,
  );
}

/** Work that is asked for while it is done is done once more, for all who asked. */
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
