/** Checks the options of an embedding program at run time: a program in JavaScript has no compiler. */
import { UsageError } from '../../base/error.ts';
import { fieldOf, isRecord } from '../../base/json.ts';
import { nearWord } from '../../base/text.ts';
import type { PlanOptions, ResumeOptions, RunOptions, ValidateOptions } from './options.ts';
import { isSignal } from './signal.ts';

/** The type an option must have; the fields of an object are checked where they are used. */
type Kind = 'text' | 'texts' | 'playbooks' | 'truth' | 'object' | 'text or object' | 'signal';
/** The type of every option of a function: a new option does not compile without one. */
type Kinds<Options> = Readonly<Record<keyof Options, Kind>>;
type AllOf<Union> = Union extends unknown ? keyof Union : never;

const work = { cwd: 'text', env: 'object', config: 'text or object', profile: 'text' } as const;
const account = {
  ...work,
  stateDir: 'text',
  store: 'text',
  credentials: 'object',
  signal: 'signal',
} as const;
const playbook = {
  playbook: 'text or object',
  inputs: 'object',
  only: 'texts',
  scheduledFor: 'text',
} as const;

/** The types of the options of each function. */
export const optionKinds = {
  validate: { ...work, playbooks: 'playbooks' } satisfies Kinds<ValidateOptions>,
  plan: {
    ...account,
    ...playbook,
    expires: 'text',
    isOffline: 'truth',
  } satisfies Kinds<PlanOptions>,
  run: {
    ...account,
    ...playbook,
    approve: 'text',
    beside: 'object',
    plan: 'text or object',
  } satisfies Readonly<Record<AllOf<RunOptions>, Kind>>,
  resume: {
    ...account,
    run: 'text',
    approve: 'text',
    planFile: 'text',
  } satisfies Kinds<ResumeOptions>,
} as const;

export type CheckedFunction = keyof typeof optionKinds;

/** For each function, the options of which exactly one must be given. */
const needed = {
  validate: ['playbooks'],
  plan: ['playbook'],
  run: ['playbook', 'plan'],
  resume: ['run'],
} as const satisfies Record<CheckedFunction, readonly string[]>;

const help = 'see docs/embedding.md';

/** @throws UsageError for an option that is missing, unknown, or of another kind */
export function checkOptions(name: CheckedFunction, options: unknown): void {
  if (typeof options !== 'object' || options === null) {
    throw new UsageError(`${name} needs an object with its options`, help);
  }
  const kinds = new Map<string, Kind>(Object.entries(optionKinds[name]));
  for (const [option, value] of Object.entries(options)) {
    const kind = kinds.get(option);
    if (kind === undefined) throw unknownOption(name, option, [...kinds.keys()]);
    if (value !== undefined && !fits(value, kind)) {
      throw new UsageError(`the option ${option} of ${name} must be ${wordsOf[kind]}`, help);
    }
  }
  const given = needed[name].filter((option) => fieldOf(options, option) !== undefined);
  if (given.length === 1 || (given.length === 2 && isOfPlan(options))) return;
  const all = needed[name].join(' or ');
  const one = needed[name].length > 1 ? 'either ' : '';
  const problem = given.length === 0 ? `needs the option ${all}` : `takes ${one}${all}, not both`;
  throw new UsageError(`${name} ${problem}`, help);
}

/** A plan with the content that it was made of, which is not a file. */
function isOfPlan(options: object): boolean {
  const playbook = fieldOf(options, 'playbook');
  return isRecord(playbook) || String(playbook).includes('\n');
}

const wordsOf: Readonly<Record<Kind, string>> = {
  text: 'a text',
  texts: 'a list of texts',
  playbooks: 'a text, an object, or a list of them',
  truth: 'true or false',
  object: 'an object',
  'text or object': 'a text or an object',
  signal: 'an AbortSignal',
};

function fits(value: unknown, kind: Kind): boolean {
  const isText = typeof value === 'string';
  const isTexts = Array.isArray(value) && value.every((each) => typeof each === 'string');
  switch (kind) {
    case 'text':
      return isText;
    case 'texts':
      return isTexts;
    case 'playbooks':
      return [value].flat().every((each) => fits(each, 'text or object'));
    case 'truth':
      return typeof value === 'boolean';
    case 'object':
      return isRecord(value) && !(Symbol.iterator in value); // the entries of a Map are no fields
    case 'text or object':
      return isText || fits(value, 'object');
    case 'signal':
      return isSignal(value);
  }
}

function unknownOption(name: string, option: string, known: readonly string[]): UsageError {
  const near = nearWord(option, known);
  return new UsageError(
    `${name} has no option ${JSON.stringify(option.slice(0, 100))}`,
    near === undefined ? help : `did you mean ${near}?`,
  );
}
