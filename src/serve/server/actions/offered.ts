/** The actions that a person can do with a run now, in the words of the command line. */
import { destinationsOf } from '../../../engine/journal/account.ts';
import {
  integer,
  choice,
  list,
  optional,
  record,
  text,
  truth,
  type Infer,
} from '../../../exchange/api/schema.ts';
import { plainText, shellWord } from '../../../base/text.ts';
import type { Destination, Entry } from '../../../engine/journal/entry.ts';
import { canDouble, leftBy, setAsideIn } from '../../../engine/journal/unfinished.ts';
import { abandonWords, absentWords, foundWords, stopWords } from '../../../report/next.ts';
import { storyOf } from '../../../report/story.ts';
import { summaryOfStory } from '../../../report/summary.ts';
import { asideWay } from '../../../report/unfinished-runs.ts';
import type { Desk } from '../desk.ts';
import { realAmong } from '../real-account.ts';
import { laterOf } from '../later-run.ts';
import type { RunRow } from '../run-row.ts';
import { moment } from '../shapes.ts';
import { byWorker, byWorkerOf, waitingJob, waitingOf } from '../desk-queue.ts';
import { holderOf } from './holder.ts';
import type { Starters } from './starters.ts';

const settled = record({
  kind: choice(['placed', 'absent', 'abandon']),
  why: text({ description: 'What it records, and what a resume does then' }),
  needsId: truth,
});

export const offered = record({
  /** The profile of the first account that is not of a sandbox, which must be typed. */
  confirm: optional(text({ description: 'Must be typed before anything is sent or recorded' })),
  resume: optional(
    record({
      why: text(),
      command: text(),
      open: list(record({ text: text(), detail: text() }), {
        description: 'What was not sent yet; it is planned again before it is sent',
      }),
      left: integer({ minimum: 0, description: 'Number of lines of both that are omitted' }),
      doubts: list(text(), { description: 'What is looked up first' }),
      byWorker,
    }),
  ),
  doubts: list(
    record({
      address: text(),
      what: text(),
      settledBy: choice(['lists', 'resume', 'person'], {
        description: 'Lists of the exchange, a resume that sets it again, or only a person',
      }),
      outcomes: list(settled),
    }),
  ),
  setAside: optional(
    record({ why: text(), command: text() }, { description: 'It blocks new runs of its playbook' }),
  ),
  stop: optional(
    record({
      why: text(),
      askedBy: optional(text({ description: 'Who asked a worker for it already' })),
    }),
  ),
  waiting: optional(waitingJob),
  holder: optional(
    record({
      pid: text(),
      host: text(),
      isAlive: truth,
      who: optional(text({ description: 'Who started it from the page' })),
      since: optional(moment('When it was started from the page')),
    }),
  ),
});

export type Offered = Infer<typeof offered>;

export async function offeredFor(
  row: RunRow,
  entries: readonly Entry[],
  desk: Desk,
  starters: Starters,
): Promise<Offered> {
  const { run, state } = row;
  const confirm = realOf(entries)?.profile;
  const holder = await holderShown(run, desk, starters);
  const common = { ...(confirm !== undefined && { confirm }), ...(holder && { holder }) };
  const job = desk.queue?.jobs().find((each) => each.job === run);
  const askedBy = job?.stoppedBy;
  if (state === 'running') {
    const stop = { why: `${run} ${stopWords}`, ...(askedBy !== undefined && { askedBy }) };
    return { ...common, doubts: [], stop };
  }
  if (job !== undefined) return { ...common, doubts: [], waiting: waitingOf(job) };
  const later = await laterOf(desk, row, entries);
  const resume = later === undefined ? resumeOf(row, entries, desk) : undefined;
  const setAside = asideOf(run, entries);
  return {
    ...common,
    ...(resume && { resume }),
    ...(setAside && { setAside }),
    doubts: setAsideIn(entries) === undefined ? doubtsOf(entries) : [],
  };
}

/** How to set a run aside: offered for a run that another run of its playbook could double. */
function asideOf(run: string, entries: readonly Entry[]): Offered['setAside'] {
  const left = leftBy({ run, entries });
  return left !== undefined && canDouble(left) ? asideWay(run) : undefined;
}

/** The process that executes a run: on this machine by its lock, elsewhere by its claim. */
async function holderShown(
  run: string,
  { config, claims }: Desk,
  starters: Starters,
): Promise<Offered['holder']> {
  const { stateDir } = config;
  const here = await holderOf(stateDir, run);
  if (here !== undefined) {
    const mine = starters.of(stateDir, run, here.pid);
    return {
      pid: String(here.pid),
      host: here.host,
      isAlive: here.life === 'alive',
      ...(mine && { who: mine.who, since: mine.at }),
    };
  }
  const claim = claims().find((each) => each.run === run);
  if (claim?.owner === undefined) return undefined;
  return { pid: String(claim.owner.pid), host: plainText(claim.host, 80), isAlive: true };
}

/** The account whose name a person types to confirm an action: none for sandboxes. */
export function realOf(entries: readonly Entry[]): Destination | undefined {
  return realAmong(accountsOf(entries));
}

function accountsOf([started]: readonly Entry[]): readonly Destination[] {
  return started?.kind === 'started' ? destinationsOf(started) : [];
}

function resumeOf(
  { run }: RunRow,
  entries: readonly Entry[],
  { queue }: Desk,
): Offered['resume'] | undefined {
  const { next, notSent, inDoubt } = summaryOfStory(storyOf(entries));
  const command = `deskhand resume ${shellWord(run)}`;
  const offer = next.find((each) => each.command === command);
  if (offer === undefined) return undefined;
  return {
    why: offer.why,
    command,
    left: Math.max(0, inDoubt.length - listMax) + Math.max(0, notSent.length - listMax),
    open: notSent.slice(0, listMax).map((each) => ({ text: each.text, detail: each.detail })),
    doubts: inDoubt.slice(0, listMax).map(({ what, address }) => `${what}, ${address}`),
    byWorker: byWorkerOf(accountsOf(entries), queue),
  };
}

const listMax = 100; // lines; more are not read one by one

function doubtsOf(entries: readonly Entry[]): Offered['doubts'] {
  const story = storyOf(entries);
  return summaryOfStory(story)
    .inDoubt.slice(0, listMax)
    .map(({ address, what, kind, settledBy }) => ({
      address,
      what: plainText(what, 200),
      settledBy,
      outcomes: [
        ...(kind === 'other'
          ? []
          : [
              { kind: 'placed' as const, why: foundWords, needsId: true },
              { kind: 'absent' as const, why: absentWords(story.isOver), needsId: false },
            ]),
        { kind: 'abandon' as const, why: abandonWords, needsId: false },
      ],
    }));
}
