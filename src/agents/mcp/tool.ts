/** The definition of a tool: its arguments, its result, and its possible changes. */
import type { JsonSchema, Schema } from '../../exchange/api/schema.ts';
import { record } from '../../exchange/api/schema.ts';
import { schemaProblems } from '../../exchange/api/check.ts';
import { isJsonRecord, type Json } from '../../base/json.ts';
import { ArgumentError } from './refusal.ts';
import type { ToolContext } from './tool-context.ts';

/** The places where a tool writes: nowhere, or new files in the folder and its state folder. */
export type Writes = 'nothing' | 'files';

export interface ToolResult {
  /** The result as data that fits the output schema. */
  readonly structured: Readonly<Record<string, unknown>>;
  /** The result as text for people; default: its JSON. */
  readonly text?: string;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  readonly writes: Writes;
  /** Whether it may send requests, to the exchange or to a state store. */
  readonly isConnected: boolean;
  /** Calls the tool. @throws ArgumentError for arguments that do not fit; DeskhandError */
  call(args: unknown, desk: ToolContext, signal: AbortSignal): Promise<ToolResult>;
}

interface Definition<I> extends Omit<Tool, 'input' | 'output' | 'call'> {
  readonly input: Schema<I>;
  readonly output: Schema<unknown>;
  readonly call: (args: I, desk: ToolContext, signal: AbortSignal) => Promise<ToolResult>;
}

/** A tool whose arguments are checked before each call. */
export function tool<I>({ input, output, call, ...rest }: Definition<I>): Tool {
  return {
    ...rest,
    input: input.json,
    output: { type: 'object', ...published(output.json) }, // clients require it, also beside `anyOf`
    call: async (args, desk, signal) => {
      checkArguments(input, args);
      return call(args, desk, signal);
    },
  };
}

/**
 * A schema without formats that only this program knows: clients warn of them, or refuse the
 * schema.
 */
function published(schema: JsonSchema): JsonSchema {
  const { format: _format, ...rest } = schema;
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, inside(value)]));
}

function inside(value: Json): Json {
  if (Array.isArray(value)) return value.map(inside);
  return isJsonRecord(value) ? published(value) : value;
}

/** The schema of a tool's arguments: no others are accepted. */
export const argumentsOf: typeof record = (fields) =>
  record(fields, { additionalProperties: false });

/** Checks arguments against a schema. @throws ArgumentError for the first problem */
function checkArguments<I>(schema: Schema<I>, args: unknown): asserts args is I {
  const [problem] = schemaProblems(schema.json, args);
  if (problem === undefined) return;
  const where = problem.path.length === 0 ? 'arguments' : problem.path.join('.');
  throw new ArgumentError(where, problem.message, problem.hint ?? 'see the schema of this tool');
}
