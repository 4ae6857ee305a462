/** `graph`: the steps of a playbook and what they need, as text, Mermaid or DOT. */
import { exits, type ExitCode } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import type { Playbook } from '../../playbook/playbook.ts';
import { oneOf, outputOf, type Context, type Given } from '../context.ts';
import type { Look } from '../look.ts';
import { loadGiven } from '../playbooks.ts';
import { columns } from '../screens/columns.ts';

export async function run(context: Context, given: Given): Promise<ExitCode> {
  const { out } = context.terminal;
  outputOf(context, ['text']);
  const format = oneOf(given.text('format') ?? 'text', ['text', 'mermaid', 'dot'], '--format');
  const playbook = await loadGiven(given.words[0] ?? '', context);
  const drawn = { text: asText, mermaid: asMermaid, dot: asDot }[format](playbook, out.look);
  out.line(drawn.join('\n'));
  return exits.done;
}

function asText({ name, steps }: Playbook, look: Look): string[] {
  const rows = steps.map(({ id, uses, needs, forEach, condition }) => [
    look.paint('strong', plainText(id, 60)),
    plainText(uses, 60),
    [
      forEach === undefined ? '' : 'for each item',
      condition === undefined ? '' : 'if its condition holds',
      needs.length === 0 ? '' : `after ${needs.join(', ')}`,
    ]
      .filter((words) => words !== '')
      .join(', '),
  ]);
  return [look.paint('strong', plainText(name, 80)), ...columns(rows, look, { indent: 2 })];
}

function asMermaid({ steps }: Playbook): string[] {
  const names = namesOf(steps.map(({ id }) => id));
  return [
    'graph TD',
    ...steps.map(({ id, uses }) => `  ${names.get(id)}["${quoted(id)}<br/>${quoted(uses)}"]`),
    ...steps.flatMap(({ id, needs }) =>
      needs.map((need) => `  ${names.get(need)} --> ${names.get(id)}`),
    ),
  ];
}

function asDot({ name, steps }: Playbook): string[] {
  const names = namesOf(steps.map(({ id }) => id));
  return [
    `digraph "${quoted(name)}" {`,
    '  node [shape=box];',
    ...steps.map(({ id, uses }) => `  ${names.get(id)} [label="${quoted(id)}\\n${quoted(uses)}"];`),
    ...steps.flatMap(({ id, needs }) =>
      needs.map((need) => `  ${names.get(need)} -> ${names.get(id)};`),
    ),
    '}',
  ];
}

/** Names that both languages take, whatever a step is called. */
function namesOf(ids: readonly string[]): ReadonlyMap<string, string> {
  return new Map(ids.map((id, index) => [id, `s${index + 1}`]));
}

function quoted(text: string): string {
  return plainText(text, 80).replaceAll('"', "'").replaceAll('\\', '/');
}
