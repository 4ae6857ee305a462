/** `GET /schedules` and a person's actions on a schedule: pause, resume, run now. */
import { choice, list, optional, record, text, truth } from '../../../exchange/api/schema.ts';
import { plainText } from '../../../base/text.ts';
import type { Millis } from '../../../base/clock.ts';
import { lastOccurrence } from '../../../app/schedule/occurrences.ts';
import type { Schedule } from '../../../app/schedule/schedule.ts';
import { shownTime } from '../../../app/schedule/slot.ts';
import { begun } from '../actions/begin.ts';
import { launch } from '../actions/launch.ts';
import { press } from '../actions/presses.ts';
import type { ServerContext } from '../route-context.ts';
import type { Desk } from '../desk.ts';
import { NotFoundError, Refusal } from '../failure.ts';
import { exactRecord, parameter, reads, writes } from '../route.ts';
import {
  pastOf,
  scheduleView,
  scheduleViewOf,
  spans,
  type ScheduleView,
} from '../schedules/view.ts';
import type { DeskServices } from '../services.ts';
import type { Session } from '../session.ts';
import { moment } from '../shapes.ts';

const desk = optional(parameter('The desk, if several are served', 80));

export const schedules = reads({
  title: 'List schedules, with their past and next occurrences',
  role: 'viewer',
  parameters: exactRecord({
    days: optional(choice(['1', '7', '30'], { description: 'Before and after now; default 1' })),
  }),
  answer: record({
    now: moment('The middle of the window'),
    span: moment('How far it reaches in each direction'),
    isKept: truth,
    without: list(text(), { description: 'Desks whose schedules are not known here' }),
    schedules: list(scheduleView),
    left: list(record({ desk: text(), file: text(), because: text() })),
  }),
  handle: async ({ parameters }, { desks, clock }) => {
    const span = spans[parameters.days ?? '1'];
    const now = clock.now();
    const found: ScheduleView[] = [];
    const left: { desk: string; file: string; because: string }[] = [];
    for (const each of desks) {
      if (each.board === undefined) continue;
      const all = await each.board.read();
      for (const schedule of all.schedules) {
        found.push(scheduleViewOf(schedule, all, each, { now, span }));
      }
      for (const { file, because } of all.left) {
        left.push({
          desk: each.name,
          file: plainText(file, 200),
          because: plainText(because, 300),
        });
      }
    }
    return {
      now,
      span,
      isKept: desks.some(({ services }) => services?.schedules.isKept === true),
      without: desks.flatMap(({ board, name }) => (board === undefined ? [name] : [])),
      schedules: found.toSorted((a, b) => (a.next[0] ?? Infinity) - (b.next[0] ?? Infinity)),
      left,
    };
  },
});

const asked = {
  name: text({
    description: 'The id of a schedule, or a playbook: all its schedules',
    maxLength: 200,
  }),
};
const paused = record({ name: text(), at: moment('Since when'), who: text(), why: text() });

export const pauseSchedule = writes({
  title: 'Pause a schedule, or all schedules of a playbook',
  role: 'operator',
  parameters: exactRecord({ desk }),
  body: exactRecord({ ...asked, reason: text({ minLength: 1, maxLength: 300 }) }),
  answer: paused,
  audited: ({ body }) => `pause schedule ${body.name}: ${body.reason}`,
  handle: async ({ parameters, body, session }, server) => {
    const place = placeNamed(server, parameters.desk);
    const who = whoOf(session, server);
    const pause = await place.services.schedules.pause({ name: body.name, who, why: body.reason });
    changed(place.desk, server);
    return { name: plainText(pause.name, 80), at: pause.at, who, why: plainText(pause.why, 300) };
  },
});

