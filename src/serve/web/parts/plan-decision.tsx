/** Approves or declines a plan with a passkey, and shows the signed record. */
import type { JSX } from 'preact';
import { count } from '../../../base/text.ts';
import { read, write, type Answer } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { passkeysHere, signed, whyNot } from '../passkey.ts';
import { Copied } from './copy.tsx';
import { DecisionForm, type Given, type Verdict } from './decision-form.tsx';
import { Panel } from './panel.tsx';
import { Ago } from './time.tsx';

type View = Answer<'GET /plans/{plan}'>;
export function PlanDecision({
  view,
  isExpired,
  reload,
}: {
  readonly view: View;
  readonly isExpired: boolean;
  readonly reload: () => void;
}): JSX.Element {
  return (
    <Panel id="decision" title="Approve">
      {view.required.map((each) => (
        <Required of={each} />
      ))}
      {view.required.length === 0 && <p class="dim">{view.profile} requires no approval.</p>}
      {view.required.length === 0 ? null : isExpired ? (
        <p class="dim">
          It has expired. A new plan: <Copied text={`deskhand plan ${view.file}`} />
        </p>
      ) : (
        <Decide view={view} reload={reload} />
      )}
    </Panel>
  );
}

function Required({ of: each }: { readonly of: View['required'][number] }): JSX.Element {
  const { profile, by, approved, declined, notes, trouble } = each;
  return (
    <>
      <p>
        <b>{profile}</b> requires {count(each.count, 'approval')}
        {by === 'other' && ' by a person who did not write it'}
        {each.of !== undefined && `, of ${each.of.join(', ')}`}.{' '}
        {approved.length === 0 ? 'It has none.' : `It has ${approved.length}.`}
      </p>
      {trouble !== undefined && <p class="notice">{trouble}</p>}
      <ul class="lines">
        {declined.map(({ who, at, comment }) => (
          <li>
            declined by {who} <Ago at={at} />
            {comment !== undefined && `: ${comment}`}
          </li>
        ))}
        {approved.map(({ who, key, at, comment }) => (
          <li>
            approved by {who} <Ago at={at} />
            {comment !== undefined && `: ${comment}`} <code class="dim">{key}</code>
          </li>
        ))}
        {notes.map((note) => (
          <li class="dim">{note}</li>
        ))}
      </ul>
    </>
  );
}

function Decide({
  view,
  reload,
}: {
  readonly view: View;
  readonly reload: () => void;
}): JSX.Element {
  const { answer: about } = useLoaded('GET /about', {}, () => false);
  if (about === undefined) return <p role="status">…</p>;
  const reason = mayNot(about) ?? whyNot() ?? missingPasskey(view.passkeys);
  return reason === undefined ? (
    <PlanForm view={view} reload={reload} />
  ) : (
    <OnCommandLine view={view} reason={reason} />
  );
}

function PlanForm({
  view,
  reload,
}: {
  readonly view: View;
  readonly reload: () => void;
}): JSX.Element {
  const isBroken = view.guards.some(({ isKept }) => !isKept);
  return (
    <DecisionForm
      account={view}
      label={`Approve ${view.what}`}
      isBlocked={isBroken || view.isUnbounded}
      decide={(verdict, given) => recorded(verdict, view, given).then(reload)}
      after={<Obstacles isBroken={isBroken} isUnbounded={view.isUnbounded} />}
    >
      <p class="dim">
        {sends[view.target]}
        <b>{view.profile}</b>. Prices are read again first. If a guard no longer holds, nothing is
        sent.
      </p>
    </DecisionForm>
  );
}

/** Reasons why the plan cannot be approved, if there are any. */
function Obstacles({
  isBroken,
  isUnbounded,
}: {
  readonly isBroken: boolean;
  readonly isUnbounded: boolean;
}): JSX.Element {
  return (
    <>
      {isBroken && <p class="dim">A guard is violated: this plan cannot run.</p>}
      {isUnbounded && (
        <p class="dim">
          The value of an order is unknown and no guard bounds it: this plan cannot be approved.
        </p>
      )}
    </>
  );
}

/**
 * The record of a decision. It is offered by the server and checked here: it must be about the plan
 * that is shown. The passkey signs its text, so that nothing else can be made of it.
 */
async function recorded(
  verdict: Verdict,
  { plan, desk, digest }: View,
  { comment, typed }: Given,
): Promise<void> {
  const which = { plan, desk };
  const said = comment.trim() === '' ? {} : { comment: comment.trim() };
  const offer = await read('GET /plans/{plan}/record', { ...which, verdict, ...said });
  const named = JSON.parse(offer.record) as { readonly digest: string; readonly verdict: string };
  if (named.digest !== digest || named.verdict !== verdict) {
    throw new Error('the plan has changed since it was shown; load the page again');
  }
  const assertion = await signed(offer.record, offer.passkeys);
  const confirm = typed === '' ? {} : { confirm: typed };
  await write('POST /plans/{plan}/decision', which, {
    record: offer.record,
    assertion,
    ...confirm,
  });
}

/** The reason why this person cannot decide on this page. */
export function mayNot({ isReadOnly, role }: Answer<'GET /about'>): string | undefined {
  if (isReadOnly) return 'This server is read-only.';
  return role === 'approver' ? undefined : `Approving needs the role approver; you have ${role}.`;
}

/** The reason why no passkey can sign on this page. */
export function missingPasskey(passkeys: View['passkeys']): string | undefined {
  if (passkeys.length === 0) return 'No passkey may approve this.';
  if (passkeysHere(passkeys).length > 0) return undefined;
  const origins = [...new Set(passkeys.flatMap((each) => each.origins))];
  return `Passkeys that may approve this work on ${origins.join(', ')}.`;
}

/** The commands to type instead, and the reason. */
export function OnCommandLine({
  view,
  reason,
}: {
  readonly view: Pick<View, 'command'>;
  readonly reason: string;
}): JSX.Element {
  return (
    <>
      <p class="dim">
        {reason} On the command line: <Copied text={view.command} />
      </p>
      <p class="dim">
        <a href="/passkeys">Make a passkey</a> to approve in this browser.
      </p>
    </>
  );
}

const sends = {
  sandbox: 'This sends orders of the sandbox for ',
  demo: 'This sends orders of demo trading for ',
  live: 'This sends real orders for ',
} as const;
