/** A parsed playbook: the tree for planning and running. */
import type { Millis } from '../base/clock.ts';
import type { CsvStyle } from '../base/csv-style.ts';
import type { Json } from '../base/json.ts';
import type { ColumnTypes } from '../exchange/api/column-types.ts';
import type { OperationName } from '../exchange/api/operations/index.ts';
import type { Effort } from './expression/effort.ts';
import type { ExpressionNode, LocalValue } from './expression/node.ts';
import type { Type } from './expression/type.ts';
import type { Lookup, Scope } from './expression/value.ts';
import type { GuardRules } from './limits.ts';
import type { SourceRange } from './source-range.ts';

/** One `{{ … }}`, parsed and typed. */
export interface Expression {
  readonly text: string;
  readonly at: SourceRange;
  readonly references: readonly Reference[];
  /** The values of `let` that it names. */
  readonly locals: readonly LocalValue[];
  readonly node: ExpressionNode;
  /** Counts the cost of this and all other expressions of the playbook. */
  readonly effort: Effort;
  /** @throws EvaluationError when a helper refuses its arguments or a path has no value */
  evaluate(scope: Scope): Lookup;
}

/** A value of `let` in the file. */
export interface Named {
  readonly template: Template;
  readonly local: LocalValue;
  /** The location of the value's name. */
  readonly at: SourceRange;
}

/** A path in an expression: `steps.subs.outputs` has the root `steps` and two more names. */
export interface Reference {
  readonly root: string;
  readonly path: readonly string[];
  readonly at: SourceRange;
}

/** A value in a playbook that may contain expressions. */
export type Template =
  /** `source` is the text as written, with every digit of a number. */
  | {
      readonly kind: 'literal';
      readonly value: Json;
      readonly source: string;
      readonly at: SourceRange;
    }
  | { readonly kind: 'expression'; readonly expression: Expression; readonly at: SourceRange }
  | {
      readonly kind: 'text';
      readonly parts: readonly (string | Expression)[];
      readonly at: SourceRange;
    }
  /** A text with blocks, allowed only in pages. */
  | { readonly kind: 'prose'; readonly parts: BlockBody; readonly at: SourceRange }
  | { readonly kind: 'list'; readonly items: readonly Template[]; readonly at: SourceRange }
  | {
      readonly kind: 'map';
      readonly entries: ReadonlyMap<string, Template>;
      readonly at: SourceRange;
    };

/** The content of a block's tag. */
export type BlockBody = readonly (string | Expression | Block)[];

/** The keywords of blocks. */
export const blockWords = ['each', 'if', 'unless'] as const;

/** A part of a text that is repeated for each member, or depends on a condition. */
export interface Block {
  readonly block: (typeof blockWords)[number];
  /** The collection, or the condition. */
  readonly over: Expression;
  readonly body: BlockBody;
  /** The part after `else`, for a collection without members or a condition that is false. */
  readonly otherwise: BlockBody;
}

export const inputTypes = [
  'string',
  'integer',
  'decimal',
  'boolean',
  'time',
  'duration',
  'list',
  'map',
  'record',
  'enum',
] as const;
export type InputType = (typeof inputTypes)[number];

/** The type of a value, and its limits. */
export interface DeclaredType {
  readonly type: InputType;
  readonly description?: string;
  /** Type of a list's items or a map's values. */
  readonly items?: DeclaredType;
  /** The fields of a record, in the order of the file. */
  readonly fields?: ReadonlyMap<string, FieldDeclaration>;
  /** Allowed values of an enum. */
  readonly values?: readonly string[];
  readonly pattern?: string;
  /** Bounds as written, inclusive, compared as decimals. */
  readonly minimum?: string;
  readonly maximum?: string;
}

/** A field of a record: required, unless it has a default or is optional. */
export interface FieldDeclaration extends DeclaredType {
  readonly default?: Template;
  readonly isOptional: boolean;
}

export interface InputDeclaration extends DeclaredType {
  readonly name: string;
  readonly at: SourceRange;
  readonly default?: Template;
  readonly isRequired: boolean;
}

/** Built-in steps, in addition to the exchange's operations. */
export const builtIns = [
  'wait',
  'approve',
  'report/table',
  'report/chart',
  'report/page',
  'notify/webhook',
  'shell/run',
] as const;
export type BuiltIn = (typeof builtIns)[number];

/** The action of a step; effects are selected by `kind`. */
export type Action =
  | { readonly kind: 'call'; readonly operation: OperationName }
  | { readonly kind: 'built-in'; readonly name: BuiltIn }
  | {
      readonly kind: 'playbook';
      readonly playbook: Playbook;
      /** The type of the nested playbook's outputs. */
      readonly answer: Type;
    }
  /** `uses` is invalid, which was reported; no validated playbook has it. */
  | { readonly kind: 'none' };

