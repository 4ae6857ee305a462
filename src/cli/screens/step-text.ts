/** A step that has ended, as the lines a person reads. */
import { spoken } from '../../base/text.ts';
import type { ItemLine, StepLine } from '../../report/step-lines.ts';
import type { ActionState } from '../../report/words.ts';
import { padEnd, padStart, widthOf } from './columns.ts';
import type { Look, Tone } from './look.ts';

type State = StepLine['status'] | ActionState;

/** Widths that keep the lines of one run in columns. */
export interface Widths {
  readonly id: number;
  readonly uses: number;
}

export function widthsOf(steps: readonly { readonly id: string; readonly uses: string }[]): Widths {
  return {
    id: Math.min(24, Math.max(0, ...steps.map(({ id }) => widthOf(id)))),
    uses: Math.min(28, Math.max(0, ...steps.map(({ uses }) => widthOf(uses)))),
  };
}

/** The step's own line, and one or two for every item that did not go well. */
export function stepText(step: StepLine, widths: Widths, look: Look): string[] {
  const head = `${mark(step.status, look)} ${padEnd(step.id, widths.id)}  ${padEnd(step.uses, widths.uses)}`;
  const time = step.ms > 0 ? spoken(step.ms) : '';
  const room = Math.max(0, Math.min(look.columns, 110) - widthOf(head) - 9);
  const line = `${head}  ${padEnd(step.detail, room - 2)}${padStart(time, 7)}`;
  const troubled = step.items.filter(({ state }) => troubles.has(state));
  return [line.trimEnd(), ...troubled.flatMap((item) => itemText(item, look))];
}

const troubles: ReadonlySet<State> = new Set<State>(['refused', 'failed', 'doubt']);

function itemText(item: ItemLine, look: Look): string[] {
  return [
    `  ${mark(item.state, look)} ${item.key}  ${item.what === item.key ? '' : item.what}`.trimEnd(),
    `    ${look.paint('faint', '›')} ${look.paint(toneOf(item.state), item.detail)}`,
  ];
}

/** The glyph of a state in its colour. */
export function mark(state: State, look: Look): string {
  const { glyphs } = look;
  switch (state) {
    case 'done':
    case 'found':
      return look.paint('good', glyphs.done);
    case 'refused':
    case 'failed':
      return look.paint('bad', glyphs.failed);
    case 'doubt':
      return look.paint('doubt', glyphs.doubt);
    case 'open':
    case 'skipped':
    case 'interrupted':
    case 'not-sent':
      return look.paint('faint', glyphs.waiting);
  }
}

function toneOf(state: State): Tone {
  return state === 'doubt' ? 'doubt' : 'bad';
}
