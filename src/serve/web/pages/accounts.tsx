/** Accounts: keys, guards, locks, drift, and doctor's findings on demand. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { count } from '../../../base/text.ts';
import { guardLines, guardName } from '../../../report/guard-lines.ts';
import { read, type Answer, type CallError } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { Copied } from '../parts/copy.tsx';
import { OpenOrders } from '../parts/open-orders.tsx';
import { Empty, Failed } from '../parts/panel.tsx';
import { Pill, Target } from '../parts/pill.tsx';
import { Ago } from '../parts/time.tsx';
import { runPath } from '../router.ts';
import { inZone } from '../zone.ts';
import { useMayAct } from '../who.ts';

type Account = Answer<'GET /accounts'>['accounts'][number];
type Findings = Answer<'GET /accounts/{profile}/findings'>['findings'];

export function Accounts(): JSX.Element {
  const { answer, failure } = useLoaded('GET /accounts', {}, undefined, 2_000);
  const [asked, setAsked] = useState(0);
  const mayAct = useMayAct('operator');
  useEffect(() => {
    document.title = 'Accounts · deskhand';
  }, []);
  return (
    <>
      <div class="title">
        <h1>Accounts</h1>
        {mayAct && (
          <button type="button" onClick={() => setAsked(asked + 1)}>
            Show open orders
          </button>
        )}
      </div>
      <Failed failure={failure} />
      {answer?.accounts.length === 0 && <Empty text="No profile. See:" command="deskhand init" />}
      {answer?.accounts.map((account) => (
        <One key={`${account.desk}/${account.profile}`} account={account} asked={asked} />
      ))}
    </>
  );
}

function One({
  account,
  asked,
}: {
  readonly account: Account;
  /** How often a person asked for the account's open orders. */
  readonly asked: number;
}): JSX.Element {
  const { desk, profile, target, isInitial, host, accountId, locks } = account;
  const id = `account-${desk}-${profile}`.replaceAll(/[^\w-]/g, '-');
  return (
    <section class="panel" aria-labelledby={id}>
      <div class="title">
        <h2 id={id}>
          {profile} {isInitial && <small class="dim">default</small>}
        </h2>
        <Target target={target} />
      </div>
      <dl class="definitions">
        <Fact name="Exchange">{host ?? 'built-in sandbox'}</Fact>
        <Fact name="account-id">{accountId ?? '–'}</Fact>
        <Fact name="Keys">
          <Keys account={account} />
        </Fact>
        <Fact name="Guards">
          <Guards account={account} />
        </Fact>
        <Fact name="Lock">
          {locks.length === 0 && 'free'}
          {alike(locks).map(({ text, command }) => (
            <div>
              {inZone(text)} {command !== undefined && <Copied text={command} />}
            </div>
          ))}
        </Fact>
        <Fact name="Drift">
          <Drifts drifts={account.drifts} />
        </Fact>
      </dl>
      <OpenOrders desk={desk} profile={profile} asked={asked} />
      <Doctor desk={desk} profile={profile} />
    </section>
  );
}

/** Each lock once: a run may have several. */
function alike(locks: Account['locks']): Account['locks'] {
  return [...new Map(locks.map((each) => [each.text, each])).values()];
}

function Fact({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Keys({ account: { keys, desk } }: { readonly account: Account }): JSX.Element {
  return (
    <>
      {keys.length === 0 && 'no run here used a key of it'}
      {keys.map(({ fingerprint, runs, last }) => (
        <div>
          <Copied text={fingerprint} /> {count(runs, 'run')}, last{' '}
          <a href={runPath(last, desk)}>{last}</a>
        </div>
      ))}
    </>
  );
}

function Drifts({ drifts }: Pick<Account, 'drifts'>): JSX.Element {
  return (
    <>
      {drifts.length === 0 && (
        <>
          not compared yet: <Copied text="deskhand drift" />
        </>
      )}
      {drifts.map(({ playbook, at, compared, differences }) => (
        <div>
          <Pill
            tone={differences === 0 ? 'good' : 'bad'}
            text={differences === 0 ? 'none' : count(differences, 'difference')}
          />{' '}
          {playbook}, {compared} compared <Ago at={at} />
        </div>
      ))}
    </>
  );
}

function Guards({ account: { guards, used, desk } }: { readonly account: Account }): JSX.Element {
  return (
    <>
      {guards.length === 0 && 'none'}
      {guards.map(({ name, limit }) => (
        <div>
          {name} <b>{limit}</b>
        </div>
      ))}
      {used !== undefined && (
        <div class="dim">
          used by <a href={runPath(used.run, desk)}>{used.run}</a>:{' '}
          {guardLines(used.guards)
            .map((each) => `${guardName(each)} ${each.use}`)
            .join('; ')}
        </div>
      )}
    </>
  );
}

const tones = { ok: 'good', warning: 'warn', failure: 'bad', unknown: 'idle' } as const;

/** Doctor's findings: small reads at the exchange, when a person asks for them. */
function Doctor({
  desk,
  profile,
}: {
  readonly desk: string;
  readonly profile: string;
}): JSX.Element | null {
  const [found, setFound] = useState<Findings>();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<CallError>();
  if (!useMayAct('operator')) return null;
  const check = (): void => {
    setBusy(true);
    setFound(undefined);
    setFailure(undefined);
    read('GET /accounts/{profile}/findings', { profile, desk }).then(
      ({ findings }) => {
        setBusy(false);
        setFound(findings);
      },
      (error: CallError) => {
        setBusy(false);
        setFailure(error);
      },
    );
  };
  return (
    <div class="action" aria-busy={isBusy}>
      <button type="button" onClick={check} disabled={isBusy}>
        {isBusy ? 'Wait…' : `Check ${profile}`}
      </button>
      <Failed failure={failure} />
      <div role="status">
        {found !== undefined && (
          <ul class="plain">
            {found.map(({ what, status, message, fix }) => (
              <li>
                <Pill tone={tones[status]} text={what} /> {inZone(message)}
                {fix !== undefined && (
                  <div>
                    <Copied text={fix} />
                  </div>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
