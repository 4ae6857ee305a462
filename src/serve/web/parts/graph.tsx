/** The steps of a run as a graph with their states: a list for screen readers, lines for the others. */
import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { appendTo } from '../../../base/groups.ts';
import { stateWord } from '../../../report/states.ts';
import type { Answer } from '../api.ts';
import { inZone } from '../zone.ts';
import { Icon } from './icon.tsx';
import { liveTone } from './pill.tsx';

type Graph = Answer<'GET /runs/{run}'>['progress']['graph'];
type Node = Graph['nodes'][number];
type Edge = Graph['edges'][number];
type LinkOf = (address: string) => string;

const groups = ['steps', 'on-failure', 'finally'] as const;

export function StepGraph({
  graph: { nodes, edges, isPlain },
  linkOf,
}: {
  readonly graph: Graph;
  readonly linkOf: LinkOf;
}): JSX.Element {
  const canvas = useRef<HTMLDivElement>(null);
  const paths = usePaths(canvas, nodes, edges);
  return (
    <>
      {isPlain && (
        <p class="dim">This version cannot read the playbook: its steps in their order.</p>
      )}
      <div class="flow" tabIndex={0} role="region" aria-label="Steps and what they wait for">
        <div class="canvas" ref={canvas}>
          <svg aria-hidden="true">
            {edges.map(({ isImplicit }, at) => (
              <path class={isImplicit ? 'implicit' : ''} d={paths[at] ?? ''} />
            ))}
          </svg>
          {groups.map((group) => {
            const own = nodes.filter((node) => node.group === group);
            return own.length === 0 ? null : <Group group={group} nodes={own} linkOf={linkOf} />;
          })}
        </div>
      </div>
    </>
  );
}

function Group({
  group,
  nodes,
  linkOf,
}: {
  readonly group: string;
  readonly nodes: readonly Node[];
  readonly linkOf: LinkOf;
}): JSX.Element {
  const layers = new Map<number, Node[]>();
  for (const node of nodes) appendTo(layers, node.layer, node);
  return (
    <>
      {group !== 'steps' && <h3>{group}</h3>}
      <div role="list" aria-label={group}>
        {[...layers]
          .toSorted(([a], [b]) => a - b)
          .map(([layer, own]) => (
            <div class="layer" role="presentation" key={layer}>
              {own.map((node) => (
                <div role="listitem" key={node.address} data-node={node.address}>
                  <NodeLink node={node} linkOf={linkOf} />
                </div>
              ))}
            </div>
          ))}
      </div>
    </>
  );
}

function NodeLink({
  node: { address, name, title, uses, state, words, detail, items },
  linkOf,
}: {
  readonly node: Node;
  readonly linkOf: LinkOf;
}): JSX.Element {
  const tone = liveTone(state);
  return (
    <a
      class={`node ${tone}`}
      href={linkOf(address)}
      title={title}
      data-row
      aria-current={state === 'running' ? 'step' : undefined}
    >
      <span>
        <Icon name={tone} />
        <b>{name}</b>
      </span>{' '}
      <small>{uses}</small>{' '}
      <small class="state">
        {stateWord(state)}
        {detail !== '' && ` · ${inZone(detail)}`}
      </small>
      <span class="unseen">{words}</span>
      {items !== undefined && (
        <span class="share" aria-hidden="true">
          {items.map((each) => (
            <i class={liveTone(each.state)} style={{ flexGrow: each.n }} />
          ))}
        </span>
      )}
    </a>
  );
}

/** The lines of the edges, from where their nodes are drawn. */
function usePaths(
  canvas: { readonly current: HTMLDivElement | null },
  nodes: readonly Node[],
  edges: readonly Edge[],
): readonly string[] {
  const [paths, setPaths] = useState<readonly string[]>([]);
  const key = JSON.stringify([nodes.map(({ address }) => address), edges]);
  useLayoutEffect(() => {
    const { current } = canvas;
    if (current === null) return;
    const draw = (): void => {
      const places = new Map(
        [...current.querySelectorAll<HTMLElement>('[data-node]')].map((element) => [
          element.dataset['node'],
          element,
        ]),
      );
      const placeOf = (at: number): HTMLElement | undefined => places.get(nodes[at]?.address);
      setPaths(edges.map(({ from, to }) => pathOf(placeOf(from), placeOf(to))));
    };
    const watched = new ResizeObserver(draw);
    watched.observe(current);
    return () => watched.disconnect();
  }, [key]);
  return paths;
}

/** The line from the lower edge of one node to the upper edge of another, with an arrowhead. */
function pathOf(from: HTMLElement | undefined, to: HTMLElement | undefined): string {
  if (from === undefined || to === undefined) return '';
  const [x1, y1] = [from.offsetLeft + from.offsetWidth / 2, from.offsetTop + from.offsetHeight];
  const [x2, y2] = [to.offsetLeft + to.offsetWidth / 2, to.offsetTop];
  const middle = (y1 + y2) / 2;
  const head = `M${x2 - 3} ${y2 - 5}L${x2} ${y2}L${x2 + 3} ${y2 - 5}`;
  return `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}${head}`;
}
