/** `POST /session` and `POST /session/end`: a link is exchanged for a session, and the session ends. */
import { record, text, truth } from '../../api/schema.ts';
import { DeskhandError, exits } from '../../base/error.ts';
import { exactRecord, noFields, writes } from '../route.ts';

const done = record({ isDone: truth });

export const newSession = writes({
  title: 'Exchange the token of a link, which works once, for a session cookie',
  role: 'anyone',
  isKept: true,
  parameters: noFields,
  body: exactRecord({ token: text({ minLength: 1, maxLength: 100 }) }),
  answer: done,
  handle: async ({ body, setSession }, { sessions }) => {
    const secret = await sessions.exchange(body.token);
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
  answer: done,
  handle: async ({ cookie, setSession }, { sessions }) => {
    if (cookie !== undefined) await sessions.end(cookie);
    setSession(undefined);
    return { isDone: true };
  },
});

/** The link was used before, or a newer one replaced it. */
export class SignInError extends DeskhandError {
  constructor(message = 'this link is not valid: each works once') {
    super(message, {
      code: 'signed-out',
      actor: 'operator',
      exit: exits.credentials,
      hint: 'open the newest link in the terminal of `deskhand serve`',
    });
  }
}
