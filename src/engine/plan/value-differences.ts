/** The differences between two values: each field and member, by its path. */
import { canonicalJson, isRecord } from '../../base/json.ts';

export interface ValueDifference {
  /** Names and positions, joined with dots: `bids.1.symbol`. */
  readonly path: string;
  /** The value as text; undefined where it is missing. */
  readonly was: string | undefined;
  readonly is: string | undefined;
}

/**
 * The differences below a name; empty only if both values are equal. Members that a list has before and after
 * are not named, as long as their order is the same.
 */
export function valueDifferences(
  path: string,
  was: unknown,
  is: unknown,
): readonly ValueDifference[] {
  const isThere = was !== undefined && is !== undefined;
  if (isThere && canonicalJson(was) === canonicalJson(is)) return [];
  if (was === is) return [];
  const [before, after] = [shown(was), shown(is)];
  const isOtherType = before === after; // a number, and a text with its digits
  const whole = isOtherType
    ? [{ path, was: JSON.stringify(was), is: JSON.stringify(is) }]
    : [{ path, was: before, is: after }];
  if (Array.isArray(was) && Array.isArray(is)) {
    const found = memberDifferences(path, was, is);
    return found.length === 0 ? whole : found; // only their order differs
  }
  if (!isRecord(was) || !isRecord(is)) return whole;
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((name) =>
    valueDifferences(`${path}.${name}`, was[name], is[name]),
  );
}

function memberDifferences(
  path: string,
  was: readonly unknown[],
  is: readonly unknown[],
): readonly ValueDifference[] {
  const [gone, come] = [without(was, is), without(is, was)];
  if (gone.length === come.length) {
    return gone.flatMap(([at, member], place) =>
      valueDifferences(`${path}.${at}`, member, come[place]?.[1]),
    );
  }
  return [
    ...gone.map(([at, member]) => ({ path: `${path}.${at}`, was: shown(member), is: undefined })),
    ...come.map(([at, member]) => ({ path: `${path}.${at}`, was: undefined, is: shown(member) })),
  ];
}

/** The members of a list that another one does not have, as often as it lacks them, with their positions. */
function without(
  list: readonly unknown[],
  other: readonly unknown[],
): readonly (readonly [number, unknown])[] {
  const left = new Map<string, number>();
  for (const member of other) {
    const text = canonicalJson(member);
    left.set(text, (left.get(text) ?? 0) + 1);
  }
  return [...list.entries()].filter(([, member]) => {
    const text = canonicalJson(member);
    const many = left.get(text) ?? 0;
    left.set(text, many - 1);
    return many <= 0;
  });
}

/** A value as text: a text without quotes. */
export function shown(value: unknown): string | undefined {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
