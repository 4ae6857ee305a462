/** A playbook after parsing: the tree that planning and running walk. */
import type { Millis } from '../base/clock.ts';
import type { Json } from '../base/json.ts';
import type { OperationName } from '../api/operations/index.ts';
import type { Effort } from './expression/effort.ts';
import type { ExpressionNode } from './expression/node.ts';
import type { Type } from './expression/type.ts';
import type { Lookup, Scope } from './expression/value.ts';
import type { GuardRules } from './limits.ts';
import type { SourceRange } from './source-range.ts';

/** One `{{ … }}`, parsed and typed. */
export interface Expression {
  readonly text: string;
  readonly at: SourceRange;
  readonly references: readonly Reference[];
  readonly node: ExpressionNode;
  /** Counts what this and all other expressions of the playbook cost. */
  readonly effort: Effort;
  /**
   * @throws EvaluationError when a helper refuses its arguments or a path has no value
   */
  evaluate(scope: Scope): Lookup;
}

/** A path an expression reads: `steps.subs.outputs` has root `steps` and two more words. */
export interface Reference {
  readonly root: string;
  readonly path: readonly string[];
  readonly at: SourceRange;
}

/** A value in a playbook that may hold expressions. */
export type Template =
  /** `source` is the text as written, so that numbers keep every digit. */
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
  /** A text with blocks, which only a page has. */
  | { readonly kind: 'prose'; readonly parts: BlockBody; readonly at: SourceRange }
  | { readonly kind: 'list'; readonly items: readonly Template[]; readonly at: SourceRange }
  | {
      readonly kind: 'map';
      readonly entries: ReadonlyMap<string, Template>;
      readonly at: SourceRange;
    };

/** What is between the tags of a block. */
export type BlockBody = readonly (string | Expression | Block)[];

/** The words a block may begin with. */
export const blockWords = ['each', 'if', 'unless'] as const;

/** A part of a text that is repeated for each member, or depends on a condition. */
export interface Block {
  readonly block: (typeof blockWords)[number];
  /** The collection, or the condition. */
  readonly over: Expression;
  readonly body: BlockBody;
  /** After `else`: where there is no member, or the condition is not met. */
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
  'enum',
] as const;
export type InputType = (typeof inputTypes)[number];

export interface InputDeclaration {
  readonly name: string;
  readonly type: InputType;
  readonly at: SourceRange;
  readonly description?: string;
  readonly default?: Template;
  readonly isRequired: boolean;
  /** Of a list's items or a map's values. */
  readonly items?: Omit<InputDeclaration, 'name' | 'isRequired' | 'at'>;
  /** Allowed words of an enum. */
  readonly values?: readonly string[];
  readonly pattern?: string;
  /** Bounds as written, inclusive, compared as decimals. */
  readonly minimum?: string;
  readonly maximum?: string;
}

/** What may be used as a step next to the exchange's operations. */
export const builtIns = [
  'wait',
  'report/table',
  'report/chart',
  'report/page',
  'notify/webhook',
  'shell/run',
] as const;
export type BuiltIn = (typeof builtIns)[number];

/** What a step does; the performers of a run are a table over `kind`. */
export type Action =
  | { readonly kind: 'call'; readonly operation: OperationName }
  | { readonly kind: 'built-in'; readonly name: BuiltIn }
  | {
      readonly kind: 'playbook';
      readonly playbook: Playbook;
      /** The type of its outputs. */
      readonly answer: Type;
    }
  /** `uses` cannot be read, which was reported; no proved playbook has it. */
  | { readonly kind: 'none' };

