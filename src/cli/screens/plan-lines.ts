/** The actions of a planned step as lines: alike ones grouped, the confidence at the right edge. */
import { decimal, roundTo, wholeDecimal, zero, type Decimal } from '../../base/decimal.ts';
import { isRecord, type Json } from '../../base/json.ts';
import { count, grouped, plainText } from '../../base/text.ts';
import type { Confidence, PlannedAction, PlannedStep } from '../../plan/plan.ts';
import { localWords, money } from '../../report/words.ts';
import { columns, padStart, widthOf } from './columns.ts';
import type { Look, Tone } from './look.ts';

const shownOfGroup = 3; // lines of a group that are written out; a group one longer is too
const widest = 120; // columns: marks further right are not read together with their line

export interface StepTable {
  /** Names of the columns, in their places; '' for steps that place no orders. */
  readonly heading: string;
  readonly lines: readonly string[];
}

export function actionLines(step: PlannedStep, isFull: boolean, look: Look): StepTable {
  const all = isFull ? [step.actions] : groupsOf(step.actions);
  const groups = isFull ? all : all.slice(0, groupsMax);
  const unseen = all.slice(groups.length);
  const shown = groups.map((group) => (isFull ? group : headOf(group)));
  const hasOrders = step.actions.some(({ order, change }) => order && change.kind !== 'none');
  const rows = shown.flat().map((action) => cellsOf(action, look));
  const names = ['', 'mark', 'distance', 'notional', ''].map((name) => look.paint('faint', name));
  const [heading = '', ...table] = columns(
    [hasOrders ? names : [''], ...rows],
    { ...look, columns: Infinity },
    { indent: 2, right: hasOrders ? [1, 2, 3] : [] },
  );
  const lines: string[] = [];
  for (const [index, group] of groups.entries()) {
    const visible = shown[index] ?? [];
    for (const action of visible) {
      const line = `${table.shift() ?? ''}${reasonOf(action)}`;
      lines.push(withMark(line, action, look), ...noteOf(action, look));
    }
    const rest = group.slice(visible.length);
    if (rest.length > 0) lines.push(restLine(rest, look));
  }
  if (unseen.length > 0) lines.push(unseenLine(unseen, look));
  return { heading, lines };
}

const groupsMax = 20; // of one step; a screen holds no more

/** Those that differ only in their numbers belong together, wherever they stand. */
function groupsOf(actions: readonly PlannedAction[]): PlannedAction[][] {
  const groups = new Map<string, PlannedAction[]>();
  for (const action of actions) {
    const { symbol, side, force } = fieldsOf(action.input);
    const kind = [action.change.kind, action.account, symbol, side, force].join(' ');
    const group = groups.get(kind);
    if (group === undefined) groups.set(kind, [action]);
    else group.push(action);
  }
  return [...groups.values()];
}

/** What no line is left for: how many, of how many kinds. */
function unseenLine(groups: readonly (readonly PlannedAction[])[], look: Look): string {
  const rest = groups.flat();
  const far = farthest(rest);
  const within = far === undefined ? '' : `, within ${far} % of mark`;
  const words = `${rest.length} more of ${groups.length} other kinds${within}`;
  return `    ${look.glyphs.dots} ${words}   ${look.paint('faint', '(--full shows all)')}`;
}

function headOf(group: readonly PlannedAction[]): readonly PlannedAction[] {
  return group.length <= shownOfGroup + 1 ? group : group.slice(0, shownOfGroup);
}

function restLine(rest: readonly PlannedAction[], look: Look): string {
  const [first] = rest;
  const { symbol } = fieldsOf(first?.input ?? {});
  const like = symbol === '' ? `${rest.length} more` : `${rest.length} more like ${symbol}`;
  const far = farthest(rest);
  const within = far === undefined ? '' : `, within ${far} % of mark`;
  return `    ${look.glyphs.dots} ${like}${within}   ${look.paint('faint', '(--full shows all)')}`;
}

/** The largest distance from the mark price, in whole percent. */
function farthest(actions: readonly PlannedAction[]): string | undefined {
  const distances = actions.flatMap(({ order }) =>
    order?.distance === undefined ? [] : [decimal(order.distance).abs()],
  );
  const largest = distances.reduce<Decimal | undefined>(
    (most, each) => (most === undefined || each.gt(most) ? each : most),
    undefined,
  );
  if (largest === undefined) return undefined;
  return roundTo(largest.times(wholeDecimal(100)), 0, 'up').toFixed();
}

function cellsOf(action: PlannedAction, look: Look): string[] {
  const sign = signOf(action, look);
  const { order, change } = action;
  if (action.operation !== 'futures/place-order') {
    return [`${sign} ${nameOf(action)}`, detailOf(action, look), ''];
  }
  const words = `${sign} ${orderWords(action)}`;
  if (order === undefined || change.kind === 'none') return [words, ''];
  const { mark = '', distance, notional } = order;
  return [words, grouped(mark), distanceOf(distance, look), money(decimal(notional)), ''];
}

