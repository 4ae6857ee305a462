/** How the questions of a run are answered: by signed records in folders and in the store. */
import { second, type Millis } from '../../base/clock.ts';
import { DeskhandError } from '../../base/error.ts';
import { sha256 } from '../../base/json.ts';
import { plainText, shellWord } from '../../base/text.ts';
import { ApprovalError } from '../../engine/approval/approval-error.ts';
import type { AskedIn } from '../../engine/approval/answer-record.ts';
import type { ApprovalCheck, ApprovalConditions } from '../../engine/approval/check.ts';
import { signedIn, type SignedFile } from '../../engine/approval/record.ts';
import type { Answered, Answers } from '../../engine/effects/people.ts';
import type { Answer } from '../../engine/journal/people-answers.ts';
import { StoreError } from '../../stores/store.ts';
import { moment } from '../../report/words.ts';
import type { AppContext } from '../app-context.ts';
import type { Config } from '../config/load.ts';
import type { Profile } from '../config/profile.ts';
import { noticeOf } from '../notification/notice.ts';
import { notifyAndWarn } from '../running/notify.ts';
import { answersOf, checked, conditionsFor, type AskingRun } from './checked-answers.ts';
import { committedAnswers } from './committed-answers.ts';
import { answersAbout } from './kept-answers.ts';
import { answerRules } from './answer-rules.ts';

type Asked = Parameters<Answers['wait']>[0];

const pause: Millis = second; // between two looks for answers

/** The answers to the questions of a run. */
export function signedAnswers(
  run: AskingRun,
  profile: Profile,
  config: Config,
  context: AppContext,
): Answers {
  return {
    wait: async (asked, ms, stopped) => {
      const waiting = await waitingFor(asked, run, config, context);
      const answered = await waiting.look(); // of a resumed run, while nobody waited
      if (answered !== undefined) return answered;
      await announce(asked, run, profile, context);
      return waiting.until(ms, stopped);
    },
    confirm: async (asked, answers) => {
      // The journal of this machine alone is trusted, as the reads in it are.
      if (config.state.store === 'local') return;
      await confirm(asked, answers, run, config, context);
    },
  };
}

/** Tells people that a step waits: at the terminal, and to the recipients of the profile. */
async function announce(
  { address, text, until, destination }: Asked,
  { run, playbook }: AskingRun,
  profile: Profile,
  context: AppContext,
): Promise<void> {
  const command = `deskhand approve ${shellWord(run)} ${shellWord(address)}`;
  const time = `${moment(until)} UTC`;
  const message = `${plainText(address, 100)} waits for an approval until ${time}: ${command}, or decline it: ${command.replace(' approve ', ' decline ')}`;
  context.note({ kind: 'remark', message });
  if (profile.notify.length === 0) return;
  const notice = noticeOf({
    event: 'approval-wanted',
    sentence: `${playbook.name} on ${destination.profile} asks: ${plainText(text, 500)}`,
    facts: [
      ['account', destination.profile],
      ['run', run],
      ['step', plainText(address, 100)],
      ['until', time],
    ],
    command,
    playbook: playbook.name,
    profile: destination.profile,
    target: destination.target,
    run,
  });
  await notifyAndWarn(notice, profile, context);
}

interface Waiting {
  /** The answer, if it is there. @throws as `until` */
  look(): Promise<Answered | undefined>;
  /** @throws ApprovalError for an answer that was changed after signing */
  until(ms: Millis, stopped: AbortSignal): Promise<Answered | undefined>;
}

