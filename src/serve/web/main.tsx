/** The page of `deskhand serve`: signs in, then shows the page of the address. */
import { render } from 'preact';
import { isSignedOut, write } from './api.ts';
import { startClock } from './clock.ts';
import { startKeyboard } from './keyboard.ts';
import { startLive } from './live.ts';
import { go, startRouter } from './router.ts';
import { Shell } from './parts/shell.tsx';
import { startTheme } from './theme.ts';
import { startZone } from './zone-choice.ts';

/**
 * Signs in with the token of a link, which works once; the token leaves the address before anything
 * else.
 */
async function signIn(): Promise<void> {
  const token = linkToken();
  if (token === undefined) return;
  go(location.pathname, true);
  await write('POST /session', {}, { token }).catch(() => undefined);
  // The link may have been used by an earlier tab, whose session is still valid.
  isSignedOut.value = false;
}

function linkToken(): string | undefined {
  return /^#token=([\w-]+)$/.exec(location.hash)?.[1];
}

/**
 * Reloads for a link that is opened in a tab of this page: only its fragment changes, so nothing
 * would be loaded.
 */
function startLinks(): void {
  addEventListener('hashchange', () => {
    if (linkToken() !== undefined) location.reload();
  });
}

const root = document.getElementById('page');
if (root === null) throw new Error('the page has no place');

startTheme();
startZone();
await signIn();
startClock();
startRouter();
startLinks();
startKeyboard();
startLive();
render(<Shell />, root);
