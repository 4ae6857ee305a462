/** The schedules of playbooks: those named, or all in this folder. */
import { day, lengthIn, minute } from '../../base/clock.ts';
import { DeskhandError, UsageError } from '../../base/error.ts';
import { count, plainText } from '../../base/text.ts';
import { chooseProfile, itemsMaxOf, type Config } from '../../app/config/load.ts';
import { playbooksIn } from '../../app/config/playbook-files.ts';
import { loadPlaybook } from '../../language/load.ts';
import type { Playbook } from '../../language/playbook.ts';
import { schedulesOf, type Schedule } from '../../app/schedule/schedule.ts';
import type { Context } from '../context.ts';
import { describeError } from '../../app/running/describe.ts';
import {
  playbooksHere,
  printSkipped,
  readArgument,
  type PlaybookFiles,
  type SkippedFile,
} from '../args/files.ts';
import { includedHere } from '../../app/planning/playbooks.ts';

export interface Scheduled {
  /** What was searched. */
  readonly files: readonly string[];
  readonly schedules: readonly Schedule[];
  /** Files whose schedules are skipped, with the reason. */
  readonly left: readonly SkippedFile[];
  /** YAML files of other tools, which have no schedules. */
  readonly others: readonly SkippedFile[];
}

/** Reads the playbooks again. An invalid file is reported and does not affect the others. */
export async function schedulesIn(
  words: readonly string[],
  config: Config,
  context: Context,
): Promise<Scheduled> {
  const here = words.length > 0 ? { files: words, skipped: [] } : await playbooksHere();
  return schedulesOfFiles(here, config, context);
}

/** Those of this folder; a folder without playbooks has none. */
export async function schedulesHere(config: Config, context: Context): Promise<Scheduled> {
  const { playbooks } = await playbooksIn('.');
  return schedulesOfFiles({ files: playbooks, skipped: [] }, config, context);
}

async function schedulesOfFiles(
  { files, skipped }: PlaybookFiles,
  config: Config,
  context: Context,
): Promise<Scheduled> {
  const schedules: Schedule[] = [];
  const left: SkippedFile[] = [];
  for (const file of files) {
    const found = await schedulesOfFile(file, config, context);
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
  context: Context,
): Promise<readonly Schedule[] | string> {
  try {
    const text = await readArgument(file, context.terminal);
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

function profileName({ account, schedule }: Playbook, config: Config, context: Context): string {
  if (schedule.length === 0) return config.initial;
  const { profile: flag } = context.globals;
  const { profile } = chooseProfile(config, {
    ...(flag !== undefined && { flag }),
    ...(account !== undefined && { account }),
  });
  return profile.name;
}

/** Reports that none of the files has a schedule. */
export function noneScheduled({ files: [first = '', ...others] }: Scheduled): string {
  const more = others.length === 0 ? '' : ` and ${count(others.length, 'other file')}`;
  return `no schedule in ${plainText(first, 200)}${more}`;
}

/** Reports the skipped files, each reason once. */
export function printLeft(
  { left, others }: Scheduled,
  printed: Set<string>,
  { terminal }: Context,
): void {
  printSkipped([...others, ...left], { terminal }, printed);
}

/** `--late`: for infrequent timers. @throws UsageError */
export function lateAs(late: string | undefined, found: Scheduled): Scheduled {
  if (late === undefined) return found;
  const lateMs = lengthIn(late);
  if (lateMs === undefined || lateMs < minute || lateMs > day) {
    throw new UsageError(
      `--late is a duration from 1m to 1d, not ${JSON.stringify(late)}`,
      'as in 45m',
    );
  }
  return { ...found, schedules: found.schedules.map((schedule) => ({ ...schedule, lateMs })) };
}

/** `--schedule`: only schedules with these ids. @throws UsageError for an unknown id */
export function onlyThese(ids: readonly string[], found: Scheduled): Scheduled {
  if (ids.length === 0) return found;
  const known = found.schedules.map(({ id }) => id);
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown !== undefined && found.left.length === 0) {
    throw new UsageError(
      `unknown schedule ${JSON.stringify(unknown)} here`,
      'the id depends on its times, steps and account: see `deskhand schedule list`',
    );
  }
  return { ...found, schedules: found.schedules.filter(({ id }) => ids.includes(id)) };
}
