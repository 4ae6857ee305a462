/** Validates playbooks offline, with the limits of their profiles. */
import { redactor } from '../../base/secret.ts';
import { itemsMaxOf, profileNamed, type Config } from '../config/load.ts';
import { checkedFiles, maskedFiles, type CheckedFile } from '../../language/format.ts';
import { loadPlaybook, type Loaded, type ProfileLimits } from '../../language/load.ts';
import { accountRules } from '../accounts/account-rules.ts';
import { configToRead } from '../config/opened.ts';
import { folderOf, type AppContext } from '../app-context.ts';
import { withoutOptimizing } from '../machine/optimizing.ts';
import { includedFrom } from './playbooks.ts';

/** The limits of a playbook's profile; none if its account is not a profile, which is a problem. */
export async function limitsHere(context: AppContext): Promise<ProfileLimits> {
  const config = await configToRead(context);
  const { profile: flag } = context.globals;
  profileNamed(config, flag ?? config.initial);
  return limitsOf(config, flag, folderOf(context));
}

/** The names of the profiles that playbooks here can use. */
export async function profilesHere(context: AppContext): Promise<readonly string[]> {
  return [...(await configToRead(context)).profiles.keys()];
}

/**
 * @param flag the profile of the command line
 * @param folder from which programs are named; default: the current one
 */
export function limitsOf(config: Config, flag?: string, folder?: string): ProfileLimits {
  const accounts = accountRules(config, folder);
  return {
    guards: (account) => {
      const profile = flag ?? account ?? config.initial;
      return { profile, rules: config.profiles.get(profile)?.guards ?? {}, accounts };
    },
    itemsMax: itemsMaxOf(config, flag),
  };
}

/**
 * Checks playbooks; a nested file with problems is named once.
 * @param read reads a file that a person named
 */
export async function checkedPlaybooks(
  names: readonly string[],
  read: (name: string) => Promise<Buffer>,
  context: AppContext,
): Promise<readonly CheckedFile[]> {
  const limits = await limitsHere(context);
  const files: CheckedFile[] = [];
  for (const name of names) {
    const known = new Set(files.map(({ file }) => file));
    const checked = checkedPlaybook(
      await read(name),
      name === '-' ? 'stdin' : name,
      limits,
      context,
    );
    files.push(...checked.filter(({ file }) => !known.has(file)));
  }
  return files;
}

/** Whether no file has an error. */
export function areValid(files: readonly CheckedFile[]): boolean {
  return files.every(({ problems }) => problems.every(({ level }) => level !== 'error'));
}

/** The problems of a file, and those of nested files with problems. */
export function checkedPlaybook(
  bytes: Buffer,
  file: string,
  limits: ProfileLimits,
  context: Pick<AppContext, 'folder' | 'isOwnProcess' | 'secrets'>,
): readonly CheckedFile[] {
  const loading = { include: includedFrom(folderOf(context)), ...limits };
  const load = (): Loaded => loadPlaybook(bytes, file, loading);
  const loaded = context.isOwnProcess ? withoutOptimizing(bytes.length, load) : load();
  const files = checkedFiles({ file, text: bytes.toString('utf8') }, loaded);
  return maskedFiles(files, redactor(context.secrets));
}
