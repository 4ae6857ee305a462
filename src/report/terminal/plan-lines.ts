/** The actions of a planned step as lines: similar ones grouped, wrapped at words, nothing truncated. */
import { decimal, roundTo, wholeDecimal, type Decimal } from '../../base/decimal.ts';
import { appendTo } from '../../base/groups.ts';
import type { PlannedAction, PlannedStep } from '../../engine/plan/plan.ts';
import { plainText } from '../../base/text.ts';
import { wordAt } from '../request-text.ts';
import { onAccounts } from '../accounts.ts';
import { numberColumns } from '../plan-columns.ts';
import { countUnchanged } from '../unchanged.ts';
import { money } from '../words.ts';
import { breakLines, padEnd, padStart, widthOf, wrapped } from './columns.ts';
import type { Theme } from './theme.ts';
import { isPriced, kindOf, nameOf, rowOf, type Row } from './plan-rows.ts';

const shownOfGroup = 3; // lines of a group that are shown; a group that is one longer is shown, too
const widest = 120; // columns: marks further right are hard to relate to their line
const indent = 2;
const gap = 2;

export interface StepTable {
  /** Names of the columns, in their positions; '' for steps that place no orders. */
  readonly heading: string;
  readonly lines: readonly string[];
}

export function actionLines(step: PlannedStep, isFull: boolean, theme: Theme): StepTable {
  const { listed: some, unchanged } = countUnchanged(step.actions);
  const all = isFull ? [step.actions] : groupsOf(some);
  const groups = isFull ? all : all.slice(0, groupsMax);
  const shown = groups.map((group) => (isFull ? group : headOf(group)));
  const width = Math.max(0, ...shown.flat().map((action) => widthOf(nameOf(action))));
  const rows = shown.map((group) => group.map((action) => rowOf(action, width, theme)));
  const table = tableOf(rows.flat(), shown.flat().some(isPriced), theme);
  const lines = groups.flatMap((group, index) => {
    const visible = shown[index] ?? [];
    const own = visible.flatMap((action, at) => {
      const row = rows[index]?.[at];
      return row === undefined ? [] : [...table.linesOf(row), ...noteOf(action, theme)];
    });
    const rest = group.slice(visible.length);
    return rest.length === 0 ? own : [...own, ...restLines(rest, theme)];
  });
  const unseen = all.slice(groups.length);
  const same = isFull || unchanged === undefined ? [] : moreLines(`= ${unchanged}`, [], theme, '');
  return { heading: table.heading, lines: [...lines, ...unseenLines(unseen, theme), ...same] };
}

const groupsMax = 20; // lines per step, to fit on one screen

/** Groups actions that differ only in their numbers, in any order. */
function groupsOf(actions: readonly PlannedAction[]): PlannedAction[][] {
  const groups = new Map<string, PlannedAction[]>();
  for (const action of actions) appendTo(groups, kindOf(action), action);
  return [...groups.values()];
}

function headOf(group: readonly PlannedAction[]): readonly PlannedAction[] {
  return group.length <= shownOfGroup + 1 ? group : group.slice(0, shownOfGroup);
}

interface Table {
  readonly heading: string;
  readonly linesOf: (row: Row) => string[];
}

/**
 * The lines of rows: text on the left, numbers in columns next to its first line, the confidence at the right
 * edge.
 */
function tableOf(rows: readonly Row[], isPricedStep: boolean, theme: Theme): Table {
  const columnNames = Object.values(numberColumns).map((name) => name.toLowerCase());
  const names = isPricedStep ? columnNames : [];
  const widths = names.map((name, at) =>
    Math.max(widthOf(name), ...rows.map(({ numbers }) => widthOf(numbers[at] ?? ''))),
  );
  const ofNumbers = widths.reduce((sum, width) => sum + gap + width, 0);
  const room = Math.max(narrowest, theme.columns - indent - ofNumbers);
  const longest = Math.max(0, ...rows.map(({ text }) => widthOf(text)));
  const ofText = Math.min(room, longest);
  const numbersIn = (cells: readonly string[]): string =>
    widths.map((width, at) => ' '.repeat(gap) + padStart(cells[at] ?? '', width)).join('');
  const start = ' '.repeat(indent) + padEnd('', ofText);
  return {
    heading:
      names.length === 0 ? '' : start + numbersIn(names.map((name) => theme.paint('faint', name))),
    linesOf: ({ text, numbers, mark }) => {
      // A row without numbers uses the full width.
      const own = numbers.length === 0 ? Math.max(narrowest, theme.columns - indent) : ofText;
      const [first = '', ...more] = hanging(text, own);
      const head = numbers.length === 0 ? first : padEnd(first, ofText) + numbersIn(numbers);
      const lines = [head, ...more].map((line) => (' '.repeat(indent) + line).trimEnd());
      return withMark(lines, mark, theme);
    },
  };
}

