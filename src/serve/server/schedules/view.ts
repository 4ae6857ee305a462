/** A schedule as data for its page: the results of its past occurrences, and the next ones. */
import { targets } from '../../../engine/journal/shared-schema.ts';
import {
  choice,
  integer,
  list,
  optional,
  record,
  text,
  truth,
  type Infer,
} from '../../../exchange/api/schema.ts';
import { day, type Millis } from '../../../base/clock.ts';
import { plainText } from '../../../base/text.ts';
import type { Config } from '../../../app/config/load.ts';
import { openPause, pausesOf, type Pause } from '../../../app/schedule/pause.ts';
import { occurrenceAfter, occurrencesWithin } from '../../../app/schedule/occurrences.ts';
import type { ScheduleRecord } from '../../../app/schedule/decisions.ts';
import type { Schedule } from '../../../app/schedule/schedule.ts';
import { leftWords } from '../../../app/schedule/skipped-words.ts';
import { moment } from '../shapes.ts';
import type { Schedules } from './board.ts';
import { stateWord } from '../../../report/states.ts';

const pastKinds = ['done', 'running', 'failed', 'doubt', 'missed', 'left', 'paused'] as const;

const past = record({
  kind: choice(pastKinds),
  from: moment('The occurrence, or the first of several'),
  to: moment('The last of them'),
  text: text(),
  run: optional(text()),
});

const pauseView = record({
  name: text({ description: 'What was paused: a schedule or a playbook' }),
  at: moment('Since when'),
  who: text(),
  why: text(),
  until: optional(moment('When it ended')),
});

export const scheduleView = record({
  desk: text(),
  id: text(),
  playbook: text(),
  file: text(),
  profile: text(),
  target: choice(targets),
  cron: text(),
  timezone: text(),
  only: list(text()),
  writes: truth,
  missed: choice(['skip', 'once', 'all']),
  overlap: choice(['skip', 'queue']),
  delayMs: integer({ minimum: 0, description: 'Constant delay of its occurrences' }),
  paused: optional(pauseView),
  pauses: list(pauseView, { description: 'Those in the window' }),
  next: list(moment('Occurrence'), { description: 'Those in the window, at least the next one' }),
  past: list(past, { description: 'Those in the window, newest first' }),
});

export type ScheduleView = Infer<typeof scheduleView>;
export type Past = Infer<typeof past>;

export interface Window {
  readonly now: Millis;
  /** How far the range of shown occurrences reaches, before and after now. */
  readonly span: Millis;
}

const pastMax = 200; // per schedule; `schedule log` has all
const nextMax = 100;

export function scheduleViewOf(
  schedule: Schedule,
  { records, pauses }: Schedules,
  { name: desk, config }: { readonly name: string; readonly config: Config },
  { now, span }: Window,
): ScheduleView {
  const { id, playbook, file, profile, cron, timezone, only, delayMs } = schedule;
  const paused = openPause(pauses, schedule);
  const since = now - span;
  return {
    desk,
    id,
    playbook: plainText(playbook, 80),
    file: plainText(file, 300),
    profile: plainText(profile, 60),
    target: config.profiles.get(profile)?.target ?? 'sandbox',
    cron: plainText(cron, 100),
    timezone: plainText(timezone, 60),
    only: only.map((step) => plainText(step, 60)),
    writes: schedule.writes,
    missed: schedule.missed,
    overlap: schedule.overlap,
    delayMs,
    ...(paused && { paused: pauseData(paused) }),
    pauses: pausesOf(pauses, schedule)
      .filter(({ until = now }) => until >= since)
      .map(pauseData),
    next: nextOf(schedule, { now, span }),
    past: pastOf(schedule, records)
      .filter(({ to }) => to >= since)
      .slice(0, pastMax),
  };
}

function pauseData({ name, at, who, why, until }: Pause): ScheduleView['pauses'][number] {
  return {
    name: plainText(name, 80),
    at,
    who: plainText(who, 100),
    why: plainText(why, 300),
    ...(until !== undefined && { until }),
  };
}

function nextOf(schedule: Schedule, { now, span }: Window): readonly Millis[] {
  const after = now - schedule.delayMs;
  const found: Millis[] = [];
  for (const occurrence of occurrencesWithin(schedule, { after, until: after + span })) {
    found.push(occurrence);
    if (found.length === nextMax) break;
  }
  if (found.length > 0) return found;
  const next = occurrenceAfter(schedule, after);
  return next === undefined ? [] : [next];
}

/** The past occurrences, newest first: the last record of each. */
export function pastOf({ id }: Schedule, records: readonly ScheduleRecord[]): readonly Past[] {
  const own = records.filter((each) => each.schedule === id);
  const ended = new Map(
    own.flatMap((each) => (each.kind === 'ended' ? [[each.occurrence, each] as const] : [])),
  );
  return own
    .flatMap((each): readonly Past[] => {
      switch (each.kind) {
        case 'taken':
          if (ended.has(each.occurrence)) return [];
          return [at('running', each.occurrence, 'started; no end is recorded')];
        case 'ended':
          return ended.get(each.occurrence) === each ? [endOf(each)] : [];
        case 'gone':
          return [at('left', each.occurrence, each.message)];
        case 'left': {
          const kind = leftKinds[each.why];
          return [{ kind, from: each.from, to: each.to, text: leftWords(each) }];
        }
        case 'forgotten':
        case 'paused':
        case 'resumed':
        case 'clock':
        case 'unheard':
          return [];
      }
    })
    .toReversed();
}

const leftKinds = {
  missed: 'missed',
  'too-old': 'missed',
  covered: 'left',
  overlap: 'left',
  paused: 'paused',
} as const;

function endOf({
  occurrence,
  status,
  run,
  message,
}: Extract<ScheduleRecord, { kind: 'ended' }>): Past {
  const kinds = {
    done: 'done',
    doubt: 'doubt',
    stopped: 'failed',
    interrupted: 'failed',
    unfinished: 'running',
    'not-begun': 'failed',
  } as const;
  const words = status === 'not-begun' ? 'could not start' : stateWord(status);
  return {
    ...at(kinds[status], occurrence, message === undefined ? words : `${words}: ${message}`),
    ...(run !== undefined && { run: plainText(run, 64) }),
  };
}

function at(kind: Past['kind'], occurrence: Millis, words: string): Past {
  return { kind, from: occurrence, to: occurrence, text: plainText(words, 400) };
}

/** The ranges that a person can choose: their reach by number of days. */
export const spans = { '1': day, '7': 7 * day, '30': 30 * day } as const;