async function waitingFor(
  asked: Asked,
  run: AskingRun,
  config: Config,
  context: AppContext,
): Promise<Waiting> {
  const { destination } = asked;
  const rules = answerRules(destination.profile, asked, config);
  const conditions = await conditionsFor(run, rules, context);
  const { clock } = context;
  const subject: AskedIn = { run: run.run, playbook: run.playbook.name, asked };
  const committed = committedAnswers(rules, context);
  const noted = new Set<string>();
  let known = '';
  const look = async (): Promise<Answered | undefined> => {
    const own = await found(() => answersAbout(run.run, destination, rules, config, context));
    const all = [...(own ?? []), ...committed(run.run)];
    const records = [...new Map(all.toReversed().map((each) => [each.text, each])).values()];
    const texts = JSON.stringify(
      records.map(({ text = '' }) => sha256(text)).toSorted((a, b) => (a < b ? -1 : 1)),
    );
    if (records.length === 0 || texts === known) return undefined;
    known = texts;
    const now = clock.now();
    const check = await checked(subject, aboutStep(records, asked), { ...conditions, now }, config);
    return decided(check, records, conditions, (message) => {
      if (!noted.has(message)) context.note({ kind: 'remark', message });
      noted.add(message);
    });
  };
  return {
    look,
    until: async (ms, stopped) => {
      const end = clock.monotonic() + ms;
      for (;;) {
        const answered = await look();
        if (answered !== undefined) return answered;
        const left = end - clock.monotonic();
        if (left <= 0) return undefined;
        await clock.sleep(Math.min(left, pause), stopped);
      }
    },
  };
}

/** The records, or nothing while the store gives no answer. */
async function found(
  read: () => Promise<readonly SignedFile[]>,
): Promise<readonly SignedFile[] | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}

/** Records of other steps of the run are left out: they have their own. */
function aboutStep(records: readonly SignedFile[], { address }: Asked): readonly SignedFile[] {
  return records.filter(({ answer }) => answer === undefined || answer.step === address);
}

function decided(
  { approved, declined, passed, broken, noted }: ApprovalCheck,
  records: readonly SignedFile[],
  { rules, authors }: ApprovalConditions,
  note: (message: string) => void,
): Answered | undefined {
  const [bad] = broken;
  if (bad !== undefined) {
    throw new ApprovalError(
      `${plainText(bad.file)} cannot be trusted: ${plainText(bad.why, 300)}`,
      'find out who changed it, remove it, and resume the run',
    );
  }
  const [no] = answersOf(declined, records);
  if (no !== undefined) return { verdict: 'decline', answer: no };
  for (const { file, why } of passed) {
    note(`${plainText(file)} does not count: ${plainText(why, 300)}`);
  }
  for (const { file, why } of noted) note(`${plainText(file)}: ${plainText(why, 300)}`);
  if (rules.by === 'other' && authors.length === 0) {
    throw new ApprovalError(
      'the author of the playbook is not known, so no approver is known to be another person',
      'commit the playbook, or set user.email in Git, and start a new run',
    );
  }
  if (approved.length < rules.count) return undefined;
  return { verdict: 'approve', answers: answersOf(approved, records) };
}

/** Checks recorded answers again: another machine may have written the record. @throws ApprovalError */
async function confirm(
  asked: Asked,
  answers: readonly Answer[],
  run: AskingRun,
  config: Config,
  context: AppContext,
): Promise<void> {
  const rules = answerRules(asked.destination.profile, asked, config);
  const records = answers.map(({ text, who }) =>
    signedIn(Buffer.from(text), `the recorded approval of ${who}`),
  );
  const times = records.flatMap(({ answer }) => answer?.at ?? []);
  const conditions = await conditionsFor(run, rules, context);
  const now = Math.max(0, ...times); // when they counted together
  const subject = { run: run.run, playbook: run.playbook.name, asked };
  const check = await checked(subject, records, { ...conditions, now }, config);
  try {
    const answered = decided(check, records, conditions, () => undefined);
    if (answered?.verdict === 'approve') return;
  } catch (error) {
    if (!(error instanceof DeskhandError)) throw error;
    throw unconfirmed(asked, error.message);
  }
  throw unconfirmed(asked, check.passed[0]?.why ?? 'there are too few');
}

function unconfirmed({ address }: Asked, why: string): ApprovalError {
  return new ApprovalError(
    `the recorded approval of ${plainText(address, 100)} does not count here: ${plainText(why, 300).replace(/; nothing was sent$/, '')}`,
    'compare the allowed signers of this checkout with those of the machine that recorded it',
  );
}