const narrowest = 30; // columns reserved for text, however wide the numbers are
const hang = 4; // indentation of continuation lines

/** Wraps a text into lines of at most `room` characters, all but the first indented. */
function hanging(text: string, room: number): string[] {
  if (widthOf(text) <= room) return [text];
  const [first = ''] = breakLines(text, room);
  const rest = text.slice(first.length).trimStart();
  const margin = ' '.repeat(hang);
  return [first.trimEnd(), ...breakLines(rest, room - hang).map((line) => margin + line.trim())];
}

/**
 * Puts the confidence of a row at the right edge: on the first line, on the last one, or on a separate one.
 */
function withMark(lines: readonly string[], mark: string, theme: Theme): string[] {
  if (mark === '') return [...lines];
  const places = lines.length === 1 ? [0] : [0, lines.length - 1];
  const at = places.find((place) => widthOf(`${lines[place]}    ${mark}`) <= theme.columns);
  const edge = Math.min(theme.columns, widest);
  if (at === undefined) return [...lines, padStart(mark, edge)];
  return lines.map((line, place) => {
    if (place !== at) return line;
    return line + padStart(mark, Math.max(widthOf(mark) + 4, edge - widthOf(line)));
  });
}

function noteOf({ note }: PlannedAction, theme: Theme): string[] {
  if (note === undefined) return [];
  return wrapped(plainText(note), theme, 6).map((line) => theme.paint('faint', line));
}

/** The summary of hidden lines: their number, and the number of their kinds. */
function unseenLines(groups: readonly (readonly PlannedAction[])[], theme: Theme): string[] {
  if (groups.length === 0) return [];
  const rest = groups.flat();
  const kinds = `${rest.length} more of ${groups.length} other kinds`;
  return moreLines(`${kinds}${onAccounts(rest)}`, rest, theme);
}

function restLines(rest: readonly PlannedAction[], theme: Theme): string[] {
  const symbol = wordAt(rest[0]?.input, 'symbol');
  const like = symbol === '' ? `${rest.length} more` : `${rest.length} more like ${symbol}`;
  return moreLines(`${like}${onAccounts(rest)}`, rest, theme);
}

/** The line for hidden actions: their number, with the largest value of them. */
function moreLines(
  what: string,
  rest: readonly PlannedAction[],
  theme: Theme,
  sign = `${theme.glyphs.dots} `,
): string[] {
  const [away, worth] = [farthest(rest), largest(rest)];
  const words = [
    what,
    ...(away === undefined ? [] : [`within ${away} % of mark`]),
    ...(worth === undefined ? [] : [`worth ${money(worth)} at most`]),
  ].join(', ');
  return wrapped(`${sign}${words}   (--full shows all)`, theme, sign === '' ? indent : indent + 2);
}

/** The largest distance from the mark price, in whole percent. */
function farthest(actions: readonly PlannedAction[]): string | undefined {
  const distance = largestOf(
    actions.flatMap(({ order }) =>
      order?.distance === undefined ? [] : [decimal(order.distance).abs()],
    ),
  );
  if (distance === undefined) return undefined;
  return roundTo(distance.times(wholeDecimal(100)), 0, 'up').toFixed();
}

/** The maximum value of several orders. */
function largest(actions: readonly PlannedAction[]): Decimal | undefined {
  return largestOf(actions.flatMap(({ order }) => (order ? [decimal(order.notional)] : [])));
}

function largestOf(values: readonly Decimal[]): Decimal | undefined {
  return values.reduce<Decimal | undefined>(
    (most, each) => (most === undefined || each.gt(most) ? each : most),
    undefined,
  );
}
