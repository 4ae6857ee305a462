/** `POST /jobs/{job}/stop`: a job that waits for a worker is not started. */
import { list, optional, record, text } from '../../../exchange/api/schema.ts';
import { plainText } from '../../../base/text.ts';
import { cancelWords } from '../actions/cancel-words.ts';
import { press } from '../actions/presses.ts';
import { queueChanged } from '../actions/queue-changed.ts';
import { deskNamed } from '../route-context.ts';
import { NotFoundError } from '../failure.ts';
import { exactRecord, parameter, writes } from '../route.ts';

export const stopJob = writes({
  title: 'Stop a queued job: it is not started, or the worker that has it stops in order',
  role: 'operator',
  parameters: exactRecord({
    job: parameter('The id of its run or plan', 80),
    desk: optional(parameter('The desk, if there are several', 80)),
  }),
  body: exactRecord({ press }),
  answer: record({ lines: list(text()) }),
  audited: ({ parameters: { job } }) => `stop job ${job}`,
  handle: async ({ parameters: { job, desk: name }, body, session }, server) => {
    const desk = deskNamed(server, name);
    const { stateDir } = desk.config;
    const who = session?.who ?? '';
    const pressed = { id: body.press, stateDir, who, what: `stop job ${job}` };
    return server.actions.presses.once(pressed, async () => {
      const done = (await desk.queue?.stop(job, who)) ?? 'unknown';
      if (done === 'unknown') throw new NotFoundError(`no job ${plainText(job, 80)} is queued`);
      await queueChanged(desk, server);
      return { lines: cancelWords(plainText(job, 80), done) };
    });
  },
});
