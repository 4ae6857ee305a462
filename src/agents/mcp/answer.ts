/** The result of a call: masked, without invisible characters, and of limited size. */
import { redactJson } from '../../base/secret.ts';
import { escapeControls, jsonLine } from '../../base/text.ts';
import { failureOf, ToolLimitError } from './refusal.ts';
import type { ToolResult } from './tool.ts';

export interface Answer {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
}

const resultMax = 2_000_000; // characters of JSON; no client reads more
const textMax = 200_000; // characters

/** The result of a tool as an answer. @throws ToolLimitError for a larger result */
export function answerOf(
  { structured, text }: ToolResult,
  redact: (text: string) => string,
): Answer {
  const shown = redactJson(plain(structured), (each) => visible(redact(each)));
  const json = jsonLine(shown);
  if (json.length > resultMax) {
    throw new ToolLimitError(
      `the result has ${json.length} characters, and a tool returns at most ${resultMax}`,
      'ask for less, or run the command in a terminal',
    );
  }
  const words = text === undefined ? json : visible(redact(text));
  return { ...content(words), structuredContent: { ...(shown as object) } };
}

/** An error as the result of a tool. */
export function refusalOf(error: unknown, redact: (text: string) => string): Answer {
  const failure = redactJson(failureOf(error), (each) => visible(redact(each)));
  return { ...content(jsonLine({ error: failure })), isError: true };
}

function content(text: string): Pick<Answer, 'content'> {
  const cut = text.length > textMax ? `${text.slice(0, textMax)}\n… (truncated)` : text;
  return { content: [{ type: 'text', text: cut }] };
}

/** The JSON of a value without its undefined fields. */
function plain(value: object): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** A text without invisible characters; line feeds and tabs remain. */
function visible(text: string): string {
  return text
    .split('\n')
    .map((line) => line.split('\t').map(escapeControls).join('\t'))
    .join('\n');
}
