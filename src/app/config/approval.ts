/** The approvals a profile requires before a plan is run. */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import type { ApprovalRules } from '../../engine/approval/check.ts';
import { day } from '../../base/clock.ts';
import { isReallyIn, workspaceOf } from '../../base/workspace.ts';
import { changed, inside, map, needed, withDefault, wrong, type Part } from './part.ts';
import { count, duration, flag, text, texts, word } from './scalars.ts';

const fields = map({
  by: withDefault(
    word(['other', 'anyone'], {
      description: 'other: not an author of the playbook or the plan',
    }),
    'other',
  ),
  count: withDefault(count({ minimum: 1, description: 'Number of approvals (default 1)' }), 1),
  of: texts({ description: 'People who may approve (default: all signers)' }),
  signers: needed(
    path('File of allowed signers, as Git and ssh-keygen read it'),
    'is missing: name a file of allowed signers, in the format of Git',
  ),
  passkeys: path('File of passkeys that may approve in a browser: passkeys.json'),
  expires: withDefault(duration('How long an approval is valid: 24h'), day),
  records: path('Folder of the signed records'),
  plans: withDefault(
    flag('Whether plans need approvals; false: only steps with uses: approve (default true)'),
    true,
  ),
});

/** Who approves on a profile, and whether its plans need that. */
export interface ApprovalSetting {
  readonly rules: ApprovalRules;
  readonly isForPlans: boolean;
}

/** `approve: { by: other, count: 2, of: [ann@desk.example], signers: ./allowed_signers }`. */
export const approval: Part<ApprovalSetting> = changed(
  fields,
  ({ expires: lasts, plans: isForPlans, ...given }, place) => {
    const { of, count: least } = given;
    if (of === undefined || of.length >= least) return { rules: { ...given, lasts }, isForPlans };
    throw wrong(inside(place, 'of'), `names fewer people than the ${least} it asks for`);
  },
);

/**
 * A path relative to the folder of the configuration file; only an absolute one may leave its repository.
 */
function path(description: string): Part<string> {
  return changed(text({ description }), (given, place) => {
    const folder = dirname(place.file);
    const found = resolve(folder, given);
    if (isAbsolute(given) || !existsSync(found) || isReallyIn(workspaceOf(folder), found)) {
      return found;
    }
    throw wrong(place, 'is outside the repository; keep it there, or give its absolute path');
  });
}
