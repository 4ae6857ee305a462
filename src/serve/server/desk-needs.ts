/** The schedules of a desk, and the results of its last `drift`, that need a person. */
import { day, type Millis } from '../../base/clock.ts';
import { messageOf } from '../../base/error.ts';
import { count, plainText, shellWord } from '../../base/text.ts';
import { driftRecords } from '../../engine/plan/drift-record.ts';
import type { ScheduleRecord } from '../../app/schedule/decisions.ts';
import type { Schedule } from '../../app/schedule/schedule.ts';
import { shownTime } from '../../app/schedule/slot.ts';
import { leftText } from '../../app/schedule/skipped-words.ts';
import type { Desk } from './desk.ts';
import type { Need } from './needs.ts';

const shownFor: Millis = 7 * day; // older ones are in `schedule log`

/** The needs of a desk. @param now by the clock of this machine */
export async function deskNeeds(desk: Desk, now: Millis): Promise<readonly Need[]> {
  return [...(await scheduleNeeds(desk, now)), ...(await driftNeeds(desk))];
}

async function scheduleNeeds(desk: Desk, now: Millis): Promise<readonly Need[]> {
  if (desk.board === undefined) return [];
  try {
    const { schedules, records } = await desk.board.read();
    return schedules.flatMap((schedule) => needOf(schedule, records, desk, now) ?? []);
  } catch (error) {
    return [
      {
        kind: 'damaged',
        desk: desk.name,
        cause: 'schedules unreadable',
        title: 'Schedules',
        label: 'unreadable',
        text: plainText(messageOf(error), 300),
        command: 'deskhand schedule log',
      },
    ];
  }
}

/** The need of a schedule by its last outcome, unless a person ran the playbook since. */
function needOf(
  schedule: Schedule,
  records: readonly ScheduleRecord[],
  desk: Desk,
  now: Millis,
): Need | undefined {
  const last = records.findLast(
    ({ schedule: id, kind }) =>
      id === schedule.id && (kind === 'taken' || kind === 'ended' || kind === 'left'),
  );
  if (last === undefined || now - last.at > shownFor || hasRunSince(schedule, last, desk)) {
    return undefined;
  }
  const { id, playbook, file } = schedule;
  const cause = `schedule ${id} ${last.kind} ${last.at}`;
  const title = plainText(playbook, 80);
  const place = { desk: desk.name, schedule: id, cause, at: last.at, title };
  if (last.kind === 'ended' && last.status === 'not-begun') {
    const { occurrence, message = '', hint = '', awaits } = last;
    const [, command] = /`(deskhand [^`]+)`/.exec(hint) ?? [];
    return {
      ...place,
      kind: awaits === 'approval' ? 'approval' : 'missed',
      label: awaits === 'approval' ? 'approval' : 'not started',
      text: plainText(`${shownTime(occurrence)} could not start: ${message}`, 300),
      ...(command !== undefined && { command: plainText(command, 300) }),
    };
  }
  if (last.kind !== 'left' || !schedule.writes) return undefined;
  if (last.why !== 'missed' && last.why !== 'too-old') return undefined;
  return {
    ...place,
    kind: 'missed',
    label: 'missed',
    text: leftText(last),
    action: 'Run now',
    command: `deskhand run ${shellWord(file)} --scheduled-for ${shownTime(last.to)}`,
  };
}

function hasRunSince({ playbook, profile }: Schedule, { at }: ScheduleRecord, { runs }: Desk) {
  return runs.select({ playbook, profile, since: at }).length > 0;
}

async function driftNeeds({ name, config, runs }: Desk): Promise<readonly Need[]> {
  const found = await driftRecords(config.stateDir);
  const inDoubtNow = found.length === 0 ? [] : runs.notable().filter(({ doubts }) => doubts > 0);
  return found.flatMap(({ playbook, file, profile, differences, inDoubt = 0, at }): Need[] => {
    // Doubts of runs that are listed are needs of these runs.
    const own = inDoubtNow.filter((row) => row.playbook === playbook && row.profile === profile);
    const listed = own.reduce((sum, { doubts }) => sum + doubts, 0);
    const others = differences - Math.min(inDoubt, listed);
    if (others <= 0) return [];
    return [
      {
        kind: 'drift',
        desk: name,
        cause: `drift ${file} ${profile} ${at}`,
        at,
        title: plainText(playbook, 80),
        label: 'drift',
        text: `${count(others, 'difference')} between the ledger and ${plainText(profile, 60)}`,
        command: `deskhand drift ${shellWord(plainText(file, 200))}`,
      },
    ];
  });
}
