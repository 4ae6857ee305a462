/** `POST /passkeys`: the line of a new passkey for the file of passkeys. The server stores nothing. */
import { choice, record, text } from '../../../exchange/api/schema.ts';
import { plainText } from '../../../base/text.ts';
import { second } from '../../../base/clock.ts';
import { enrolledEntry } from '../../../engine/approval/passkey/enroll.ts';
import { algorithms } from '../../../engine/approval/passkey/public-key.ts';
import { exactRecord, noFields, writes } from '../route.ts';

export const enrollPasskey = writes({
  title: 'Check a new passkey and return its line for passkeys.json, which a person commits',
  role: 'viewer',
  parameters: noFields,
  body: exactRecord({
    who: text({ maxLength: 200 }),
    id: text({ maxLength: 1_500 }),
    rpId: text({ maxLength: 253 }),
    alg: choice(algorithms),
    publicKey: text({ maxLength: 3_000 }),
    authenticatorData: text({ maxLength: 12_000 }),
    clientDataJSON: text({ maxLength: 12_000 }),
  }),
  answer: record({ line: text({ description: 'JSON on one line' }) }),
  audited: ({ body: { who } }) => `make a passkey for ${plainText(who, 200)}`,
  handle: ({ body }, { clock, onEnrolled }) => {
    const now = clock.now();
    const at = `${new Date(now - (now % second)).toISOString().slice(0, 19)}Z`;
    const line = JSON.stringify(enrolledEntry(body, at));
    onEnrolled?.(line);
    return { line };
  },
});
