/** The writes of a run in doubt: what is known of each, and below it what settles it, the right action first. */
import type { JSX } from 'preact';
import { useLoaded } from '../loaded.ts';
import type { Answer } from '../api.ts';
import type { ActionListener } from './action.tsx';
import { Copied } from './copy.tsx';
import { FactList } from './inline.tsx';
import { Panel } from './panel.tsx';
import { LookUp, Resolve } from './settle.tsx';
import { Ago } from './time.tsx';

type Doubt = Answer<'GET /runs/{run}'>['doubts'][number];
type Offer = Answer<'GET /runs/{run}/actions'>['doubts'][number];

interface Which {
  readonly run: string;
  readonly desk?: string;
}

export interface Settling {
  readonly which: Which;
  readonly offers: readonly Offer[];
  readonly confirm: string | undefined;
  readonly listener: ActionListener;
}

export function Doubts({
  doubts,
  settling,
}: {
  readonly doubts: readonly Doubt[];
  /** Absent for a person who may only read. */
  readonly settling?: Settling | undefined;
}): JSX.Element | null {
  if (doubts.length === 0) return null;
  return (
    <Panel id="doubt" title="In doubt" tone="doubt">
      <p>
        <b>
          {doubts.length === 1 ? 'It' : 'Each'} may or may not have happened. Nothing is sent again
          until its outcome is known.
        </b>
      </p>
      {settling !== undefined && doubts.length > 1 && <Together {...settling} />}
      <ul class="plain doubts">
        {doubts.map((doubt) => (
          <Card
            key={doubt.address}
            doubt={doubt}
            settling={settling}
            isOnly={doubts.length === 1}
          />
        ))}
      </ul>
    </Panel>
  );
}

function Card({
  doubt: { what, address, clientOid, facts },
  settling,
  isOnly,
}: {
  readonly doubt: Doubt;
  readonly settling: Settling | undefined;
  readonly isOnly: boolean;
}): JSX.Element {
  const offer = settling?.offers.find((each) => each.address === address);
  return (
    <li>
      <h3>
        {what} <code class="dim">{address}</code>
      </h3>
      {clientOid !== undefined && (
        <div>
          clientOid <Copied text={clientOid} />
        </div>
      )}
      <FactList facts={facts} />
      {settling !== undefined && offer?.settledBy === 'lists' && (
        <PriceNow which={settling.which} address={address} />
      )}
      {settling !== undefined && isOnly && <Together {...settling} />}
      {settling !== undefined && offer !== undefined && (
        <Resolve
          which={settling.which}
          doubt={offer}
          confirm={settling.confirm}
          listener={settling.listener}
          isMain={offer.settledBy === 'person'}
        />
      )}
    </li>
  );
}

/** What lists of the exchange settle is looked up together. */
function Together({ which, offers, confirm, listener }: Settling): JSX.Element | null {
  const listed = offers.filter(({ settledBy }) => settledBy === 'lists').length;
  if (listed === 0) return null;
  return <LookUp which={which} listed={listed} confirm={confirm} listener={listener} />;
}

function PriceNow({
  which,
  address,
}: {
  readonly which: Which;
  readonly address: string;
}): JSX.Element {
  const { answer, failure } = useLoaded('GET /runs/{run}/prices', which, () => false);
  const price = answer?.prices.find((each) => each.address === address);
  return (
    <dl class="definitions" aria-busy={answer === undefined && failure === undefined}>
      <div>
        <dt>price now</dt>
        <dd>
          {price !== undefined && answer !== undefined && (
            <>
              {price.text}{' '}
              <span class="dim">
                read <Ago at={answer.at} />
              </span>
            </>
          )}
          {answer !== undefined && price === undefined && 'not known'}
          {answer === undefined && (failure?.message ?? 'is read…')}
        </dd>
      </div>
    </dl>
  );
}
