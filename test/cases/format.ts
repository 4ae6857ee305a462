/** What a file of cases may say: sentences of the interface, each played out in steps over HTTP. */
import { Ajv, type JSONSchemaType } from 'ajv';
import { parse } from 'yaml';

/** How pages are turned until one is empty; the rows of all are then looked at as one answer. */
export interface Walk {
  /** Path of the rows, as `data.list`. */
  readonly rows: string;
  /** Parameter that says which page; a page number when nothing is taken for it. */
  readonly sends: string;
  /** What is taken for it from each answer, as `data.cursor`; `last.id` is of its last row. */
  readonly taking?: string;
}

/** One act, and what must be seen. Exactly one of `send`, `control`, `elapse`, `advance` says what. */
export interface Step {
  /** Method and path, as `GET /api/v3/market/tickers`. */
  readonly send?: string;
  /** Method and control path, as `POST market`. */
  readonly control?: string;
  /** The machine's clock continues, as `1s`. */
  readonly elapse?: string;
  /** The world's time continues, as `30d`. */
  readonly advance?: string;
  /** Whose key signs: a role's, or one made by `POST keys` in a step before; without it the request carries no credentials. */
  readonly as?: string;
  /** Query or body: `$name` represents something seen before, `@-30d` or `$name+1ms` for a time; null takes a field away. */
  readonly with?: Readonly<Record<string, unknown>>;
  /** Sent once for each of these values in the place of a field; the same is expected each time. */
  readonly each?: Readonly<Record<string, readonly unknown[]>>;
  /** The body exactly as sent, where it is not the JSON of `with`. */
  readonly body?: string;
  /** The query exactly as sent, where it is not made of `with`. */
  readonly query?: string;
  /** Headers put in place of the usual ones; null takes one away. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** What is signed, where it is not what is sent. */
  readonly signs?: Partial<Readonly<Record<'method' | 'path' | 'query' | 'body', string>>>;
  /** How far the timestamp that is signed lies from now, as `-31s`. */
  readonly skew?: string;
  /** Sent so many times; `tally` then counts the codes that came back. */
  readonly repeat?: number;
  readonly tally?: Readonly<Record<string, number>>;
  /** Sent page by page. */
  readonly walk?: Walk;
  /** Whether the connection ends without an answer. */
  readonly lost?: true;
  /** Expected code, `00000` by default. */
  readonly code?: string;
  /** Expected HTTP status: 200 on success, 400 otherwise, by default. */
  readonly status?: number;
  /**
   * Pattern of the answer's data: fields not named do not matter, `/…/` is a regular expression,
   * `@-30d .. @` a number from one to the other, `!$name` anything else than what was seen.
   */
  readonly data?: unknown;
  /** Pattern of the whole answer. */
  readonly envelope?: unknown;
  /** Whether every value in the data is text, however deep. */
  readonly texts?: true;
  /** Paths that must not be there, as `data.orderId`. */
  readonly lacks?: readonly string[];
  /** Number of rows by path: `3`, `'>= 1'`. */
  readonly count?: Readonly<Record<string, number | string>>;
  /** A pattern that some row at a path fits. */
  readonly includes?: Readonly<Record<string, unknown>>;
  /** A pattern that each row at a path fits. */
  readonly every?: Readonly<Record<string, unknown>>;
  /** Order of rows by path, as `orderId desc`. */
  readonly sorted?: Readonly<Record<string, string>>;
  /** Fields that together differ from row to row, as `uid time`. */
  readonly distinct?: Readonly<Record<string, string>>;
  /** Header patterns of the answer. */
  readonly answers?: Readonly<Record<string, string>>;
}

export interface Case {
  /** The sentence of the interface that is shown, in our words. */
  readonly rule: string;
  /** Whether rate limits are in force; off unless the case is about them. */
  readonly limits?: boolean;
  readonly steps: readonly Step[];
}

export interface CaseFile {
  readonly about: string;
  readonly cases: readonly Case[];
}

const anything = {} as const;
const texts = { type: 'object', additionalProperties: { type: 'string' }, required: [] } as const;

const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['about', 'cases'],
  properties: {
    about: { type: 'string' },
    /** Whatever the cases below refer to by `*name`. */
    shared: anything,
    cases: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['rule', 'steps'],
        properties: {
          rule: { type: 'string', minLength: 10 },
          limits: { type: 'boolean' },
          steps: {
            type: 'array',
            minItems: 1,
            items: {
              type: 'object',
              additionalProperties: false,
              oneOf: ['send', 'control', 'elapse', 'advance'].map((act) => ({ required: [act] })),
              properties: {
                send: { type: 'string', pattern: '^[A-Z]+ /' },
                control: { type: 'string', pattern: '^(GET|POST|PUT) [a-z/]+$' },
                elapse: { type: 'string', pattern: '^(\\d+(ms|s|m|h|d))+$' },
                advance: { type: 'string', pattern: '^(\\d+(ms|s|m|h|d))+$' },
                as: { type: 'string' },
                with: { type: 'object' },
                each: { type: 'object', additionalProperties: { type: 'array' } },
                body: { type: 'string' },
                query: { type: 'string' },
                headers: {
                  type: 'object',
                  additionalProperties: { type: ['string', 'null'] },
                },
                signs: {
                  type: 'object',
                  additionalProperties: false,
                  properties: {
                    method: { type: 'string' },
                    path: { type: 'string' },
                    query: { type: 'string' },
                    body: { type: 'string' },
                  },
                },
                skew: { type: 'string', pattern: '^[+-]\\d+(ms|s|m|h|d)$' },
                repeat: { type: 'integer', minimum: 2 },
                tally: { type: 'object', additionalProperties: { type: 'integer' } },
                walk: {
                  type: 'object',
                  additionalProperties: false,
                  required: ['rows', 'sends'],
                  properties: {
                    rows: { type: 'string' },
                    sends: { type: 'string' },
                    taking: { type: 'string' },
                  },
                },
                code: { type: 'string' },
                status: { type: 'integer' },
                data: anything,
                envelope: anything,
                lost: { const: true },
                texts: { const: true },
                lacks: { type: 'array', items: { type: 'string' } },
                count: { type: 'object', additionalProperties: { type: ['integer', 'string'] } },
                includes: { type: 'object' },
                every: { type: 'object' },
                sorted: texts,
                distinct: texts,
                answers: texts,
              },
            },
          },
        },
      },
    },
  },
} as const;

const check = new Ajv({ strictTypes: false, strictRequired: false }).compile<CaseFile>(
  schema as unknown as JSONSchemaType<CaseFile>,
);

/** @throws Error naming what is wrong with the file */
export function readCases(text: string, file: string): CaseFile {
  const value: unknown = parse(text, { merge: true, maxAliasCount: -1 });
  if (check(value)) return value;
  const [first] = check.errors ?? [];
  throw new Error(`${file}${first?.instancePath ?? ''} ${first?.message ?? ''}`);
}
