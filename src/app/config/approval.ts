/** The approvals a profile requires before a plan is run. */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import type { ApprovalRules } from '../../engine/approval/check.ts';
import { day } from '../../base/clock.ts';
import { isReallyIn, workspaceOf } from '../../base/workspace.ts';
import {
  countIn,
  fieldsOf,
  inside,
  lengthOf,
  textIn,
  textsIn,
  wordIn,
  wrong,
  type Fields,
} from './fields.ts';

const keys = ['by', 'count', 'of', 'signers', 'passkeys', 'expires', 'records'] as const;

/**
 * Reads `approve: { by: other, count: 2, of: [ann@desk.example], signers: ./allowed_signers }`. Paths are
 * relative to the folder of the file.
 * @throws ConfigError
 */
export function approvalOf(profile: Fields): ApprovalRules | undefined {
  const value = profile.values['approve'];
  if (value === undefined) return undefined;
  const fields = fieldsOf(value, inside(profile, 'approve'), keys);
  const signers = pathIn(fields, 'signers');
  if (signers === undefined) {
    throw wrong(
      inside(fields, 'signers'),
      'is missing: name a file of allowed signers, in the format of Git',
    );
  }
  const count = countIn(fields, 'count') ?? 1;
  const of = textsIn(fields, 'of');
  if (count < 1) throw wrong(inside(fields, 'count'), 'must be 1 or more');
  if (of !== undefined && of.length < count) {
    throw wrong(inside(fields, 'of'), `names fewer people than the ${count} it asks for`);
  }
  const passkeys = pathIn(fields, 'passkeys');
  const records = pathIn(fields, 'records');
  return {
    by: wordIn(fields, 'by', ['other', 'anyone']) ?? 'other',
    count,
    ...(of && { of }),
    signers,
    ...(passkeys !== undefined && { passkeys }),
    lasts: lengthOf(fields, 'expires') ?? day,
    ...(records !== undefined && { records }),
  };
}

/** A path relative to the folder of the file; only an absolute one may leave its repository. */
function pathIn(fields: Fields, key: 'signers' | 'passkeys' | 'records'): string | undefined {
  const path = textIn(fields, key);
  if (path === undefined) return undefined;
  const folder = dirname(fields.file);
  const place = resolve(folder, path);
  if (isAbsolute(path) || !existsSync(place) || isReallyIn(workspaceOf(folder), place))
    return place;
  throw wrong(
    inside(fields, key),
    'is outside the repository; keep it there, or give its absolute path',
  );
}
