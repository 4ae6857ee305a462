/** `POST /plans/{plan}/run`: runs exactly the plan that was shown, here or by a worker. */
import { destinationsOf } from '../../../engine/journal/account.ts';
import { choice, optional, record, text, truth } from '../../../exchange/api/schema.ts';
import { shellWord } from '../../../base/text.ts';
import { realWords } from '../../../app/approval/real-words.ts';
import type { Destination } from '../../../engine/journal/entry.ts';
import { begun, refusalOf } from '../actions/begin.ts';
import { launch } from '../actions/launch.ts';
import { planFor } from '../actions/plan-for.ts';
import { press } from '../actions/presses.ts';
import { queueChanged } from '../actions/queue-changed.ts';
import { deskNamed } from '../route-context.ts';
import { Refusal } from '../failure.ts';
import { realAmong } from '../real-account.ts';
import { exactRecord, parameter, writes } from '../route.ts';

export const runPlan = writes({
  title: 'Run a plan: of sandbox accounts in a separate process, of any account by a worker',
  role: 'operator',
  parameters: exactRecord({
    plan: text({ description: 'The plan', pattern: '^p-[0-9a-f]{8}$', maxLength: 10 }),
    desk: optional(parameter('The desk, if there are several', 80)),
  }),
  body: exactRecord({
    press,
    confirm: optional(
      text({ description: 'The profile of a demo or live account, typed', maxLength: 100 }),
    ),
    isQueued: optional(truth),
  }),
  answer: record({
    run: optional(text()),
    state: choice(['running', 'ended', 'starting', 'queued']),
  }),
  audited: ({ parameters: { plan }, body }) =>
    `run ${plan}${body.isQueued === true ? ' on a worker' : ''}`,
  handle: async ({ parameters: { plan: id, desk: name }, body, session }, server) => {
    const desk = deskNamed(server, name);
    const { stateDir } = desk.config;
    const who = session?.who ?? '';
    const isQueued = body.isQueued === true;
    const plan = await planFor(id, desk);
    const real = realAmong(destinationsOf(plan));
    if (real !== undefined) refuseReal(id, real, isQueued, body.confirm);
    const pressed = { id: body.press, stateDir, who, what: `run ${id}` };
    return server.actions.presses.once(pressed, async (log) => {
      const { starters, program } = server.actions;
      if (isQueued) {
        const { ended } = launch(program, desk, ['run', '--queue', '--', id], log);
        const end = await ended;
        if (end.code !== 0) throw refusalOf(end);
        await queueChanged(desk, server);
        return { run: plan.run, state: 'queued' as const };
      }
      const launched = launch(program, desk, ['-o', 'json', 'run', '--', id], log);
      const { pid, ended } = launched;
      const found = await begun(launched, stateDir);
      const at = server.clock.now();
      if (found.run !== undefined) starters.add(stateDir, found.run, { who, at, pid }, ended);
      return found;
    });
  },
});

/**
 * Refuses to start a run on a demo or live account here: a worker compares approvals again; the server
 * itself starts runs on sandboxes alone.
 */
function refuseReal(
  id: string,
  destination: Destination,
  isQueued: boolean,
  typed: string | undefined,
): void {
  if (!isQueued) {
    throw new Refusal(
      409,
      'live',
      `plan ${id} is for ${realWords({ destination })}`,
      `run it in a terminal: deskhand run ${shellWord(id)}`,
    );
  }
  if (typed === destination.profile) return;
  throw new Refusal(
    409,
    'confirm',
    `this is for ${realWords({ destination })}`,
    'type the name of the account',
  );
}
