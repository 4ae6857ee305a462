/** The items of a for-each as a strip: what needs a person first, then the slowest; a cell for each. */
import { plainText } from '../../../base/text.ts';
import { integer, list, record, text, type Infer } from '../../../exchange/api/schema.ts';
import { stateWord, toneOf } from '../../../report/states.ts';
import type { StepStory } from '../../../report/story.ts';
import { tone } from '../shapes.ts';
import { countStates, stateCounts, byUrgency } from './progress.ts';
import { itemsOf, linesOf, tookWords, type LiveItem, type Reading } from './live-run.ts';

export const strip = record({
  counts: { ...stateCounts, json: { ...stateCounts.json, description: 'Of the items found' } },
  total: integer({ description: 'Items of the step' }),
  matching: integer({ description: 'Items found, in the chosen state' }),
  page: integer({ minimum: 1 }),
  pages: integer({ minimum: 1 }),
  // Lists instead of a list of rows: they take half the bytes.
  keys: list(text()),
  states: list(integer(), { description: 'Of the items of `keys`, by their place in `counts`' }),
  took: list(integer(), { description: 'Milliseconds of the items of `keys`' }),
  first: list(
    record({ key: text(), state: text(), tone, what: text(), detail: text(), took: text() }),
    { description: 'The first items of this page in words' },
  ),
});

export type Strip = Infer<typeof strip>;

/** Which items are wanted. */
export interface StripPart {
  /** A part of the key. */
  readonly find?: string;
  readonly state?: string;
  readonly page?: number;
}

const cellsMax = 600; // items of a page
const wordsMax = 10; // items in words, above the cells

export function stripOf(
  step: StepStory,
  { find = '', state: wanted = '', page = 1 }: StripPart,
  reading: Reading,
): Strip {
  const line = linesOf(reading).get(step.id);
  const all = line === undefined ? [] : itemsOf(step, line, reading);
  const words = find.toLowerCase();
  const found = all.filter(({ action: { key = '' } }) => key.toLowerCase().includes(words));
  const counts = countStates(found.map(({ state }) => state));
  const chosen = wanted === '' ? found : found.filter(({ state }) => state === wanted);
  const pages = Math.max(1, Math.ceil(chosen.length / cellsMax));
  const current = Math.min(page, pages);
  const shown = chosen
    .toSorted((a, b) => urgency(a) - urgency(b) || b.line.ms - a.line.ms)
    .slice((current - 1) * cellsMax, current * cellsMax);
  const places = new Map(counts.map(({ state }, at) => [state, at]));
  return {
    counts,
    total: all.length,
    matching: chosen.length,
    page: current,
    pages,
    keys: shown.map(({ action: { key = '' } }) => key),
    states: shown.map(({ state }) => places.get(state) ?? 0),
    took: shown.map(({ line: { ms } }) => Math.round(ms)),
    first: shown.slice(0, wordsMax).map(({ action: { key = '' }, line: own, state }) => ({
      key,
      state,
      tone: toneOf(state),
      what: own.what === plainText(key, 80) ? '' : own.what,
      detail: own.detail === stateWord(state) ? '' : own.detail,
      took: tookWords(own, state),
    })),
  };
}

const ranks = new Map(byUrgency.map((state, at) => [state, at]));

function urgency({ state }: LiveItem): number {
  return ranks.get(state) ?? 0;
}
