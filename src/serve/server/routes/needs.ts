/** `POST /needs/acknowledge`: a person takes note of a need with a reason, and it leaves the list. */
import { optional, text, truth, record } from '../../../exchange/api/schema.ts';
import { plainText } from '../../../base/text.ts';
import { acknowledge } from '../acknowledged.ts';
import { once } from '../actions/on-run.ts';
import { press } from '../actions/presses.ts';
import { deskNamed } from '../route-context.ts';
import { exactRecord, noFields, writes } from '../route.ts';

export const acknowledgeNeed = writes({
  title: 'Acknowledge a need: it leaves the list until its cause changes',
  role: 'operator',
  parameters: noFields,
  body: exactRecord({
    press,
    cause: text({ description: 'The cause, as the list has it', minLength: 1, maxLength: 300 }),
    desk: optional(text({ description: 'The desk', maxLength: 80 })),
    reason: text({ description: 'Why nothing more is done', maxLength: 500, pattern: '\\S' }),
  }),
  answer: record({ isDone: truth }),
  audited: ({ body: { cause, reason } }) => `acknowledge ${cause}: ${reason}`,
  handle: async ({ body, session }, server) => {
    const { cause, press: id } = body;
    const desk = deskNamed(server, body.desk);
    const reason = plainText(body.reason, 500);
    return once(server, desk, id, session, `acknowledge ${cause}`, async (_log, who) => {
      await acknowledge(desk.config.stateDir, cause, { who, at: server.clock.now(), reason });
      server.notices.publish({ kind: 'schedules', desk: desk.name });
      return { isDone: true };
    });
  },
});
