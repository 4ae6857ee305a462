/** Notifications of a scheduler: for a run that could not start, and for missed occurrences. */
import { plainText, shellWord } from '../../base/text.ts';
import type { Profile } from '../config/profile.ts';
import { readRun } from '../../engine/journal/runs.ts';
import { noticeOf, noticeOfCrash, type Notice } from '../notification/notice.ts';
import type { ScheduleRecord } from './decisions.ts';
import type { Schedule } from './schedule.ts';
import { shownTime } from './slot.ts';
import { forgottenText, leftText } from './skipped-words.ts';

/**
 * The notification of a record. For a run whose process was killed, it is made from the journal, which says
 * what is in doubt; if the journal cannot be read, it is made from the record.
 */
export async function noticeFor(
  record: ScheduleRecord,
  schedule: Schedule,
  profile: Profile,
  stateDir: string,
): Promise<Notice | undefined> {
  const general = noticeOfRecord(record, schedule, profile);
  if (record.kind !== 'ended' || record.cause !== 'crash') return general;
  const { run, message = '' } = record;
  const entries = run === undefined ? [] : await readRun(stateDir, run).catch(() => []);
  if (entries.length === 0) return general;
  const notice = noticeOfCrash(entries, message);
  return notice && { ...notice, schedule: schedule.id };
}

/**
 * The notification of a record, by the record alone. Undefined if no person needs it: a run notifies of its
 * end itself, and a playbook that only reads loses nothing by a missed occurrence.
 */
function noticeOfRecord(
  record: ScheduleRecord,
  schedule: Schedule,
  { name: profile, target }: Profile,
): Notice | undefined {
  const { playbook, file, id, writes } = schedule;
  const notice = {
    event: 'missed',
    playbook,
    profile,
    target,
    schedule: id,
    facts: [
      ['account', profile],
      ['schedule', id],
    ],
  } as const;
  if (record.kind === 'ended' && record.status === 'not-begun') {
    const { occurrence, message = '', hint, awaits } = record;
    return noticeOf({
      ...notice,
      event: awaits === 'approval' ? 'approval-wanted' : 'missed',
      sentence: `${playbook} could not start for ${shownTime(occurrence)}: ${message}`,
      facts: [...notice.facts, ...(hint === undefined ? [] : [['help', plainText(hint)] as const])],
    });
  }
  if (record.kind === 'ended' && record.cause === 'crash') {
    const { occurrence, message = '', run, hint } = record;
    return noticeOf({
      ...notice,
      event: 'stopped',
      sentence: `${playbook} was interrupted for ${shownTime(occurrence)}: ${message}`,
      ...(run === undefined ? {} : { run, command: `deskhand resume ${shellWord(run)}` }),
      facts: [...notice.facts, ...(hint === undefined ? [] : [['help', plainText(hint)] as const])],
    });
  }
  if (record.kind === 'forgotten' && writes) {
    return noticeOf({ ...notice, sentence: `${playbook}: ${forgottenText}` });
  }
  if (record.kind !== 'left' || !writes || record.why === 'covered') return undefined;
  return noticeOf({
    ...notice,
    sentence: `${playbook}: ${leftText(record)}`,
    command: `deskhand run ${shellWord(file)} --scheduled-for ${shownTime(record.to)}`,
  });
}
