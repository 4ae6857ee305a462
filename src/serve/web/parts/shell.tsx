/** The frame of every page: the target, the navigation, and information about the server. */
import { useEffect, useRef } from 'preact/hooks';
import type { JSX } from 'preact';
import { targetWord } from '../../../report/states.ts';
import { isSignedOut, isTeam, signInPath, signOut, type Answer } from '../api.ts';
import { isHelpOpen } from '../keyboard.ts';
import { keys } from '../key-list.ts';
import { isLive } from '../live.ts';
import { isLoading, useLoaded } from '../loaded.ts';
import { pageAt, pages } from '../pages/index.ts';
import { path } from '../router.ts';
import { nextTheme, theme } from '../theme.ts';
import { zoneWords } from '../zone.ts';
import { nextZone } from '../zone-choice.ts';
import { now } from '../clock.ts';
import { Icon } from './icon.tsx';

export function Shell(): JSX.Element {
  if (isSignedOut.value) return <SignIn />;
  return <Framed />;
}

function Framed(): JSX.Element {
  const { answer: about } = useLoaded('GET /about', {}, () => false);
  const { page, names } = pageAt(path.value);
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a narrow screen the navigation is one line that scrolls. scrollIntoView would also move the place from which
    // the Tab key goes on, past the link to the content.
    const line = nav.current?.getBoundingClientRect();
    const current = nav.current?.querySelector('[aria-current=page]')?.getBoundingClientRect();
    if (!line || !current) return;
    const hidden = Math.min(0, current.left - line.left) + Math.max(0, current.right - line.right);
    nav.current?.scrollBy({ left: hidden });
  }, [page, about]);
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Ribbon about={about} />
      <div class="frame">
        <nav aria-label="Main" ref={nav}>
          <div class="brand">deskhand</div>
          {pages
            .filter(({ nav }) => nav !== undefined)
            .map((each) => (
              <a
                href={each.path}
                aria-current={each.section === page?.section ? 'page' : undefined}
              >
                {each.nav !== undefined && <Icon name={each.nav.icon} />}
                {each.nav?.label}
              </a>
            ))}
          <Foot about={about} />
        </nav>
        <main id="main" tabIndex={-1} aria-busy={isLoading.value}>
          {isLoading.value && <p class="loading dim">Loading…</p>}
          <Troubles about={about} />
          {page === undefined ? <NoPage /> : <page.View names={names} />}
        </main>
      </div>
      <Help />
    </>
  );
}

/** The choices of this browser, and who is signed in to which server. */
function Foot({ about }: { readonly about: About }): JSX.Element {
  return (
    <div class="foot">
      <button type="button" onClick={nextTheme}>
        Theme: {theme.value}
      </button>
      <button type="button" onClick={nextZone}>
        Times: {zoneWords(now.value)}
      </button>
      {about !== undefined && (
        <>
          <div class="folder" title={about.who}>
            {about.who} · {about.role}
          </div>
          <button type="button" onClick={() => void signOut().catch(() => undefined)}>
            Sign out
          </button>
        </>
      )}
      <div>{about?.program}</div>
      {about?.desks.map(({ folder }) => (
        <div class="folder" title={folder}>
          <span dir="ltr">{folder}</span>
        </div>
      ))}
      {about?.isReadOnly === true && <div>read-only</div>}
    </div>
  );
}

type About = Answer<'GET /about'> | undefined;

/** A ribbon that shows whether anything here reaches the market. */
function Ribbon({ about }: { readonly about: About }): JSX.Element {
  const accounts = about?.desks.flatMap((desk) => desk.accounts) ?? [];
  const live = profilesOn('live', accounts);
  const demo = profilesOn('demo', accounts);
  if (live.length === 0 && demo.length > 0) {
    return (
      <header class="bar demo">
        <b>{targetWord('demo')}</b>{' '}
        <span>{demo.join(', ')}: orders on this page reach demo trading, not the market.</span>
      </header>
    );
  }
  if (live.length === 0) {
    return (
      <header class="bar sandbox">
        <b>{targetWord('sandbox')}</b> <span>No profile of this desk reaches the market.</span>
      </header>
    );
  }
  return (
    <header class="bar live">
      <b>{targetWord('live')}</b>{' '}
      <span>{live.join(', ')}: orders on this page reach the market.</span>
    </header>
  );
}

function profilesOn(
  place: string,
  accounts: readonly { readonly profile: string; readonly target: string }[],
): readonly string[] {
  return accounts.filter(({ target }) => target === place).map(({ profile }) => profile);
}

function Troubles({ about }: { readonly about: About }): JSX.Element {
  return (
    <>
      <div role="status">
        {!isLive.value && (
          <p class="notice">The server does not answer. This page shows what it knew last.</p>
        )}
      </div>
      {about?.desks.map(
        ({ trouble }) =>
          trouble !== undefined && (
            <p class="notice">Only runs of this machine are known: {trouble}</p>
          ),
      )}
    </>
  );
}

function NoPage(): JSX.Element {
  return (
    <>
      <h1>Page not found</h1>
      <p>
        <a href="/">Runs</a>
      </p>
    </>
  );
}

function SignIn(): JSX.Element {
  return (
    <main class="sign-in">
      <h1>deskhand</h1>
      <p>You are not signed in.</p>
      {isTeam.value ? (
        <p>
          <a href={signInPath()} target="_self">
            Sign in
          </a>
        </p>
      ) : (
        <p>
          Open the newest link in the terminal of <code>deskhand serve</code>. Each link works once.
        </p>
      )}
    </main>
  );
}

function Help(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = isHelpOpen.value;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const close = (): void => {
    isHelpOpen.value = false;
  };
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="keys">
      <h2 id="keys">Keys</h2>
      <dl class="keys">
        {keys.map(([key, meaning]) => (
          <div>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={close}>
        Close
      </button>
    </dialog>
  );
}