export interface Step {
  readonly id: string;
  /** Its id, under the items that brought it in: `desks[alpha]/ladder`; the id alone on top. */
  readonly path: string;
  readonly name?: string;
  readonly at: SourceRange;
  /** `uses` as written, and where. */
  readonly uses: string;
  readonly usesAt: SourceRange;
  readonly action: Action;
  /** A profile other than the playbook's. */
  readonly account?: Template;
  /** Steps that must be finished before; the file's order by default. */
  readonly needs: readonly string[];
  readonly forEach?: Template;
  readonly key?: Template;
  readonly condition?: Expression;
  readonly with: ReadonlyMap<string, Template>;
  readonly outputs?: ReadonlyMap<string, Template>;
  readonly expect: readonly Expectation[];
  readonly until?: Expression;
  readonly poll?: { readonly everyMs: Millis; readonly forMs: Millis };
  readonly write?: Write;
  readonly oncePer: 'run' | 'playbook';
  readonly onError: 'stop' | 'continue';
  readonly timeoutMs?: Millis;
  /** Maximum number of attempts, including the first. */
  readonly attempts?: number;
  /** Items of a for-each that may be in progress at once; default 1. */
  readonly parallel: number;
}

export interface Expectation {
  readonly that: Expression;
  readonly message?: Template;
  readonly level: 'error' | 'warn';
  readonly at: SourceRange;
}

export const writeFormats = ['csv', 'ndjson', 'json', 'parquet', 'xlsx'] as const;
export type WriteFormat = (typeof writeFormats)[number];

/** Rows of a read as a file. */
export interface Write {
  readonly file: Template;
  /** From the file's ending by default. */
  readonly format?: WriteFormat;
  /** Column name to a template over `row`; all fields when absent. */
  readonly columns?: ReadonlyMap<string, Template>;
  /** Columns that together name a row; a second row of that name is an error. */
  readonly unique?: readonly string[];
  readonly sort?: readonly string[];
  /** Where `unique` and `sort` are. */
  readonly places: { readonly unique?: SourceRange; readonly sort?: SourceRange };
  /** Whatever is under the name; an earlier export that is whole, when absent. */
  readonly overwrite?: boolean;
}

/** Limits an author sets on the playbook itself; they may only tighten the profile's. */
export interface Guards extends Omit<GuardRules, 'symbols' | 'hours'> {
  readonly symbols?: Template;
  /** Any of these has to be now. */
  readonly hours?: readonly string[];
}

export interface ScheduleEntry {
  readonly cron: string;
  readonly timezone: string;
  readonly only?: readonly string[];
  /** Absent, it is `once` for what only reads and `skip` for what writes. */
  readonly missed?: 'skip' | 'once' | 'all';
  readonly overlap: 'skip' | 'queue';
  /** How old a missed time may be and still be made up. */
  readonly withinMs?: Millis;
  /** How late a run may begin without counting as missed. */
  readonly lateMs?: Millis;
  /** Every time is put off by the same part of this, which follows from the schedule's name. */
  readonly jitterMs?: Millis;
}

/** A playbook's file as it was when it was read. */
export interface Included {
  /** As named from where the command ran. */
  readonly file: string;
  readonly digest: string;
  readonly text: string;
}

export interface Playbook {
  readonly name: string;
  readonly description?: string;
  /** As named on the command line, for messages. */
  readonly file: string;
  /** The whole text, kept so that a run can be resumed without the file. */
  readonly text: string;
  /** sha256 of the text. */
  readonly digest: string;
  /** Every playbook used by a step of it, or by a step of those; each once, sorted by file. */
  readonly includes: readonly Included[];
  readonly inputs: ReadonlyMap<string, InputDeclaration>;
  readonly account?: string;
  readonly guards: Guards;
  readonly schedule: readonly ScheduleEntry[];
  readonly defaults: { readonly timeoutMs?: Millis; readonly attempts?: number };
  /** Steps that may be in progress at once when neither waits for the other; default 1. */
  readonly parallel: number;
  /** In an order that honours `needs` and otherwise the file. */
  readonly steps: readonly Step[];
  /** Some of its steps were asked for, and the others left out. */
  readonly isPart?: true;
  readonly onFailure: readonly Step[];
  readonly finally: readonly Step[];
  readonly outputs: ReadonlyMap<string, Template>;
}
