/** The writes of a run in doubt: what is known of each, and below it what settles it, the right action first. */
import type { JSX } from 'preact';
import { useLoaded } from '../loaded.ts';
import type { Answer } from '../api.ts';
import { Said, type ActionListener } from './action.tsx';
import { Copied } from './copy.tsx';
import { FactList } from './inline.tsx';
import { paged } from './pager.tsx';
import { Panel } from './panel.tsx';
import { LookUp, Resolve } from './settle.tsx';
import { Thumb } from './thumb.tsx';
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
  /** The answer to the last action. */
  readonly lines: readonly string[] | undefined;
}

export function Doubts({
  doubts,
  rest,
  settling,
}: {
  readonly doubts: readonly Doubt[];
  /** A link to the doubts that have no card. */
  readonly rest: JSX.Element | undefined;
  /** The actions that settle doubts; absent for a person who may only read. */
  readonly settling?: Settling | undefined;
}): JSX.Element | null {
  if (doubts.length === 0) return null;
  const { shown, pager } = paged(doubts, 'doubts');
  return (
    <Panel id="doubt" title="In doubt" tone="doubt">
      <p>
        <b>
          {doubts.length === 1 ? 'It' : 'Each'} may or may not have happened. Nothing is sent again
          until its outcome is known.
        </b>
      </p>
      {settling !== undefined && doubts.length > 1 && (
        <Thumb of="doubt">
          <Together {...settling} />
          <Said lines={settling.lines} />
        </Thumb>
      )}
      <ul class="plain doubts">
        {shown.map((doubt) => (
          <Card
            key={doubt.address}
            doubt={doubt}
            settling={settling}
            isOnly={doubts.length === 1}
          />
        ))}
      </ul>
      {pager}
      {rest}
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
        {what} <Copied text={address} />
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
      {settling !== undefined && isOnly && (
        <Thumb of="doubt">
          <Together {...settling} />
          <Stated offer={offer} {...settling} />
          <Said lines={settling.lines} />
        </Thumb>
      )}
      {settling !== undefined && !isOnly && <Stated offer={offer} {...settling} />}
    </li>
  );
}

/** The statements that a person can make about a doubt. */
function Stated({
  offer,
  which,
  confirm,
  listener,
}: Settling & { readonly offer: Offer | undefined }): JSX.Element | null {
  if (offer === undefined) return null;
  return (
    <Resolve
      which={which}
      doubt={offer}
      confirm={confirm}
      listener={listener}
      isMain={offer.settledBy === 'person'}
    />
  );
}

/** A button that looks up together all doubts that lists of the exchange settle. */
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
