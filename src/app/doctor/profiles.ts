/** The profiles used by the playbooks next to the configuration. */
import { dirname, relative } from 'node:path';
import { exits } from '../../base/error.ts';
import { appendTo } from '../../base/groups.ts';
import { UnreadableError } from '../../base/read-file.ts';
import { listed, nearWord, plainText } from '../../base/text.ts';
import { readInside, workspaceOf } from '../../base/workspace.ts';
import { itemsMaxOf, profileNamed, type Config } from '../config/load.ts';
import type { Profile } from '../config/profile.ts';
import { loadPlaybook } from '../../language/load.ts';
import { namedAccounts } from '../../language/named-accounts.ts';
import type { Playbook } from '../../language/playbook.ts';
import { playbooksIn } from '../config/playbook-files.ts';
import { includedHere } from '../planning/playbooks.ts';
import { failure, ok, type Finding } from './finding.ts';

export interface UsedProfile {
  readonly name: string;
  /** Absent if the configuration has no profile of this name. */
  readonly profile?: Profile;
  /** Whether the profile exists, and which playbooks use it; absent if no playbook uses a profile. */
  readonly finding?: Finding;
}

/**
 * The profiles of the playbooks. Without a deskhand.yaml account names have no meaning, and every playbook
 * runs on the default profile.
 */
export async function usedProfiles(config: Config): Promise<Used> {
  const { users, computing } =
    config.file === undefined ? nobody : await usersIn(config, dirname(config.file));
  if (users.size === 0) {
    const initial = { name: config.initial, profile: profileNamed(config, config.initial) };
    return { profiles: [initial], computing };
  }
  return { profiles: [...users].map(([name, files]) => used(name, files, config)), computing };
}

/** The profiles that playbooks use. */
export interface Used {
  readonly profiles: readonly UsedProfile[];
  /** The playbooks with an account that only a plan or a run knows, such as that of an input. */
  readonly computing: readonly string[];
}

interface Users {
  /** The playbooks of each profile. */
  readonly users: ReadonlyMap<string, string[]>;
  readonly computing: readonly string[];
}

const nobody: Users = { users: new Map(), computing: [] };

const shownMax = 3; // playbooks listed per profile

function used(name: string, files: readonly string[], config: Config): UsedProfile {
  const profile = config.profiles.get(name);
  const more = files.length - shownMax;
  const names = [...files.slice(0, shownMax), ...(more > 0 ? [`${more} more`] : [])];
  const message = `${plainText(name, 60)}, used by ${listed(names.map((file) => plainText(file, 120)))}`;
  if (profile) return { name, profile, finding: ok('profile', message) };
  const near = nearWord(name, config.profiles.keys());
  const fix = near ? `did you mean ${near}?` : `add it under profiles: in ${config.file}`;
  return { name, finding: failure('profile', `unknown profile ${message}`, fix, exits.invalid) };
}

function playbookIn(file: string, folder: string, config: Config): Playbook | undefined {
  try {
    const text = readInside(workspaceOf(folder), file);
    const itemsMax = itemsMaxOf(config, undefined);
    return loadPlaybook(text, file, { include: includedHere, itemsMax }).playbook;
  } catch (error) {
    if (error instanceof UnreadableError) return undefined;
    throw error;
  }
}

/** Playbook files by the profile they name, or by the default. Invalid playbooks are left to `validate`. */
async function usersIn(config: Config, folder: string): Promise<Users> {
  const users = new Map<string, string[]>();
  const computing: string[] = [];
  for (const file of (await playbooksIn(folder)).playbooks) {
    const playbook = playbookIn(file, folder, config);
    if (playbook === undefined) continue;
    const { names, isEvery } = namedAccounts(playbook);
    if (!isEvery) computing.push(relative(folder, file));
    for (const name of new Set([playbook.account ?? config.initial, ...names])) {
      appendTo(users, name, relative(folder, file));
    }
  }
  return { users, computing };
}
