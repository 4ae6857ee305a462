/** `POST /session` and `POST /session/end`: a link is exchanged for a session, and the session ends. */
import { optional, record, text, truth } from '../../../exchange/api/schema.ts';
import { Refusal } from '../failure.ts';
import { exactRecord, noFields, writes } from '../route.ts';

export const newSession = writes({
  title: 'Exchange the token of a link, which works once, for a session cookie',
  role: 'anyone',
  mode: 'link',
  isKept: true,
  isAttempt: true,
  parameters: noFields,
  body: exactRecord({ token: text({ minLength: 1, maxLength: 100 }) }),
  answer: record({ isDone: truth }),
  handle: async ({ body, setSession }, { signIn }) => {
    const secret = signIn.kind === 'link' ? await signIn.links.exchange(body.token) : undefined;
    if (secret === undefined) throw new SignInError();
    setSession(secret);
    return { isDone: true };
  },
});

export const endSession = writes({
  title: 'End this session',
  role: 'viewer',
  isKept: true,
  parameters: noFields,
  body: noFields,
  answer: record({
    isDone: truth,
    next: optional(text({ description: 'Where the person signs out of the issuer, too' })),
  }),
  handle: async ({ cookie, host, setSession }, { sessions, signIn }) => {
    if (cookie !== undefined) await sessions.end(cookie);
    setSession(undefined);
    // The session has ended, even if the issuer does not answer now.
    const url =
      signIn.kind === 'team' ? signIn.team.signOutUrl(host).catch(() => undefined) : undefined;
    const next = await url;
    return { isDone: true, ...(next !== undefined && { next }) };
  },
});

/** The error when no person is signed in, or a link was used before or replaced by a newer one. */
export class SignInError extends Refusal {
  constructor(message = 'this link is not valid: each works once', how: SignInHow = byLink) {
    super(401, how[0], message, how[1]);
  }
}

/** The way to sign in: a code, by which the page shows it, and a hint. */
type SignInHow = readonly [code: string, hint: string];

const byLink: SignInHow = [
  'signed-out',
  'open the newest link in the terminal of `deskhand serve`',
];

export const byIssuer: SignInHow = ['signed-out-of-team', 'sign in'];
