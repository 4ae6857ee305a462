/** A completed step as lines for a person. */
import { spoken } from '../../base/text.ts';
import { onAccounts } from '../accounts.ts';
import type { ItemLine, StepLine } from '../step-lines.ts';
import type { ActionState } from '../words.ts';
import { padEnd, padStart, widthOf } from './columns.ts';
import { toneOf } from '../states.ts';
import type { Theme } from './theme.ts';

type State = StepLine['status'] | ActionState;

/** Widths that align the lines of one run. */
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

/** The line of a step, and one or two for every item that failed or is in doubt. */
export function stepText(step: StepLine, widths: Widths, theme: Theme): string[] {
  const head = `${theme.sign(toneOf(step.status))} ${padEnd(step.id, widths.id)}  ${padEnd(step.uses, widths.uses)}`;
  const time = step.ms > 0 ? spoken(step.ms) : '';
  const room = Math.max(0, Math.min(theme.columns, 110) - widthOf(head) - 9);
  const detail = `${step.detail}${onAccounts([step])}`.trim();
  const line = `${head}  ${padEnd(detail, room - 2)}${padStart(time, 7)}`;
  const troubled = step.items.filter(({ state }) => troubles.has(state));
  return [line.trimEnd(), ...troubled.flatMap((item) => itemText(item, theme))];
}

const troubles: ReadonlySet<State> = new Set<State>(['refused', 'failed', 'doubt']);

function itemText(item: ItemLine, theme: Theme): string[] {
  const what = item.what === item.key ? '' : item.what;
  return [
    `  ${theme.sign(toneOf(item.state))} ${item.key}  ${what}${onAccounts([item])}`.trimEnd(),
    `    ${theme.paint('faint', '›')} ${theme.paint(toneOf(item.state), item.detail)}`,
  ];
}
