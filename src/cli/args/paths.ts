/** Paths given by flags, checked before anything is done: a run should not fail because of one. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { UsageError } from '../../base/error.ts';
import { kindAt } from '../../base/file-kind.ts';
import { refuseIrregular } from '../../base/read-file.ts';
import { standingAt } from '../../base/own-file.ts';
import type { Args } from '../context.ts';
import { longFlag, type Flag } from '../verbs/verb.ts';
import { missingFile } from '../../app/machine/read-named.ts';
import { inputFile } from './input-file.ts';
import type { OwnName } from './own-files.ts';

/** Checks the paths of flags. @throws UsageError for the first path that its flag cannot use */
export async function checkPaths(flags: readonly Flag[], args: Args): Promise<void> {
  refuseReadTwice(flags, args);
  const written = new Map<string, string>();
  for (const { flag, path, need, owns } of namedBy(flags, args)) {
    const kind = await kindOf(path);
    if (need === 'read' && kind === 'nothing') throw await missingFile(path, process.cwd());
    if (need === 'folder' ? kind === 'file' : kind === 'folder') throw wrongKind(flag, path, kind);
    if (need === 'read') refuseIrregular(path);
    if (need !== 'read') await checkPlace(path, kind === 'nothing' ? dirname(path) : path);
    if (owns !== undefined) await refuseForeign(path, owns);
    if (need === 'write') refuseTwice(flag, path, written);
  }
}

/** Whether an argument or a flag is `-`: then stdin cannot answer a prompt. */
export function readsStdin(flags: readonly Flag[], args: Args): boolean {
  return stdinReaders(flags, args).length > 0;
}

/** Refuses to read stdin twice: its first reader would leave nothing for the second. */
function refuseReadTwice(flags: readonly Flag[], args: Args): void {
  const [first, second] = stdinReaders(flags, args);
  if (first === undefined || second === undefined) return;
  throw new UsageError(
    `stdin can be read once, but ${first} and ${second} are "-"`,
    'write one of them to a file, and name it',
  );
}

function stdinReaders(flags: readonly Flag[], args: Args): readonly string[] {
  const isStdin = (word: string): boolean => word === '-';
  return [
    ...args.positionals.filter(isStdin).map(() => 'an argument'),
    ...flags
      .filter((flag) => flag.readsStdin === true)
      .flatMap((flag) =>
        valuesOf(flag, args)
          .filter(isStdin)
          .map(() => longFlag(flag.flags)),
      ),
  ];
}

interface Named extends Pick<Flag, 'owns'> {
  readonly flag: string;
  readonly path: string;
  readonly need: NonNullable<Flag['path']>;
}

/** The files that flags name; stdin is not a file. */
function namedBy(flags: readonly Flag[], args: Args): readonly Named[] {
  return flags.flatMap((each) => {
    const { flags: spelling, path: need, owns } = each;
    if (need === undefined) return [];
    const flag = longFlag(spelling);
    return valuesOf(each, args)
      .filter((path) => path !== '-' || each.readsStdin !== true)
      .map((path) => ({ flag, path, need, ...(owns && { owns }) }));
  });
}

function valuesOf({ flags, isRepeated, mayName }: Flag, args: Args): readonly string[] {
  const name = longFlag(flags).slice(2);
  const one = args.text(name);
  const values = isRepeated ? args.texts(name) : one === undefined ? [] : [one];
  return mayName ? values.map((value) => inputFile(value).path) : values;
}

/**
 * Refuses an output file that may not be replaced, before anything is done: a run should not fail
 * because of it.
 */
async function refuseForeign(path: string, owns: OwnName): Promise<void> {
  if (kindAt(path) === 'nothing') return;
  const { ownKind } = await import('./own-files.ts');
  standingAt(path, await ownKind(owns));
}

function refuseTwice(flag: string, path: string, written: Map<string, string>): void {
  const place = resolve(path);
  const other = written.get(place);
  if (other !== undefined) throw new UsageError(`${flag} and ${other} name one file: ${path}`);
  written.set(place, flag);
}

type Kind = 'file' | 'folder' | 'nothing';

async function kindOf(path: string): Promise<Kind> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch {
    return 'nothing'; // or it cannot be inspected; writing is tried next
  }
}

function wrongKind(flag: string, path: string, kind: Kind): UsageError {
  const hint = kind === 'folder' ? 'name a file in it' : 'name a folder; it is created if missing';
  return new UsageError(`${flag}: ${path} is a ${kind}`, hint);
}

/** Checks that a file, or its nearest existing parent folder, is writable. */
async function checkPlace(path: string, place: string): Promise<void> {
  const kind = await kindOf(place);
  if (kind === 'nothing' && dirname(resolve(place)) !== resolve(place)) {
    return checkPlace(path, dirname(place));
  }
  if (kind === 'file' && place !== path) {
    throw new UsageError(`${path} cannot be written: ${place} is a file`, 'name another folder');
  }
  try {
    await access(place, constants.W_OK);
  } catch {
    throw new UsageError(`${path} cannot be written`, `check the permissions of ${place}`);
  }
}
