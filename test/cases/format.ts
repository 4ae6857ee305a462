/** The format of case files: sentences of the interface, each demonstrated in steps over HTTP. */
import { Ajv, type JSONSchemaType } from 'ajv';
import { parse } from 'yaml';

/** How pages are read until one is empty; the rows of all pages are then compared as one response. */
export interface Walk {
  /** Path of the rows, such as `data.list`. */
  readonly rows: string;
  /** Parameter that selects the page; a page number unless `from` is set. */
  readonly sends: string;
  /** Its value in each response, such as `data.cursor`; `last.id` is the id of the last row. */
  readonly taking?: string;
}

/** One step with its expectations. Exactly one of `send`, `control`, `elapse`, `advance` selects the action. */
export interface Step {
  /** Method and path, such as `GET /api/v3/market/tickers`. */
  readonly send?: string;
  /** Method and control path, such as `POST market`. */
  readonly control?: string;
  /** Advances the machine's clock, such as `1s`. */
  readonly elapse?: string;
  /** Advances the world's time, such as `30d`. */
  readonly advance?: string;
  /** The signing key: a role's, or one created by `POST keys` in an earlier step; without it the request has no credentials. */
  readonly as?: string;
  /** Query or body: `$name` is a remembered value, `@-30d` or `$name+1ms` a time; null removes a field. */
  readonly with?: Readonly<Record<string, unknown>>;
  /** Sent once with each of these values of a field; all are expected to have the same result. */
  readonly each?: Readonly<Record<string, readonly unknown[]>>;
  /** The exact body, if it is not the JSON of `with`. */
  readonly body?: string;
  /** The exact query, if it is not built from `with`. */
  readonly query?: string;
  /** Headers that replace the usual ones; null removes one. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** The signed text, if it differs from what is sent. */
  readonly signs?: Partial<Readonly<Record<'method' | 'path' | 'query' | 'body', string>>>;
  /** Offset of the signed timestamp from now, such as `-31s`. */
  readonly skew?: string;
  /** Number of repetitions; `tally` then counts the returned codes. */
  readonly repeat?: number;
  readonly tally?: Readonly<Record<string, number>>;
  /** Sent page by page. */
  readonly walk?: Walk;
  /** Whether the connection ends without a response. */
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
  /** Pattern of the whole response. */
  readonly envelope?: unknown;
  /** Whether every value in the data is text, at any depth. */
  readonly texts?: true;
  /** Paths that must be absent, such as `data.orderId`. */
  readonly lacks?: readonly string[];
  /** Number of rows by path: `3`, `'>= 1'`. */
  readonly count?: Readonly<Record<string, number | string>>;
  /** A pattern that at least one row at a path matches. */
  readonly includes?: Readonly<Record<string, unknown>>;
  /** A pattern that every row at a path matches. */
  readonly every?: Readonly<Record<string, unknown>>;
  /** Order of rows by path, such as `orderId desc`. */
  readonly sorted?: Readonly<Record<string, string>>;
  /** Fields that together are unique per row, such as `uid time`. */
  readonly distinct?: Readonly<Record<string, string>>;
  /** Patterns of response headers. */
  readonly answers?: Readonly<Record<string, string>>;
}

export interface Case {
  /** The sentence of the interface that is demonstrated, in our words. */
  readonly rule: string;
  /** Whether rate limits apply; off unless the case is about them. */
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
    /** Definitions that cases refer to by `*name`. */
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

/** @throws Error describing what is wrong with the file */
export function readCases(text: string, file: string): CaseFile {
  const value: unknown = parse(text, { merge: true, maxAliasCount: -1 });
  if (check(value)) return value;
  const [first] = check.errors ?? [];
  throw new Error(`${file}${first?.instancePath ?? ''} ${first?.message ?? ''}`);
}
