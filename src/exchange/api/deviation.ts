/** The deviation of a response from the interface: the field, and the kind of value that was received. */
import { plainText } from '../../base/text.ts';

/** The kind of value received in place of the declared one. `text`: a text in another format. */
export type Came = (typeof cameKinds)[number];

export const cameKinds = [
  'absent',
  'null',
  'empty',
  'text',
  'number',
  'boolean',
  'list',
  'object',
  'undeclared',
] as const;

/** A difference between a response and the interface. */
export interface Deviation {
  /** The field, with [] for each position: `list[].createdTime`; `data` for the data itself. */
  readonly field: string;
  readonly came: Came;
  /** The number of times that the deviation is in the response. */
  readonly count: number;
}

/** A deviation in words. */
export function deviationText({ field, came }: Pick<Deviation, 'field' | 'came'>): string {
  return `${field} ${cameWords[came]}`;
}

/** The deviations in a few words, for a line about one response. */
export function deviationsText(deviations: readonly Deviation[]): string {
  const [first] = deviations;
  if (first === undefined) return 'as the interface declares';
  const more = deviations.length > 1 ? `, and ${deviations.length - 1} more` : '';
  return `deviates from the interface: ${plainText(deviationText(first))}${more}`;
}

const cameWords: Readonly<Record<Came, string>> = {
  absent: 'is absent',
  null: 'is null',
  empty: 'is empty',
  text: 'has another format',
  number: 'is a number',
  boolean: 'is true or false',
  list: 'is a list',
  object: 'is an object',
  undeclared: 'is not in the interface',
};

/** Deviations by field and kind; further kinds than a response of the interface can have are dropped. */
export class DeviationCounts {
  readonly #counts = new Map<string, Deviation>();

  add({ field, came, count }: Deviation): void {
    const name = plainText(field, fieldMax);
    const key = `${name} ${came}`;
    const before = this.#counts.get(key)?.count ?? 0;
    if (before === 0 && this.#counts.size >= kindsMax) return;
    this.#counts.set(key, { field: name, came, count: before + count });
  }

  /** The deviations in the order of their first occurrence. */
  all(): readonly Deviation[] {
    return [...this.#counts.values()];
  }
}

const kindsMax = 200; // a row has at most 25 fields
const fieldMax = 100; // characters; the longest path of the interface has 40
