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
import type { ReadIncluded } from '../../language/includes.ts';
import type { Playbook } from '../../language/playbook.ts';
import type { Problem } from '../../language/problem.ts';
import { schedulesOf, type Schedule } from './schedule.ts';
import { folderOf, type AppContext } from '../app-context.ts';
import { readNamed } from '../machine/read-named.ts';
import { describeError } from '../running/describe.ts';
import { includedFrom } from '../planning/playbooks.ts';

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
    return schedulesOfText({ file, bytes: await read(file) }, config, context);
  } catch (error) {
    const isExpected =
      error instanceof DeskhandError || (error instanceof Error && 'code' in error);
    if (isExpected) return describeError(error).message;
    throw error;
  }
}

/** What a file had when it was last checked. */
interface Known {
  readonly bytes: Uint8Array;
  /** The files of the playbooks that it uses; undefined for a missing one. */
  readonly included: ReadonlyMap<string, Included>;
  readonly found: readonly Schedule[] | string;
}

type Included = ReturnType<ReadIncluded>;

/** A scheduler and a server ask again every few seconds, for what may be thousands of files. */
const known = new WeakMap<Config, Map<string, Known>>();

/** The schedules of a playbook, or why it has none; it is not checked again until a file that it uses changes. */
function schedulesOfText(
  { file, bytes }: { readonly file: string; readonly bytes: Uint8Array },
  config: Config,
  context: AppContext,
): readonly Schedule[] | string {
  const all = known.get(config) ?? new Map<string, Known>();
  known.set(config, all);
  const include = includedFrom(folderOf(context));
  const last = all.get(file);
  if (last !== undefined && isUnchanged(last, { bytes, include })) return last.found;
  const included = new Map<string, Included>();
  const { playbook, problems } = loadPlaybook(bytes, file, {
    include: (name) => {
      const text = include(name);
      included.set(name, text);
      return text;
    },
    itemsMax: itemsMaxOf(config, context.globals.profile),
  });
  const found = playbook
    ? schedulesOf(playbook, profileName(playbook, config, context))
    : firstError(problems);
  all.set(file, { bytes, included, found });
  return found;
}

function isUnchanged(
  { bytes, included }: Known,
  now: { readonly bytes: Uint8Array; readonly include: ReadIncluded },
): boolean {
  if (!isSame(bytes, now.bytes)) return false;
  return [...included].every(([name, was]) => isSame(was, now.include(name)));
}

function isSame(was: Included, now: Included): boolean {
  if (was === undefined || now === undefined) return was === now;
  return Buffer.from(was).equals(Buffer.from(now));
}

function firstError(problems: readonly Problem[]): string {
  const first = problems.find(({ level }) => level === 'error');
  const { line, column } = first?.at.start ?? { line: 1, column: 1 };
  return `${line}:${column} ${first?.message ?? 'it is not a playbook'}`;
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