function signOf({ change }: PlannedAction, look: Look): string {
  const { paint, glyphs } = look;
  switch (change.kind) {
    case 'create':
      return paint('good', '+');
    case 'set':
      return paint('warn', '~');
    case 'none':
      return '=';
    case 'read':
      return glyphs.arrow;
    case 'local':
      return glyphs.dot;
    case 'skip':
      return paint('faint', glyphs.waiting);
    case 'later':
      return paint('faint', '?');
  }
}

function nameOf({ key, operation, input, address }: PlannedAction): string {
  if (key !== undefined) return plainText(key, 60);
  const { productType } = fieldsOf(input);
  return operation === 'futures/set-all-leverage' ? productType : plainText(address, 60);
}

function detailOf({ change, operation, input }: PlannedAction, look: Look): string {
  const fields = fieldsOf(input);
  switch (change.kind) {
    case 'read': {
      const rows = change.rows === undefined ? '' : `, ${count(change.rows, 'row')} now`;
      return `reads, about ${count(change.requests, 'request')}${rows}`;
    }
    case 'set':
      return `leverage ? ${look.glyphs.arrow} ${look.paint('warn', fields.leverage)}`;
    case 'create':
      return operation === 'account/create-sub' && fields.note !== ''
        ? `note "${fields.note}"`
        : '';
    case 'later':
      return 'known only while it runs';
    case 'local':
      return localWords({ input });
    case 'none':
    case 'skip':
      return '';
  }
}

function orderWords({ input }: PlannedAction): string {
  const { symbol, side, size, price, force } = fieldsOf(input);
  return `${symbol} ${side.padEnd(4)} ${size} ${price === '' ? 'at market' : `@ ${grouped(price)}`}  ${force}`.trimEnd();
}

const far = decimal('0.05'); // a price further away than this is worth a second look

function distanceOf(distance: string | undefined, look: Look): string {
  if (distance === undefined) return '';
  const text = percentOf(distance);
  return decimal(distance).abs().gt(far) ? look.paint('bad', text) : text;
}

/** A ratio as `+0.83 %`. */
export function percentOf(distance: string): string {
  const ratio = decimal(distance);
  const percent = roundTo(ratio.times(wholeDecimal(100)), 2, 'half-up').toFixed(2);
  return `${ratio.gt(zero) ? '+' : ''}${percent} %`;
}

const marks: Readonly<Record<Confidence['kind'], readonly [Tone, string]>> = {
  'read-just-now': ['faint', 'read just now'],
  'from-ledger': ['faint', 'from ledger'],
  'cannot-be-read-back': ['warn', 'cannot be read back'],
  'not-read': ['faint', 'not read yet'],
  'known-after': ['faint', 'known after'],
};

/** Why nothing is to be done stands where the numbers would. */
function reasonOf({ account, change }: PlannedAction): string {
  const where = account === undefined ? '' : `  on ${plainText(account, 40)}`;
  return 'because' in change ? `${where}  ${plainText(change.because, 120)}` : where;
}

/** Puts how sure a line is at the right edge. */
function withMark(line: string, { confidence, change }: PlannedAction, look: Look): string {
  if (confidence === undefined) return line;
  const [tone, words] = marks[confidence.kind];
  const known =
    confidence.kind === 'known-after' ? `${words} ${plainText(confidence.step, 40)}` : words;
  const isWrite = change.kind === 'create' || change.kind === 'set';
  const text = isWrite ? `${known}, no undo` : known;
  const edge = Math.min(look.columns, widest);
  const room = Math.max(widthOf(text) + 4, edge - widthOf(line));
  return line + padStart(look.paint(tone, `[${text}]`), room);
}

function noteOf({ note }: PlannedAction, look: Look): string[] {
  return note === undefined ? [] : [`      ${look.paint('faint', plainText(note, 200))}`];
}

/** The fields that lines speak of, as text; unknown ones are ''. */
function fieldsOf(input: Json): Readonly<Record<FieldName, string>> {
  const field = (name: FieldName): string => {
    const value = isRecord(input) ? input[name] : undefined;
    if (isRecord(value)) return '?';
    return typeof value === 'string' || typeof value === 'number'
      ? plainText(String(value), 60)
      : '';
  };
  return {
    symbol: field('symbol'),
    side: field('side'),
    size: field('size'),
    price: field('price'),
    force: field('force'),
    leverage: field('leverage'),
    productType: field('productType'),
    note: field('note'),
  };
}

type FieldName =
  | 'symbol'
  | 'side'
  | 'size'
  | 'price'
  | 'force'
  | 'leverage'
  | 'productType'
  | 'note';
