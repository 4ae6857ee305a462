/** Finds the schedules of playbooks: the named ones, or all in this folder. */
import { DeskhandError } from '../../base/error.ts';
import { chooseProfile, itemsMaxOf, type Config } from '../config/load.ts';
import {
  playbooksHere,
  playbooksIn,
  type PlaybookFiles,
  type SkippedFile,
} from '../config/playbook-files.ts';
import { loadPlaybook } from '../../language/load.ts';
import type { Playbook } from '../../language/playbook.ts';
import { schedulesOf, type Schedule } from './schedule.ts';
import { folderOf, type AppContext } from '../app-context.ts';
import { readNamed } from '../machine/read-named.ts';
import { describeError } from '../running/describe.ts';
import { includedHere } from '../planning/playbooks.ts';

export interface Scheduled {
  /** The files that were searched. */
  readonly files: readonly string[];
  readonly schedules: readonly Schedule[];
  /** Files whose schedules are skipped, with the reason. */
  readonly left: readonly SkippedFile[];
  /** YAML files of other tools, which have no schedules. */
  readonly others: readonly SkippedFile[];
}

/** Reads a file by the name that a person gave. */
export type ReadNamed = (file: string) => Promise<Uint8Array>;

/**
 * Reads the playbooks again. An invalid file is reported and does not affect the others.
 * @param words the files; if there are none, all in this folder
 */
export async function schedulesIn(
  words: readonly string[],
  config: Config,
  context: AppContext,
  read?: ReadNamed,
): Promise<Scheduled> {
  const here = words.length > 0 ? { files: words, skipped: [] } : await playbooksHere();
  return schedulesOfFiles(here, config, context, read);
}

/** The schedules of this folder; a folder without playbooks has none. */
export async function schedulesHere(config: Config, context: AppContext): Promise<Scheduled> {
  const { playbooks } = await playbooksIn('.');
  return schedulesOfFiles({ files: playbooks, skipped: [] }, config, context);
}

async function schedulesOfFiles(
  { files, skipped }: PlaybookFiles,
  config: Config,
  context: AppContext,
  read: ReadNamed = (file) => readNamed(file, folderOf(context)),
): Promise<Scheduled> {
  const schedules: Schedule[] = [];
  const left: SkippedFile[] = [];
  for (const file of files) {
    const found = await schedulesOfFile(file, config, context, read);
    if (typeof found === 'string') {
      left.push({ file, because: found });
      continue;
    }
    const twin = schedules.find(({ id }) => found.some((own) => own.id === id));
    if (twin === undefined) schedules.push(...found);
    else left.push({ file, because: `${twin.file} has a playbook with the same name` });
  }
  return { files, schedules, left, others: skipped };
}

async function schedulesOfFile(
  file: string,
  config: Config,
  context: AppContext,
  read: ReadNamed,
): Promise<readonly Schedule[] | string> {
  try {
    const text = await read(file);
    const { playbook, problems } = loadPlaybook(text, file, {
      include: includedHere,
      itemsMax: itemsMaxOf(config, context.globals.profile),
    });
    if (playbook !== undefined)
      return schedulesOf(playbook, profileName(playbook, config, context));
    const first = problems.find(({ level }) => level === 'error');
    const { line, column } = first?.at.start ?? { line: 1, column: 1 };
    return `${line}:${column} ${first?.message ?? 'it is not a playbook'}`;
  } catch (error) {
    const isExpected =
      error instanceof DeskhandError || (error instanceof Error && 'code' in error);
    if (isExpected) return describeError(error).message;
    throw error;
  }
}

function profileName({ account, schedule }: Playbook, config: Config, context: AppContext): string {
  if (schedule.length === 0) return config.initial;
  const { profile: flag } = context.globals;
  const { profile } = chooseProfile(config, {
    ...(flag !== undefined && { flag }),
    ...(account !== undefined && { account }),
  });
  return profile.name;
}
