/** The time ranges of an action: requests, waits for a slot, pauses, lookups. */
import type { Millis } from '../base/clock.ts';
import { successCode } from '../exchange/api/errors.ts';
import type { ActionStory } from './story.ts';
import type { Elapsed } from './timing.ts';

/** The kind of a time range. `lost`: a request without a response. `refused`: a request that was refused. */
export type SpanKind = 'request' | 'refused' | 'lost' | 'limit' | 'retry' | 'poll' | 'look-up';

/** A time range, relative to the start of the run. */
export interface Span {
  readonly kind: SpanKind;
  readonly from: Millis;
  readonly to: Millis;
}

/** The time ranges of an action, in chronological order. */
export function spansOf(action: ActionStory, elapsed: Elapsed): Span[] {
  const spans = [
    ...action.answers.map((answer) => requestSpan(action, answer, elapsed)),
    ...action.waits.map(({ why, at, ms }): Span => {
      const from = elapsed(at);
      return { kind: why, from, to: Math.max(from, elapsed(at + ms)) };
    }),
    ...lostSpans(action, elapsed),
  ];
  return spans.toSorted((a, b) => a.from - b.from || a.to - b.to);
}

function requestSpan(
  { answers, outcome }: ActionStory,
  answer: ActionStory['answers'][number],
  elapsed: Elapsed,
): Span {
  const to = elapsed(answer.at);
  const isLast = answer === answers.at(-1);
  const isNo = answer.code !== successCode && isLast && outcome?.kind === 'refused';
  return { kind: isNo ? 'refused' : 'request', from: Math.max(0, to - answer.ms), to };
}

/** Attempts that were sent and have no response before the next event. */
function lostSpans(action: ActionStory, elapsed: Elapsed): Span[] {
  return unanswered(action).map((intent): Span => {
    const ends = [
      ...action.intents.map(({ at }) => at),
      ...action.waits.map(({ at }) => at),
      ...(action.settledAt === undefined ? [] : [action.settledAt]),
    ].filter((at) => at > intent.at);
    const from = elapsed(intent.at);
    const end = ends.length === 0 ? Infinity : Math.min(...ends);
    return { kind: 'lost', from, to: Math.max(from, elapsed(end)) };
  });
}

/** Intents without a response before the next intent. */
export function unanswered({ intents, answers }: ActionStory): ActionStory['intents'] {
  return intents.filter((intent, index) => {
    const next = intents[index + 1]?.seq ?? Infinity;
    return !answers.some(({ seq }) => seq > intent.seq && seq < next);
  });
}
