/** Parts of a configuration file: one text for the schema of editors and for the value, with located mistakes. */
import { isRecord } from '../../base/json.ts';
import { assert, ConfigError } from '../../base/error.ts';
import { listed, nearWord } from '../../base/text.ts';
import { optional, record, type JsonSchema } from '../../exchange/api/schema.ts';

/** The location of a value. */
export interface Place {
  readonly file: string;
  /** The keys to the value: `profiles.main.guards`; '' for the whole file. */
  readonly path: string;
}

/** Reads a file that another one names by a relative path. @throws ConfigError */
export type ReadBeside = (path: string) => { readonly file: string; readonly text: string };

export interface Part<out T> {
  readonly json: JsonSchema;
  /** The value in the form that is kept. @throws ConfigError naming file, location and suggestion */
  readonly read: (value: unknown, place: Place) => T;
}

/** A part that its map reads even if its key is absent: it always has a value, or an error. */
type SurePart<T> = Part<T> & {
  /** Whether the absence of the part is an error. */
  readonly isRequired: boolean;
};

export type ValueOf<P> = P extends Part<infer T> ? T : never;
type Parts = Readonly<Record<string, Part<unknown>>>;
type SureKeys<F> = { [K in keyof F]: F[K] extends SurePart<unknown> ? K : never }[keyof F];

/** The values of a map: those of its parts that are sure, and of the others that the file has. */
export type Given<F> = { readonly [K in SureKeys<F>]: ValueOf<F[K]> } & {
  readonly [K in Exclude<keyof F, SureKeys<F>>]?: ValueOf<F[K]>;
};

/** A map whose keys are all known; without a value it is empty. */
export function map<F extends Parts>(fields: F, json: JsonSchema = {}): Part<Given<F>> {
  const known = Object.keys(fields);
  const schemas = Object.entries(fields).map(([key, part]) => {
    return [key, isSure(part) && part.isRequired ? part : optional(part)] as const;
  });
  return {
    ...record(Object.fromEntries(schemas), { additionalProperties: false, ...json }),
    read: (value, place) => {
      const values = mapIn(value, place);
      for (const key of Object.keys(values)) refuseUnknown(key, known, place);
      const given = Object.entries(fields)
        .filter(([key, part]) => values[key] !== undefined || isSure(part))
        .map(([key, part]) => [key, part.read(values[key], inside(place, key))] as const);
      return givenOf(fields, Object.fromEntries(given));
    },
  };
}

/** One map of two groups of keys, of which one may be made from a list. */
export function joined<A extends Parts, B extends Parts>(
  first: A,
  second: B,
): Part<readonly [Given<A>, Given<B>]> {
  const { json, read } = map<Parts>({ ...first, ...second });
  return {
    json,
    read: (value, place) => {
      const given = Object.entries(read(value, place));
      const of = (fields: Parts): unknown =>
        Object.fromEntries(given.filter(([key]) => key in fields));
      return [givenOf(first, of(first)), givenOf(second, of(second))];
    },
  };
}

function isSure(part: Part<unknown>): part is SurePart<unknown> {
  return 'isRequired' in part;
}

function refuseUnknown(key: string, known: readonly string[], place: Place): void {
  if (known.includes(key)) return;
  const near = nearWord(key, known);
  const hint = near ? `did you mean ${near}?` : `known keys: ${listed(known)}`;
  throw new ConfigError(`${place.file}: ${inside(place, key).path} is not known`, hint);
}

function givenOf<F extends Parts>(fields: F, given: unknown): Given<F> {
  checkGiven(fields, given);
  return given;
}

/** Checks that every part that is sure has a value; each value is what its part read. */
function checkGiven<F extends Parts>(fields: F, given: unknown): asserts given is Given<F> {
  const sure = Object.entries(fields).filter(([, part]) => isSure(part));
  assert(isRecord(given) && sure.every(([key]) => key in given), 'a part was not read');
}

/** The entries of a map with names that the file chooses. */
export function mapIn(value: unknown, place: Place): Readonly<Record<string, unknown>> {
  if (value === null || value === undefined) return {};
  if (isRecord(value)) return value;
  throw wrong(place, 'must be a map');
}

/** A part whose absence is an error. @param missing the error; by default that of reading nothing */
export function needed<T>(part: Part<T>, missing?: string): SurePart<T> {
  return {
    json: part.json,
    isRequired: true,
    read: (value, place) => {
      if (value === undefined && missing !== undefined) throw wrong(place, missing);
      return part.read(value, place);
    },
  };
}

/** A part with a value where the file has none. */
export function withDefault<T>(part: Part<T>, value: T): SurePart<T> {
  return {
    json: part.json,
    isRequired: false,
    read: (given, place) => (given === undefined ? value : part.read(given, place)),
  };
}

/** A part whose value is changed or refused after it was read. */
export function changed<T, U>(part: Part<T>, change: (value: T, place: Place) => U): Part<U> {
  return { json: part.json, read: (value, place) => change(part.read(value, place), place) };
}

/** The location of a key of a map. */
export function inside({ file, path }: Place, key: string): Place {
  return { file, path: path === '' ? key : `${path}.${key}` };
}

/** The error for a mistake at a location in the file. */
export function wrong({ file, path }: Place, what: string, near?: string): ConfigError {
  return new ConfigError(`${file}: ${path || 'the file'} ${what}`, near && `did you mean ${near}?`);
}
