/** `GET /sign-in` and `GET /sign-in/return`: to the issuer of a team, and back with a session. */
import { choice, optional, record, text } from '../../../exchange/api/schema.ts';
import { Refusal } from '../failure.ts';
import { exactRecord, parameter, redirects } from '../route.ts';
import type { ServerContext } from '../route-context.ts';
import type { TeamSignIn } from '../sign-in/sign-in.ts';

export const beginSignIn = redirects({
  title: 'Sign in with the issuer of the team',
  role: 'anyone',
  mode: 'team',
  isAttempt: true,
  parameters: exactRecord({
    to: optional(parameter('The path to show afterwards', 500)),
    prompt: optional(choice(['login'], { description: 'Ask again, to sign in as another person' })),
  }),
  handle: async ({ parameters, host, setSignIn }, server) => {
    const { url, secret } = await teamOf(server).begin({
      host,
      to: ownPath(parameters.to ?? '/'),
      asksAgain: parameters.prompt === 'login',
    });
    setSignIn(secret);
    return url;
  },
});

export const finishSignIn = redirects({
  title: 'Return from the issuer: verify what it says, and begin a session',
  role: 'anyone',
  mode: 'team',
  isAttempt: true,
  parameters: record({ state: optional(text()), code: optional(text()), error: optional(text()) }),
  handle: async ({ host, search, from, cookie, signIn, setSignIn, setSession }, server) => {
    setSignIn(undefined);
    const { session, person, to } = await teamOf(server).finish({ host, search, secret: signIn });
    const { audit } = server.actions;
    const id = await audit.asked({ who: person.who, from, what: `sign in as ${person.role}` });
    await audit.answered(id, 200, '');
    if (cookie !== undefined) await server.sessions.end(cookie); // each sign-in has a new session
    setSession(session);
    return to;
  },
});

function teamOf({ signIn }: ServerContext): TeamSignIn {
  if (signIn.kind === 'team') return signIn.team;
  throw new Refusal(404, 'not-found', 'this server has no issuer');
}

/**
 * A path of this server. An address of another server is refused: the server would become a link to
 * it.
 */
function ownPath(to: string): string {
  const base = 'https://server.invalid';
  const url = /^\/(?![/\\])/.test(to) && URL.canParse(to, base) ? new URL(to, base) : undefined;
  return url?.origin === base ? `${url.pathname}${url.search}` : '/';
}
