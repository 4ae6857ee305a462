/** What a person can do with a run now, in the words of the command line. */
import { choice, list, optional, record, text, truth, type Infer } from '../../api/schema.ts';
import { plainText, shellWord } from '../../base/text.ts';
import { isEmbedded } from '../../journal/account.ts';
import type { Destination, Entry } from '../../journal/entry.ts';
import { abandonWords, absentWords, foundWords, stopWords } from '../../report/next.ts';
import { storyOf } from '../../report/story.ts';
import { summaryOfStory } from '../../report/summary.ts';
import type { Desk } from '../desk.ts';
import type { RunRow } from '../run-row.ts';
import { moment } from '../shapes.ts';
import { holderOf } from './holder.ts';
import type { Starters } from './starters.ts';

const settled = record({
  kind: choice(['placed', 'absent', 'abandon']),
  why: text({ description: 'What it records, and what a resume does then' }),
  needsId: truth,
});

export const offered = record({
  /** The profile of the first live account. */
  confirm: optional(text({ description: 'Must be typed before anything is sent or recorded' })),
  resume: optional(
    record({
      why: text(),
      command: text(),
      open: list(record({ text: text(), detail: text() }), {
        description: 'What was not sent yet; it is planned again before it is sent',
      }),
      doubts: list(text(), { description: 'What is looked up first' }),
      mayQueue: truth,
    }),
  ),
  doubts: list(record({ address: text(), what: text(), outcomes: list(settled) })),
  stop: optional(record({ why: text() })),
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
  const holder = await holderOf(desk.config.stateDir, run);
  const confirm = wordFor(entries);
  const mine = holder && starters.of(desk.config.stateDir, run, holder.pid);
  const common = {
    ...(confirm !== undefined && { confirm }),
    ...(holder && {
      holder: {
        pid: String(holder.pid),
        host: holder.host,
        isAlive: holder.life === 'alive',
        ...(mine && { who: mine.who, since: mine.at }),
      },
    }),
  };
  if (state === 'running') return { ...common, doubts: [], stop: { why: `${run} ${stopWords}` } };
  const resume = resumeOf(row, entries, desk);
  return { ...common, ...(resume && { resume }), doubts: doubtsOf(entries) };
}

/** The name that a person types: none for sandboxes. */
export function wordFor(entries: readonly Entry[]): string | undefined {
  return accountsOf(entries).find(({ target }) => target === 'live')?.profile;
}

function accountsOf([started]: readonly Entry[]): readonly Destination[] {
  if (started?.kind !== 'started') return [];
  return [started.destination, ...(started.accounts ?? [])];
}

function resumeOf(
  { run }: RunRow,
  entries: readonly Entry[],
  { config }: Desk,
): Offered['resume'] | undefined {
  const { next, notSent, inDoubt } = summaryOfStory(storyOf(entries));
  const command = `deskhand resume ${shellWord(run)}`;
  const offer = next.find((each) => each.command === command);
  if (offer === undefined) return undefined;
  const mayQueue =
    config.state.store === 'postgres' && !accountsOf(entries).some((each) => isEmbedded(each));
  return {
    why: offer.why,
    command,
    open: notSent.slice(0, listMax).map((each) => ({ text: each.text, detail: each.detail })),
    doubts: inDoubt.slice(0, listMax).map(({ what, address }) => `${what}, ${address}`),
    mayQueue,
  };
}

const listMax = 100; // lines; more are not read one by one

function doubtsOf(entries: readonly Entry[]): Offered['doubts'] {
  const story = storyOf(entries);
  return summaryOfStory(story)
    .inDoubt.slice(0, listMax)
    .map(({ address, what, kind }) => ({
      address,
      what: plainText(what, 200),
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
