/** Reports differences that were found: people are notified, and lists show when the comparison was made. */
import { count, plainText, shellWord } from '../../base/text.ts';
import { isDifference, type DriftLine } from '../../engine/plan/drift.ts';
import { keepDrifts, type DriftRecord } from '../../engine/plan/drift-record.ts';
import { allAccounts, onAccounts } from '../../report/accounts.ts';
import type { Drift } from '../../report/markdown/drift-comment.ts';
import { profileNamed, type Config } from '../config/load.ts';
import type { AppContext } from '../app-context.ts';
import { noticeOf } from '../notification/notice.ts';
import { notifyAndWarn } from '../running/notify.ts';
import type { Millis } from '../../base/clock.ts';

/** Notifies of differences, then records that all were compared. */
export async function reportDrifts(
  drifts: readonly Drift[],
  config: Config,
  context: AppContext,
): Promise<void> {
  for (const drift of drifts) await notifyOf(drift, config, context);
  const at = context.clock.now();
  const records = drifts.map((drift) => recordOf(drift, at));
  await keepDrifts(config.stateDir, records);
}

async function notifyOf(drift: Drift, config: Config, context: AppContext): Promise<void> {
  const { playbook, file, destination, lines } = drift;
  const profile = profileNamed(config, destination.profile);
  const differences = lines.filter(isDifference);
  if (differences.length === 0) return;
  const facts = differences.slice(0, notifiedMax).map((line) => {
    const { kind, address, recorded, shown } = line;
    const place = `${plainText(address ?? '', 60)}${onAccounts([line])}`;
    const what = `${place}: ${plainText(recorded, 160)}`;
    return [driftMarks[kind], `${what}; now ${plainText(shown, 160)}`] as const;
  });
  const notice = noticeOf({
    event: 'drift',
    sentence: `${plainText(playbook, 80)} on ${allAccounts(drift)}: ${count(differences.length, 'difference')} between the ledger and the exchange`,
    facts: [['account', profile.name], ...facts],
    command: `deskhand drift ${shellWord(file)}`,
    playbook: plainText(playbook, 80),
    profile: profile.name,
    target: profile.target,
  });
  await notifyAndWarn(notice, profile, context);
}

const notifiedMax = 5; // differences in a notification

function recordOf({ playbook, file, destination, lines }: Drift, at: Millis): DriftRecord {
  const { profile } = destination;
  const differences = lines.filter(isDifference).length;
  const inDoubt = lines.filter(({ kind }) => kind === 'doubt').length;
  return { playbook, file, profile, at, compared: lines.length, differences, inDoubt };
}

/** The mark of a drift line, which tells the state of its write. */
export const driftMarks: Readonly<Record<DriftLine['kind'], string>> = {
  same: 'as recorded',
  differs: 'differs',
  doubt: 'in doubt',
  unreadable: 'cannot be read back',
  unrecorded: 'not recorded',
  orphaned: 'orphaned',
};