export const resumeSchedule = writes({
  title: 'Resume what was paused; occurrences of the pause are not run',
  role: 'operator',
  parameters: exactRecord({ desk }),
  body: exactRecord({ ...asked, reason: optional(text({ maxLength: 300 })) }),
  answer: record({ name: text(), until: moment('When it ended') }),
  audited: ({ body }) => `resume schedule ${body.name}`,
  handle: async ({ parameters, body, session }, server) => {
    const place = placeNamed(server, parameters.desk);
    const who = whoOf(session, server);
    const why = body.reason ?? '';
    const pause = await place.services.schedules.resume({ name: body.name, who, why });
    changed(place.desk, server);
    return { name: plainText(pause.name, 80), until: pause.until ?? server.clock.now() };
  },
});

export const runSchedule = writes({
  title:
    'Run the steps of a schedule now: its last occurrence if that was not run, else without one',
  role: 'operator',
  parameters: exactRecord({ id: parameter('The schedule', 40), desk }),
  body: exactRecord({ press }),
  answer: record({
    run: optional(text()),
    state: choice(['running', 'ended', 'starting']),
    occurrence: optional(moment('The occurrence that it runs')),
  }),
  audited: ({ parameters: { id } }) => `run schedule ${id} now`,
  handle: async ({ parameters, body, session }, server) => {
    const place = placeNamed(server, parameters.desk);
    const schedule = await scheduleNamed(place.desk, parameters.id);
    const occurrence = await unrunOccurrence(schedule, place.desk, server.clock.now());
    const who = whoOf(session, server);
    const { stateDir } = place.desk.config;
    const words = wordsFor(schedule, occurrence);
    const pressed = { id: body.press, stateDir, who, what: `run ${schedule.id}` };
    return server.actions.presses.once(pressed, async (log) => {
      const launched = launch(server.actions.program, place.desk, words, log);
      const { run, state } = await begun(launched, stateDir);
      return {
        ...(run !== undefined && { run }),
        state,
        ...(occurrence !== undefined && { occurrence }),
      };
    });
  },
});

function wordsFor({ file, profile, only }: Schedule, occurrence?: Millis): readonly string[] {
  const steps = only.flatMap((step) => ['--only', step]);
  const when = occurrence === undefined ? [] : ['--scheduled-for', shownTime(occurrence)];
  return ['run', '-o', 'json', '--profile', profile, ...steps, ...when, '--', file];
}

/**
 * The last occurrence of a schedule, unless a scheduler ran it: then a person asks for another run.
 */
async function unrunOccurrence(
  schedule: Schedule,
  { board }: Desk,
  now: Millis,
): Promise<Millis | undefined> {
  const { records = [] } = (await board?.read()) ?? {};
  const [newest] = pastOf(schedule, records);
  if (newest === undefined || newest.run !== undefined || newest.kind === 'running') {
    return undefined;
  }
  const last = lastOccurrence(schedule, { after: newest.from - 1, until: now - schedule.delayMs });
  return last;
}

interface ScheduleDesk {
  readonly desk: Desk;
  readonly services: DeskServices;
}

/**
 * A desk with schedules. @throws NotFoundError for an unknown desk; Refusal for one without
 * services
 */
export function placeNamed({ desks }: ServerContext, name: string | undefined): ScheduleDesk {
  const found = desks.find((each) => name === undefined || each.name === name);
  if (found === undefined) throw new NotFoundError(`no desk ${plainText(name ?? '', 80)}`);
  if (found.services === undefined) {
    throw new Refusal(
      409,
      'several-desks',
      'a server of several repositories does not do this',
      'serve one repository: deskhand --dir DIR serve',
    );
  }
  return { desk: found, services: found.services };
}

/** A schedule of a desk. @throws NotFoundError */
export async function scheduleNamed({ board }: Desk, id: string): Promise<Schedule> {
  const { schedules: all = [] } = (await board?.read()) ?? {};
  const found = all.find((schedule) => schedule.id === id);
  if (found !== undefined) return found;
  throw new NotFoundError(`no schedule ${plainText(id, 40)}`, 'see `deskhand schedule list`');
}

function whoOf(session: Session | undefined, { user }: ServerContext): string {
  return session?.who ?? user;
}

function changed({ board, name }: Desk, { notices }: ServerContext): void {
  board?.forget();
  notices.publish({ kind: 'schedules', desk: name });
}