export interface Step {
  readonly id: string;
  /** The step's id, below those of its outer items: `desks[alpha]/ladder`; only the id at the top level. */
  readonly path: string;
  readonly name?: string;
  readonly at: SourceRange;
  /** `uses` as written, with its location. */
  readonly uses: string;
  readonly usesAt: SourceRange;
  readonly action: Action;
  /** A profile other than the playbook's. */
  readonly account?: Template;
  /** Steps that must finish first; default: the order of the file. */
  readonly needs: readonly string[];
  readonly forEach?: Template;
  /** Whether the for-each is a matrix: its items are the combinations of several lists. */
  readonly isMatrix?: true;
  readonly key?: Template;
  readonly condition?: Expression;
  /** Values by name for the other keys of the step, except `for-each`. */
  readonly let: ReadonlyMap<string, Named>;
  readonly with: ReadonlyMap<string, Template>;
  readonly outputs?: ReadonlyMap<string, Template>;
  readonly expect: readonly Expectation[];
  readonly until?: Expression;
  readonly poll?: { readonly everyMs: Millis; readonly forMs: Millis };
  readonly write?: Write;
  readonly oncePer: 'run' | 'playbook';
  /** `partial`: the items that succeeded are the result of a for-each. */
  readonly onError: OnError;
  /** Failed items of a for-each after which no other starts; default: unlimited. */
  readonly maxFailures?: number;
  readonly timeoutMs?: Millis;
  /** The maximum number of attempts, including the first, not counting rate limits. */
  readonly attempts?: number;
  /** Maximum concurrent items of a for-each; default 1. */
  readonly parallel: number;
}

/** The treatment of later steps after a failure. */
export const onErrorWords = ['stop', 'continue', 'partial'] as const;
export type OnError = (typeof onErrorWords)[number];

export interface Expectation {
  readonly that: Expression;
  readonly message?: Template;
  readonly level: 'error' | 'warn';
  readonly at: SourceRange;
}

export const writeFormats = ['csv', 'ndjson', 'json', 'parquet', 'xlsx'] as const;
export type WriteFormat = (typeof writeFormats)[number];

/** Writes the rows of a read to a file. */
export interface Write {
  readonly file: Template;
  /** The format of the file. Default: by the file's extension. */
  readonly format?: WriteFormat;
  /** Column name to a template over `row`; default: all fields. */
  readonly columns?: ReadonlyMap<string, Template>;
  /** Types that columns have in formats with types; default: those of their values. */
  readonly types?: ColumnTypes;
  readonly csv?: CsvStyle;
  /** Columns that together identify a row; a second such row is an error. */
  readonly unique?: readonly string[];
  /** The columns to sort by; with `sheets`, the column of the sheets is the first. */
  readonly sort?: readonly string[];
  /** The column whose values are the sheets of a workbook. */
  readonly sheets?: string;
  /** The locations of `unique`, `sort` and `sheets`. */
  readonly places: { readonly [key in 'unique' | 'sort' | 'sheets']?: SourceRange };
  /** true replaces any file; default: only a complete earlier export. */
  readonly overwrite?: boolean;
  /** Continues the files of earlier runs, and reads the last part of their time range again. */
  readonly since?: { readonly overlapMs: Millis };
}

/** Limits in the playbook itself; they can only tighten the profile's. */
export interface Guards extends Omit<GuardRules, 'symbols' | 'hours'> {
  readonly symbols?: Template;
  /** The ranges of time in which the run is allowed: the current time must be within one of them. */
  readonly hours?: readonly string[];
}

export interface ScheduleEntry {
  readonly cron: string;
  readonly timezone: string;
  readonly only?: readonly string[];
  /**
   * The treatment of missed occurrences. Default: `once` for playbooks that only read and `skip` for
   * those that write.
   */
  readonly missed?: 'skip' | 'once' | 'all';
  readonly overlap: 'skip' | 'queue';
  /** Maximum age of a missed occurrence that still runs. */
  readonly withinMs?: Millis;
  /** The maximum delay of a run that does not count as missed. */
  readonly lateMs?: Millis;
  /** Every occurrence is delayed by the same fraction of this, derived from the schedule's id. */
  readonly jitterMs?: Millis;
}

/** The content of a playbook's file when it was read. */
export interface Included {
  /** Path relative to the working directory. */
  readonly file: string;
  readonly digest: string;
  readonly text: string;
}

export interface Playbook {
  readonly name: string;
  readonly description?: string;
  /** The file as named on the command line, for messages. */
  readonly file: string;
  /** The whole text, so that a run can be resumed without the file. */
  readonly text: string;
  /** The sha256 of the text. */
  readonly digest: string;
  /** All nested playbooks at any depth, each once, sorted by file. */
  readonly includes: readonly Included[];
  readonly inputs: ReadonlyMap<string, InputDeclaration>;
  /** Values by name for everything below the inputs. */
  readonly let: ReadonlyMap<string, Named>;
  readonly account?: string;
  /** Maximum items of a for-each: the limit of its profile. */
  readonly itemsMax: number;
  readonly guards: Guards;
  readonly schedule: readonly ScheduleEntry[];
  readonly defaults: { readonly timeoutMs?: Millis; readonly attempts?: number };
  /** Maximum concurrent independent steps; default 1. */
  readonly parallel: number;
  /** The steps in an order that satisfies `needs`, otherwise in that of the file. */
  readonly steps: readonly Step[];
  /** Whether only some steps of the playbook were selected. */
  readonly isPart?: true;
  readonly onFailure: readonly Step[];
  readonly finally: readonly Step[];
  readonly outputs: ReadonlyMap<string, Template>;
}
