/** The outcome of a run above its tabs: in numbers, why it stopped, its warnings and its outputs. */
import type { JSX } from 'preact';
import type { Answer } from '../api.ts';
import { Code, Drawn, FactList } from './inline.tsx';
import { Panel } from './panel.tsx';

type View = Answer<'GET /runs/{run}'>;

export function RunOutcome({ view }: { readonly view: View }): JSX.Element {
  return (
    <>
      <Tallies view={view} />
      <Stop view={view} />
      <Warnings view={view} />
      <Outputs view={view} />
    </>
  );
}

function Tallies({ view }: { readonly view: View }): JSX.Element {
  return (
    <section class="tallies" aria-label="The outcome in numbers">
      {view.tallies.map(({ name, n, tone, note }) => (
        <div class={`tally ${n === 0 ? 'zero' : tone}`}>
          <h2>{name}</h2>
          <b>{n}</b>
          <p>{note}</p>
        </div>
      ))}
    </section>
  );
}

function Stop({ view: { stop } }: { readonly view: View }): JSX.Element | null {
  if (stop === undefined) return null;
  const { title, code, message, source, place, lines, hint } = stop;
  return (
    <Panel id="stop" title={title} tone="bad">
      <p>
        {code !== '' && <code>{code}</code>} <b>{message}</b>
      </p>
      <p class="dim">
        <Drawn of={source} />
      </p>
      {lines.length > 0 && (
        <figure>
          <figcaption class="dim">{place}</figcaption>
          <Code lines={lines} name={place} />
        </figure>
      )}
      {hint !== undefined && <p>{hint}</p>}
    </Panel>
  );
}

function Warnings({ view: { warnings } }: { readonly view: View }): JSX.Element | null {
  if (warnings.length === 0) return null;
  return (
    <Panel id="warnings" title="Warnings" tone="warn">
      <FactList facts={warnings} />
    </Panel>
  );
}

function Outputs({ view: { outputs } }: { readonly view: View }): JSX.Element | null {
  if (outputs.length === 0) return null;
  return (
    <Panel id="outputs" title="Outputs">
      <FactList facts={outputs} />
    </Panel>
  );
}
