/** Orders that a person wants, as the steps and rows of a playbook; the price of each tells it from all others. */
import { jobFile, textOf } from './compose.ts';
import { placing } from './calls.ts';
import type { Choice } from './features.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface Row {
  readonly name: string;
  readonly price: string;
  /** It closes a position that is not there, so the exchange refuses it. */
  readonly isWrong: boolean;
}

export interface Part {
  readonly id: string;
  /** Whether it repeats over its rows; otherwise it has one, which is the step. */
  readonly isList: boolean;
  readonly rows: readonly Row[];
}

export interface Wanted {
  readonly parts: readonly Part[];
  /** Where the playbook reads the market. */
  readonly read: 'first' | 'last' | 'never';
  /** Whether the rows are values of inputs. */
  readonly isGiven: boolean;
}

const rowsFile = 'rows.json';

/** The flags that give the rows. */
export function flagsOf({ isGiven }: Wanted): readonly string[] {
  return isGiven ? ['--var-file', rowsFile] : [];
}

/** The files that say what is wanted. */
export function filesOf(wanted: Wanted, choice: Choice): Readonly<Record<string, string>> {
  const { parts, read, isGiven } = wanted;
  const market = {
    id: 'market',
    uses: 'market/list-tickers',
    with: { category: 'USDT-FUTURES', symbol: 'BTCUSDT' },
  };
  const lists = parts.filter(({ isList }) => isList);
  const inputs = Object.fromEntries(lists.map((part) => [inputOf(part), { type: 'list' }]));
  const job = {
    playbook: 1,
    name: 'job',
    account: 'main',
    ...(isGiven && lists.length > 0 && { inputs }),
    steps: [
      ...(read === 'first' ? [market] : []),
      ...parts.map((part) => stepOf(part, wanted, choice)),
      ...(read === 'last' ? [market] : []),
    ],
  };
  const rows = Object.fromEntries(lists.map((part) => [inputOf(part), valuesOf(part, choice)]));
  const one = { playbook: 1, name: 'one', inputs: inputsOfOne, steps: [placeIn(choice)] };
  return {
    [jobFile]: textOf(job),
    ...(isGiven && { [rowsFile]: JSON.stringify(rows) }),
    ...(isNested(choice) && { 'one.yaml': textOf(one) }),
  };
}

/** The address of a row: its step, or its item. */
export function addressOf({ id, isList, rows }: Part, row: Row, { key }: Choice): string {
  if (!isList) return id;
  const keys = { none: String(rows.indexOf(row)), value: row.name, composed: `k-${row.name}` };
  return `${id}[${keys[key]}]`;
}

function stepOf(part: Part, { read, isGiven }: Wanted, choice: Choice): Fields {
  const { id, isList } = part;
  const isParallel = choice.parallel === 'items' || choice.parallel === 'both';
  const [only] = valuesOf(part, choice);
  const { price = '', deal = '' } = isList
    ? { price: '{{ each.value.price }}', deal: '{{ each.value.deal }}' }
    : (only ?? {});
  const name = choice.key === 'composed' ? 'k-{{ each.value.name }}' : '{{ each.value.name }}';
  return {
    id,
    ...(choice.needs !== 'none' && { needs: read === 'first' ? ['market'] : [] }),
    ...(isList && {
      'for-each': isGiven ? `{{ inputs.${inputOf(part)} }}` : valuesOf(part, choice),
      ...(choice.key !== 'none' && { key: name }),
      ...(isParallel && { parallel: 2 }),
    }),
    ...(!isNested(choice) && oncePer(choice, isList)),
    ...(choice.onError === 'continue' && { 'on-error': isList ? 'partial' : 'continue' }),
    ...(isNested(choice)
      ? { uses: './one.yaml', with: { price, deal } }
      : callOf(choice, price, deal)),
  };
}

/** The input with its rows, which keeps its name when the step is renamed. */
function inputOf({ id }: Part): string {
  return `rows-of-${id.replaceAll('-new', '')}`;
}

const inputsOfOne = { price: { type: 'decimal' }, deal: { type: 'string' } };

/** A row that only its position tells from others is never done once per playbook. */
function oncePer({ once, key }: Choice, isList: boolean): Fields {
  const isNamed = !isList || key !== 'none';
  return once === 'none' || !isNamed ? {} : { 'once-per': once };
}

function placeIn(choice: Choice): Fields {
  return {
    id: 'place',
    ...oncePer(choice, true),
    ...callOf(choice, '{{ inputs.price }}', '{{ inputs.deal }}'),
  };
}

/** @param deal what opens a position or closes it */
function callOf(choice: Choice, price: string, deal: string): Fields {
  const call = placing(choice, { price });
  return { ...call, with: { ...call.with, [dealField(choice)]: deal } };
}

const dealField = (choice: Choice): string => (choice.placing === 'trade' ? 'side' : 'tradeSide');

function valuesOf({ rows }: Part, choice: Choice): readonly Readonly<Record<string, string>>[] {
  const [opens, closes] = choice.placing === 'trade' ? ['buy', 'sell'] : ['open', 'close'];
  return rows.map(({ name, price, isWrong }) => ({ name, price, deal: isWrong ? closes : opens }));
}

function isNested({ nest }: Choice): boolean {
  return nest !== 'none';
}

export function rowsOf({ parts }: Wanted): readonly Row[] {
  return parts.flatMap(({ rows }) => rows);
}

/** The row of an address, or of the item that it is within. */
export function rowAt(wanted: Wanted, address: string, choice: Choice): Row | undefined {
  return wanted.parts
    .flatMap((part) => part.rows.map((row) => ({ row, at: addressOf(part, row, choice) })))
    .find(({ at }) => address === at || address === `${at}/place`)?.row;
}

/** The steps with their rows in a line; those that the exchange refuses have a mark. */
export function partsWords({ parts }: Wanted): string {
  return parts
    .map(({ id, isList, rows }) => {
      const all = rows.map(({ name, price, isWrong }) => `${name}@${price}${isWrong ? '!' : ''}`);
      return `${id}${isList ? '[]' : ''}: ${all.join(' ')}`;
    })
    .join('; ');
}
