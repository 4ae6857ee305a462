/** A route that leaves a run as finished by hand, with the command for it. */
import { text } from '../../../exchange/api/schema.ts';
import { commentOf, confirm, confirmed, once, printed, recorded } from '../actions/on-run.ts';
import { press } from '../actions/presses.ts';
import { exactRecord, runParameters, writes } from '../route.ts';

const reason = text({ description: 'The outcome of its orders', maxLength: 500, pattern: '\\S' });

export const setAsideRun = writes({
  title: 'Leave a run as finished by hand: it is not continued, and blocks no other',
  role: 'operator',
  parameters: exactRecord(runParameters),
  body: exactRecord({ press, confirm, reason }),
  answer: recorded,
  audited: ({ parameters: { run }, body }) => `set ${run} aside: ${body.reason}`,
  handle: async ({ parameters, body, session }, server) => {
    const { desk, run } = await confirmed(parameters, body.confirm, server);
    return once(server, desk, body.press, session, `set ${run} aside`, (log, who) =>
      printed(
        server,
        desk,
        ['runs', 'set-aside', ...commentOf(who, body.reason, server), '--', run],
        log,
      ),
    );
  },
});
