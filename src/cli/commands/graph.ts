/** `graph`: the steps of a playbook and what they need, as a tree, Mermaid or DOT. */
import { exits, type ExitCode } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import type { Playbook, Step } from '../../playbook/playbook.ts';
import { oneOf, type Context, type Given } from '../context.ts';
import { loadGiven } from '../given/playbooks.ts';
import { columns } from '../screens/columns.ts';
import type { Look } from '../screens/look.ts';
import { treeLines, type TreeItem } from '../screens/tree.ts';

export async function run(context: Context, given: Given): Promise<ExitCode> {
  const { out } = context.terminal;
  const format = oneOf(given.text('format') ?? 'text', ['text', 'mermaid', 'dot'], '--format');
  const playbook = await loadGiven(given.words[0] ?? '', context);
  const drawn = { text: asText, mermaid: asMermaid, dot: asDot }[format](playbook, out.look);
  out.line(drawn.join('\n'));
  return exits.done;
}

/** The steps themselves, and those that wait for how they end. */
function groupsOf({ steps, onFailure, finally: last }: Playbook): readonly Group[] {
  return [
    { name: undefined, steps },
    { name: 'on-failure', steps: onFailure },
    { name: 'finally', steps: last },
  ].filter((group) => group.steps.length > 0);
}

interface Group {
  /** Absent for the steps of the playbook. */
  readonly name: string | undefined;
  readonly steps: readonly Step[];
}

/** A step stands under the last of the steps it needs; the others are named beside it. */
function asText(playbook: Playbook, look: Look): string[] {
  const { paint } = look;
  const rows = groupsOf(playbook).flatMap(({ name, steps }) => [
    ...(name === undefined ? [] : [[name, '', '']]),
    ...treeLines(steps.map(treeItem), look).map(({ line, item: step }) => [
      line + paint('strong', plainText(step.id, 60)),
      plainText(step.uses, 60),
      wordsOf(step),
    ]),
  ]);
  return [paint('strong', plainText(playbook.name, 80)), ...columns(rows, look, { indent: 0 })];
}

function treeItem(step: Step): TreeItem<Step> {
  const parent = step.needs.at(-1);
  return { id: step.id, item: step, ...(parent !== undefined && { parent }) };
}

function wordsOf({ forEach, condition, needs }: Step): string {
  const others = needs.slice(0, -1);
  return [
    ...(forEach === undefined ? [] : ['for each item']),
    ...(condition === undefined ? [] : ['if its condition holds']),
    ...(others.length === 0 ? [] : [`also after ${others.join(', ')}`]),
  ].join(', ');
}

function asMermaid(playbook: Playbook): string[] {
  const names = namesOf(playbook);
  return [
    'graph TD',
    ...groupsOf(playbook).flatMap(({ name, steps }) => {
      const nodes = steps.map(
        (step) => `  ${names.get(step)}["${inMermaid(step.id)}<br/>${inMermaid(step.uses)}"]`,
      );
      return name === undefined
        ? [...nodes, ...edges(steps, names).map(([from, to]) => `  ${from} --> ${to}`)]
        : [
            `  subgraph ${name.replace('-', '_')}["${name}"]`,
            ...nodes.map((node) => `  ${node}`),
            '  end',
          ];
    }),
  ];
}

function asDot(playbook: Playbook): string[] {
  const names = namesOf(playbook);
  return [
    `digraph "${inDot(playbook.name)}" {`,
    '  node [shape=box];',
    ...groupsOf(playbook).flatMap(({ name, steps }) => {
      const nodes = steps.map(
        (step) => `  ${names.get(step)} [label="${inDot(step.id)}\\n${inDot(step.uses)}"];`,
      );
      return name === undefined
        ? [...nodes, ...edges(steps, names).map(([from, to]) => `  ${from} -> ${to};`)]
        : [
            `  subgraph "cluster_${name}" {`,
            `    label="${name}";`,
            ...nodes.map((node) => `  ${node}`),
            '  }',
          ];
    }),
    '}',
  ];
}

/** Names that both languages take, whatever a step is called. */
function namesOf(playbook: Playbook): ReadonlyMap<Step, string> {
  const steps = groupsOf(playbook).flatMap((group) => group.steps);
  return new Map(steps.map((step, index) => [step, `s${index + 1}`]));
}

function edges(
  steps: readonly Step[],
  names: ReadonlyMap<Step, string>,
): readonly (readonly [string, string])[] {
  const byId = new Map(steps.map((step) => [step.id, names.get(step) ?? '']));
  return steps.flatMap((step) =>
    step.needs.map((need) => [byId.get(need) ?? '', names.get(step) ?? ''] as const),
  );
}

/** Mermaid reads its labels as HTML, with entities of its own. */
function inMermaid(text: string): string {
  return plainText(text, 80).replace(/[#"<>&]/g, (character) => `#${character.charCodeAt(0)};`);
}

function inDot(text: string): string {
  return plainText(text, 80).replace(/["\\]/g, (character) => `\\${character}`);
}
