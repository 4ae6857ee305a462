/** Programs that some features need: Git for authors and commits of plans, ssh-keygen for approvals. */
import { hasKeygen } from '../../engine/approval/keygen.ts';
import type { Profile } from '../config/profile.ts';
import type { AppContext } from '../app-context.ts';
import { unreadCheckoutHere } from '../machine/git.ts';
import { failure, warning, type Finding } from './finding.ts';

/** The missing programs among those that are needed here; empty if all are there. */
export async function missingPrograms(
  profiles: readonly Profile[],
  context: AppContext,
): Promise<readonly Finding[]> {
  const unread = await unreadCheckoutHere(context);
  const ofGit = unread && [
    warning('git', `plans have neither authors nor a commit: ${unread.because}`, unread.hint),
  ];
  const [signed] = profiles.filter(({ approval }) => approval !== undefined);
  const isMissing = signed !== undefined && !(await hasKeygen(context.env));
  const ofKeys = isMissing && [
    failure(
      'ssh-keygen',
      `profile ${signed.name} requires approvals, and ssh-keygen is not installed, or not on PATH`,
      'install OpenSSH (openssh-client), or add its folder to PATH',
    ),
  ];
  return [...(ofGit ?? []), ...(ofKeys || [])];
}
