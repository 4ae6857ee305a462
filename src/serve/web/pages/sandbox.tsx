/** The sandbox: clock, prices, faults, positions, ledger, and advance, fault, reset. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { write, type Answer } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { Action } from '../parts/action.tsx';
import { DataTable } from '../parts/inline.tsx';
import { Empty, Failed, Panel } from '../parts/panel.tsx';
import { ExactTime } from '../parts/time.tsx';
import { query } from '../router.ts';
import { useMayAct } from '../who.ts';

type World = Answer<'GET /sandbox'>['worlds'][number];

export function Sandbox(): JSX.Element {
  const page = query.value.get('page') ?? '';
  const { answer, failure } = useLoaded(
    'GET /sandbox',
    page === '' ? {} : { page },
    undefined,
    2_000,
  );
  useEffect(() => {
    document.title = 'Sandbox · deskhand';
  }, []);
  return (
    <>
      <h1>Sandbox</h1>
      <Failed failure={failure} />
      {answer?.worlds.length === 0 && (
        <section class="panel flush" aria-label="Sandbox">
          <Empty text="No sandbox here. Start one:" command="deskhand sandbox start --keep" />
        </section>
      )}
      {answer?.worlds.map((world) => (
        <One key={world.desk} world={world} />
      ))}
    </>
  );
}

function One({ world }: { readonly world: World }): JSX.Element {
  const { place, now, mode, prices, faults, positions, ledger } = world;
  return (
    <>
      <Panel id="clock" title="Clock">
        <p>
          <ExactTime at={now} /> <span class="dim">{mode}</span> in {place}
        </p>
        <Buttons desk={world.desk} />
      </Panel>
      <Listed id="faults" title="Faults" table={faults} none="No faults." />
      <Listed id="positions" title="Positions" table={positions} none="No positions." />
      <Listed id="prices" title="Prices" table={prices} none="No markets." />
      <Listed id="ledger" title="Ledger" table={ledger} none="No entries." />
    </>
  );
}

const perTable = 10; // rows: four tables share the page

function Listed({
  id,
  title,
  table,
  none,
}: {
  readonly id: string;
  readonly title: string;
  readonly table: World['prices'];
  readonly none: string;
}): JSX.Element {
  return (
    <Panel id={id} title={title}>
      {table.rows.length === 0 ? (
        <Empty text={none} />
      ) : (
        <DataTable table={table} name={title} length={perTable} />
      )}
    </Panel>
  );
}

const kinds = ['reset', 'empty', 'never', 'truncated', 'html-502', 'wrong-content-type'] as const;

function Buttons({ desk }: Desk): JSX.Element | null {
  if (!useMayAct('operator')) return null;
  return (
    <div class="side-by-side">
      <Advance desk={desk} />
      <Fault desk={desk} />
      <Reset desk={desk} />
    </div>
  );
}

interface Desk {
  readonly desk: string;
}

function Advance({ desk }: Desk): JSX.Element {
  return (
    <Action
      label="Advance"
      does="Advance the clock"
      act={async (_press, fieldOf) => {
        const { text } = await write('POST /sandbox/advance', { desk }, { by: fieldOf('by') });
        return [text];
      }}
    >
      <label>
        By how much: 90s, 15m, 1h, 2d
        <input type="text" name="by" required maxLength={10} autocomplete="off" />
      </label>
    </Action>
  );
}

function Fault({ desk }: Desk): JSX.Element {
  return (
    <Action
      label="Fault"
      does="Set the fault"
      act={async (_press, fieldOf) => {
        const kind = kinds.find((each) => each === fieldOf('kind'));
        const when = fieldOf('when') === 'before' ? ('before' as const) : ('after-commit' as const);
        const operation = fieldOf('operation');
        const fault = kind && { kind, when, ...(operation !== '' && { operation }) };
        const { text } = await write('POST /sandbox/fault', { desk }, { ...(fault && { fault }) });
        return [text];
      }}
    >
      <p>It replaces the faults that are set, and applies to one request.</p>
      <label>
        Kind
        <select name="kind">
          <option value="">none</option>
          {kinds.map((kind) => (
            <option value={kind}>{kind}</option>
          ))}
        </select>
      </label>
      <label>
        When
        <select name="when">
          <option value="after-commit">after the request is executed</option>
          <option value="before">before it is executed</option>
        </select>
      </label>
      <label>
        Operation, such as futures/place-order; empty for any
        <input type="text" name="operation" maxLength={60} autocomplete="off" />
      </label>
    </Action>
  );
}

function Reset({ desk }: Desk): JSX.Element {
  return (
    <Action
      label="Reset"
      does="Begin a new world"
      isGrave
      act={async () => {
        const { text } = await write('POST /sandbox/reset', { desk }, { isMeant: true });
        return [text];
      }}
    >
      <p>Starts a new world: accounts, orders and prices of this one are gone. Runs are kept.</p>
    </Action>
  );
}
