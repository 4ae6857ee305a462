/** The steps of recorded playbooks and what they wait for, kept for those that were shown last. */
import { loadPlaybook } from '../../../language/load.ts';
import { itemsHighest } from '../../../language/expression/value.ts';
import { stepsAsIn } from '../../../language/only.ts';
import type { Playbook, Step } from '../../../language/playbook.ts';
import { waitingIn, type Waiting } from '../../../language/sequence.ts';
import { edgesOf, groupsOf, layersOf } from '../../../language/step-graph.ts';
import type { Story } from '../../../report/story.ts';

export type Started = Story['started'];

/** The steps of a playbook as a graph. */
export interface Structure {
  /** The steps in the order of the run; those of `on-failure` and `finally` come last. */
  readonly nodes: readonly StructureNode[];
  readonly edges: readonly StructureEdge[];
}

export interface StructureNode {
  readonly step: Step;
  readonly group: 'steps' | 'on-failure' | 'finally';
  /** The layer of the step, which is below those of the steps for which it waits. */
  readonly layer: number;
  readonly waiting: Waiting | undefined;
}

export interface StructureEdge {
  readonly from: Step;
  readonly to: Step;
  readonly isImplicit: boolean;
}

export interface Structures {
  /**
   * The steps of a run's playbook, or of one nested in it.
   * @param around the steps that run the nested playbooks, outermost first
   * @returns undefined if this version refuses the recorded text
   */
  of(started: Started, around: readonly string[]): Structure | undefined;
}

const kept = 4; // playbooks; the text of 4,000 steps takes 20 MB as a tree

export function openStructures(): Structures {
  const loaded = new Map<string, Playbook | undefined>();
  const made = new WeakMap<Playbook, Structure>();
  const parts = new Map<string, Playbook>();
  const whole = ({ playbook, naming }: Started): Playbook | undefined =>
    remembered(loaded, keyOf(playbook), () => {
      const { text, file, includes = [] } = playbook;
      const { playbook: read } = loadPlaybook(text, file, {
        include: (name) => includes.find((other) => other.file === name)?.text,
        itemsMax: () => itemsHighest,
        isBegun: naming === undefined,
        isResumed: true,
      });
      return read;
    });
  return {
    of: (started, around) => {
      const all = whole(started);
      if (all === undefined) return undefined;
      const own = remembered(parts, `${started.run} ${keyOf(started.playbook)}`, () =>
        stepsAsIn(all, started),
      );
      const playbook = around.reduce<Playbook | undefined>(nestedIn, own);
      if (playbook === undefined) return undefined;
      const known = made.get(playbook) ?? structureOf(playbook);
      made.set(playbook, known);
      return known;
    },
  };
}

/** The value of a key, made if it is not among the last ones that were asked for. */
function remembered<T>(values: Map<string, T>, key: string, make: () => T): T {
  const value = values.has(key) ? (values.get(key) as T) : make();
  values.delete(key);
  values.set(key, value);
  for (const oldest of values.keys()) {
    if (values.size <= kept) break;
    values.delete(oldest);
  }
  return value;
}

function keyOf({ file, digest, includes = [] }: Started['playbook']): string {
  return [file, digest, ...includes.map((each) => each.digest)].join(' ');
}

/** The playbook that a step runs. */
function nestedIn(playbook: Playbook | undefined, id: string): Playbook | undefined {
  const groups = playbook === undefined ? [] : groupsOf(playbook);
  const step = groups.flatMap(({ steps }) => steps).find((each) => each.id === id);
  return step?.action.kind === 'playbook' ? step.action.playbook : undefined;
}

function structureOf(playbook: Playbook): Structure {
  const groups = groupsOf(playbook).map(({ name, steps }) => {
    // The steps of `on-failure` and `finally` run one after another.
    const sequence = { steps, parallel: name === undefined ? playbook.parallel : 1 };
    const edges = edgesOf(sequence);
    const layers = layersOf(steps, edges);
    const waiting = waitingIn(sequence);
    const nodes = steps.map((step): StructureNode => {
      const group = name ?? 'steps';
      return { step, group, layer: layers.get(step) ?? 0, waiting: waiting.get(step) };
    });
    return { nodes, edges };
  });
  return {
    nodes: groups.flatMap(({ nodes }) => nodes),
    edges: groups.flatMap(({ edges }) => edges),
  };
}
