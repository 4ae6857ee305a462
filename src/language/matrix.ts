/** `for-each: { matrix: …, exclude: … }`: each combination of one value of every list, the first list slowest. */
import { canonicalDecimal } from '../exchange/api/content.ts';
import { isPlainMap } from './expression/helpers/define.ts';
import { scalarText } from './expression/scalar-text.ts';
import {
  EvaluationError,
  isList,
  itemsHint,
  TooManyError,
  Unknown,
  type Value,
} from './expression/value.ts';

/** An item of a matrix: `desk=alpha,line=COIN-FUTURES`, and `{ desk, line }`. */
export interface Combination {
  readonly key: string;
  readonly value: { readonly [name: string]: Value };
}

/**
 * The combinations of an evaluated matrix, without excluded ones.
 * @param itemsMax maximum number of combinations, counted before `exclude`
 * @returns the combinations, or the step after which its lists are known
 * @throws TooManyError, and EvaluationError for a list that is none, or a value that has no text
 */
export function combinationsOf(
  written: Value,
  itemsMax: number,
): readonly Combination[] | { readonly after: string } {
  const { matrix = null, exclude = [] } = isPlainMap(written) ? written : {};
  const lists = isPlainMap(matrix) ? Object.entries(matrix) : [];
  const unknown = unknownIn([
    ...lists.flatMap(([, list]) => withMembers(list)),
    ...withMembers(exclude),
  ]);
  if (unknown !== undefined) return { after: unknown.after };
  const axes = lists.map(([name, list]) => axisOf(name, list));
  const count = axes.reduce((product, { values }) => product * values.length, 1);
  if (count > itemsMax) {
    throw new TooManyError(
      `the lists of the matrix have ${count} combinations; at most ${itemsMax} are allowed`,
      itemsHint(itemsMax),
    );
  }
  if (count === 0) return [];
  const isExcluded = exclusionOf(exclude, new Set(axes.map(({ name }) => name)));
  return axes
    .reduce<readonly Draft[]>(
      (drafts, { name, values }) =>
        drafts.flatMap((draft) => values.map((one) => new Map(draft).set(name, one))),
      [new Map()],
    )
    .filter((draft) => !isExcluded(draft))
    .map((draft) => ({
      key: [...draft].map(([name, { text }]) => `${name}=${text}`).join(','),
      value: Object.fromEntries([...draft].map(([name, { value }]) => [name, value])),
    }));
}

interface Named {
  /** Equal for equal numbers: 0.10 is 0.1. */
  readonly text: string;
  readonly value: Value;
}

type Draft = ReadonlyMap<string, Named>;

interface Axis {
  readonly name: string;
  readonly values: readonly Named[];
}

function axisOf(name: string, list: Value): Axis {
  if (!isList(list)) throw new EvaluationError(`matrix.${name} is not a list`);
  return { name, values: list.map((value) => named(value, `matrix.${name}`)) };
}

function named(value: Value, what: string): Named {
  const text = scalarText(value);
  if (text === undefined) {
    throw new EvaluationError(`a value of ${what} is not a single text or number`);
  }
  return { text: canonicalDecimal(text), value };
}

/**
 * Whether an entry of `exclude` leaves a combination out. Entries are grouped by the lists they name,
 * so that a combination is looked up once for each such group.
 */
function exclusionOf(exclude: Value, names: ReadonlySet<string>): (draft: Draft) => boolean {
  if (!isList(exclude)) throw new EvaluationError('exclude is not a list');
  const groups = new Map<string, { readonly lists: readonly string[]; readonly of: Set<string> }>();
  for (const entry of exclude) {
    const fields = isPlainMap(entry) ? Object.entries(entry) : [];
    const stranger = fields.find(([name]) => !names.has(name))?.[0];
    if (fields.length === 0 || stranger !== undefined) {
      const what = stranger === undefined ? 'no list' : JSON.stringify(stranger);
      throw new EvaluationError(`an entry of exclude names ${what} of the matrix`);
    }
    fields.sort(byName);
    const lists = fields.map(([name]) => name);
    const group = groups.get(keyOf(lists)) ?? { lists, of: new Set() };
    group.of.add(keyOf(fields.map(([, value]) => named(value, 'exclude').text)));
    groups.set(keyOf(lists), group);
  }
  return (draft) =>
    [...groups.values()].some(({ lists, of }) =>
      of.has(keyOf(lists.map((name) => draft.get(name)?.text))),
    );
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

const keyOf = (texts: readonly (string | undefined)[]): string => JSON.stringify(texts);

/** A list with its members, and the values of those that are maps. */
function withMembers(list: Value): readonly Value[] {
  if (!isList(list)) return [list];
  return [list, ...list.flatMap((one) => (isPlainMap(one) ? Object.values(one) : [one]))];
}

function unknownIn(values: readonly Value[]): Unknown | undefined {
  return values.find((value) => value instanceof Unknown);
}
