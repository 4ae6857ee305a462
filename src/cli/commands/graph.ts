/** `graph`: shows the steps of a playbook and their dependencies, as a tree, Mermaid, DOT or Arazzo. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import { arazzoOf } from '../../language/arazzo.ts';
import { yamlOf } from '../../language/yaml-text.ts';
import type { Playbook, Step } from '../../language/playbook.ts';
import { waitingIn } from '../../language/sequence.ts';
import { edgesOf, groupsOf, placedSteps, stepWords } from '../../language/step-graph.ts';
import { oneOf, outputOf, type Context, type Args } from '../context.ts';
import { loadArguments } from '../args/playbook-argument.ts';
import { configToRead } from '../../app/config/opened.ts';
import type { GraphOutput } from '../../app/documents/playbooks.ts';
import { columns } from '../../report/terminal/columns.ts';
import type { Theme } from '../../report/terminal/theme.ts';
import { branches } from '../../report/terminal/tree.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { out } = context.terminal;
  const format = oneOf(args.text('format') ?? 'text', ['text', 'mermaid', 'dot'], '--format');
  const config = await configToRead(context);
  const playbook = await loadArguments(args.positionals[0] ?? '', config, context);
  const output = outputOf(context, ['text', 'json', 'arazzo']);
  if (output === 'json') {
    out.json(asData(playbook));
    return exits.done;
  }
  if (output === 'arazzo') {
    out.line(asArazzo(playbook));
    return exits.done;
  }
  const drawn = { text: asText, mermaid: asMermaid, dot: asDot }[format](playbook, out.theme);
  out.line(drawn.join('\n'));
  return exits.done;
}

/** The playbook as Arazzo in YAML, which expects `openapi.json` of our schemas beside it. */
function asArazzo(playbook: Playbook): string {
  const description = arazzoOf(playbook, './openapi.json');
  if (description !== undefined) return yamlOf(description).trimEnd();
  throw new UsageError(
    `${plainText(playbook.name, 80)} cannot be an Arazzo workflow: no step of it calls the exchange`,
    '-o json shows all steps',
  );
}

/**
 * The steps as data: each with the steps it needs, and those it follows by the order of the file.
 */
function asData(playbook: Playbook): GraphOutput {
  const waiting = waitingIn(playbook);
  const steps = groupsOf(playbook).flatMap(({ name, steps: all }) =>
    all.map((step) => ({
      id: step.id,
      group: name ?? ('steps' as const),
      uses: step.uses,
      needs: step.needs,
      follows: waiting.get(step)?.implicit ?? [],
    })),
  );
  return { version: 1, playbook: playbook.name, steps };
}

/**
 * The steps as a tree. A step is shown below the last of the steps it needs; the others it waits
 * for are listed beside it.
 */
function asText(playbook: Playbook, theme: Theme): string[] {
  const { paint } = theme;
  const waiting = waitingIn(playbook);
  const rows = groupsOf(playbook).flatMap(({ name, steps }) => {
    const placed = placedSteps(steps);
    const lines = branches(placed, theme);
    return [
      ...(name === undefined ? [] : [[name, '', '']]),
      ...placed.map((place, at) => [
        (lines[at] ?? '') + paint('strong', plainText(place.step.id, 60)),
        plainText(place.step.uses, 60),
        stepWords(place, waiting.get(place.step)),
      ]),
    ];
  });
  return [paint('strong', plainText(playbook.name, 80)), ...columns(rows, theme, { indent: 0 })];
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
        ? [
            ...nodes,
            ...edges(playbook, names).map(
              ({ from, to, isImplicit }) => `  ${from} ${isImplicit ? '-.->' : '-->'} ${to}`,
            ),
          ]
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
        ? [
            ...nodes,
            ...edges(playbook, names).map(
              ({ from, to, isImplicit }) =>
                `  ${from} -> ${to}${isImplicit ? ' [style=dashed]' : ''};`,
            ),
          ]
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

/** Names of steps that are valid in both Mermaid and DOT, for any step id. */
function namesOf(playbook: Playbook): ReadonlyMap<Step, string> {
  const steps = groupsOf(playbook).flatMap((group) => group.steps);
  return new Map(steps.map((step, index) => [step, `s${index + 1}`]));
}

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly isImplicit: boolean;
}

/** The edges between the steps themselves, by the names of the steps. */
function edges(playbook: Playbook, names: ReadonlyMap<Step, string>): readonly Edge[] {
  return edgesOf(playbook).map(({ from, to, isImplicit }) => ({
    from: names.get(from) ?? '',
    to: names.get(to) ?? '',
    isImplicit,
  }));
}

/** Escapes a label for Mermaid, which reads labels as HTML with additional entities. */
function inMermaid(text: string): string {
  return plainText(text, 80).replace(/[#"<>&]/g, (character) => `#${character.charCodeAt(0)};`);
}

function inDot(text: string): string {
  return plainText(text, 80).replace(/["\\]/g, (character) => `\\${character}`);
}
