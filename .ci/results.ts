/** Results of bench/, kept as JSON in bench/results: their schema, and whether a goal is reached. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaProblems } from '../src/exchange/api/check.ts';
import {
  described,
  list,
  named,
  optional,
  record,
  integer,
  text,
  type Infer,
  type Schema,
} from '../src/exchange/api/schema.ts';

/** Files of bench/results with jobs, without their ending, in the order of the page. */
export const areaNames = [
  'together',
  'calls',
  'no-order-twice',
  'shared-runs',
  'sandbox',
  'exports',
  'growth',
  'installing',
  'build',
] as const;

const closed = { additionalProperties: false };
const words = text({ minLength: 1, pattern: '^[^|\\n]*$' }); // of a cell of a table
const date = text({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
const number = String.raw`\d[\d,]*(?:\.\d+)?`;
const unit = String.raw`(?: [^\d|]+)?`;

const figure = record(
  {
    what: optional(described('The part of the job, where it has several', words)),
    beside: optional(described('The peer or the limit of a ratio, with its own figure', words)),
    measured: described(
      'As it was printed: one number, a range or those of several runs, and their unit',
      text({
        pattern: `^(?:≤ )?${number}(?:(?:, ${number})*(?: to | and )${number})?${unit}$`,
      }),
    ),
    goal: optional(
      described(
        'A bound, in the unit of what is measured; a number alone must be met exactly',
        text({ pattern: `^(?:[≤≥<] )?${number}${unit}$` }),
      ),
    ),
    date: optional(described('Of this figure, if it is older than those of its job', date)),
    conditions: optional(words),
  },
  closed,
);

const job = record(
  {
    job: words,
    command: words,
    needs: optional(described('Programs that the command does not install', words)),
    takes: optional(described('Time of the command', words)),
    date: described('Of the commit that recorded the figures', date),
    conditions: optional(described('Of the machine: idle, busy, or its load', words)),
    details: optional(
      described('A section with what was tried, as a link from bench', text({ pattern: '^\\S+$' })),
    ),
    figures: list(figure, { minItems: 1 }),
  },
  closed,
);

const area = record(
  { area: words, method: optional(words), jobs: list(job, { minItems: 1 }) },
  closed,
);

const planted = record(
  {
    area: words,
    date,
    seeds: described(
      'By the name of the defect: how many were enough',
      named(integer({ minimum: 1 })),
    ),
  },
  closed,
);

export type Figure = Infer<typeof figure>;
export type Job = Infer<typeof job>;
export type Area = Infer<typeof area>;
export type Planted = Infer<typeof planted>;

export function areas(): readonly Area[] {
  return areaNames.map((name) => read(name, area));
}

export function plantedDefects(): Planted {
  return read('planted-defects', planted);
}

/**
 * Whether each number of a figure reaches its goal; undefined without a goal.
 * @throws Error if they have different units
 */
export function reached({ measured, goal }: Figure): 'yes' | 'no' | 'not always' | undefined {
  if (goal === undefined) return undefined;
  if (unitOf(measured) !== unitOf(goal)) throw new Error(`${measured}: other unit than ${goal}`);
  const [bound = Number.NaN] = numbersIn(goal);
  const isMet = bounds[/^[≤≥<]/.exec(goal)?.[0] ?? ''] ?? Object.is;
  const met = numbersIn(measured).map((value) => isMet(value, bound));
  if (met.every(Boolean)) return 'yes';
  return met.some(Boolean) ? 'not always' : 'no';
}

const bounds: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  '≤': (value, bound) => value <= bound,
  '≥': (value, bound) => value >= bound,
  '<': (value, bound) => value < bound,
};

function numbersIn(figures: string): number[] {
  return [...figures.matchAll(new RegExp(number, 'g'))].map(([digits]) =>
    Number(digits.replaceAll(',', '')),
  );
}

function unitOf(figures: string): string {
  return /[^\d]*$/.exec(figures)?.[0].trim() ?? '';
}

function read<T>(name: string, schema: Schema<T>): T {
  const path = `bench/results/${name}.json`;
  const value: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '..', path), 'utf8'));
  assertShape(path, schema, value);
  return value;
}

function assertShape<T>(path: string, schema: Schema<T>, value: unknown): asserts value is T {
  const problems = schemaProblems(schema.json, value);
  if (problems.length === 0) return;
  const lines = problems.map((problem) => `  ${problem.path.join('.')}: ${problem.message}`);
  throw new Error([`${path} is not valid:`, ...lines].join('\n'));
}
