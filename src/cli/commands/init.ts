/** `init`: creates a repository of playbooks with editor settings and a pipeline. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { kindAt, kindWords } from '../../base/file-kind.ts';
import { makeFolders } from '../../base/folder.ts';
import { fieldOf, isRecord } from '../../base/json.ts';
import { readRegularSync } from '../../base/read-file.ts';
import { count, shellWord } from '../../base/text.ts';
import { nearestFile } from '../../app/config/config-files.ts';
import { playbooksIn } from '../../app/config/playbook-files.ts';
import { replaceFile } from '../../engine/journal/file.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { filesFor, type NewFile } from '../init/written.ts';
import type { InitOutput } from '../../app/documents/playbooks.ts';
import { columns, wrapped } from '../../report/terminal/columns.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const format = outputOf(context, ['text', 'json']);
  const folder = args.positionals[0] ?? '.';
  if (existsSync(folder) && !statSync(folder).isDirectory()) {
    throw new UsageError(`${folder} is a file`, 'name a folder; it is created if missing');
  }
  const isForced = args.isOn('force');
  const isAdded = isAddition(args);
  if (isForced && !args.isOn('github') && !args.isOn('gitlab')) {
    throw new UsageError(
      '--force replaces only the files of a pipeline: profiles, playbooks and settings are yours',
      'add --github or --gitlab, or remove what is to be written again',
    );
  }
  await refuseShadowing(folder);
  const { files, playbook } = await filesFor(folder, args, isAdded);
  for (const { path } of files) refuseOdd(folder, path);
  const standing = files.filter(({ path }) => kindAt(join(folder, path)) === 'file');
  if (standing.length > 0 && !isAdded) {
    throw new UsageError(
      `${count(standing.length, 'file')} would be overwritten: ${standing.map(({ path }) => path).join(', ')}`,
      'choose an empty folder; or add missing files with --github, --gitlab or --example NAME',
    );
  }
  const kept = standing.filter(({ isPipeline }) => !isForced || isPipeline !== true);
  const written = files.filter((file) => !kept.includes(file));
  for (const { path, text } of written) {
    const file = join(folder, path);
    await makeFolders(dirname(file));
    await replaceFile(file, text, 0o666 & ~process.umask());
  }
  if (format === 'json') {
    const pathsOf = (some: readonly NewFile[]): readonly string[] => some.map(({ path }) => path);
    const output: InitOutput = {
      version: 1,
      folder,
      written: pathsOf(written),
      kept: pathsOf(kept),
      playbook,
    };
    context.terminal.out.json(output);
    return exits.done;
  }
  show(context, { folder, written, kept, playbook });
  if (lacksPackage(folder, args)) {
    const { out } = context.terminal;
    const note =
      'the pipeline installs deskhand from package-lock.json, which does not have it yet: add it with npm install --save-dev and its tarball, or use --package (docs/gitops.md)';
    for (const line of wrapped(note, out.theme, 2)) out.line(line);
  }
  return exits.done;
}

/**
 * Refuses a folder above existing playbooks: they would run under its new file, without the guards
 * and approvals of theirs.
 */
async function refuseShadowing(folder: string): Promise<void> {
  const above = nearestFile(folder);
  if (above === undefined || dirname(above) === resolve(folder)) return;
  if ((await playbooksIn(folder)).playbooks.length === 0) return; // a new repository
  throw new UsageError(
    `${above} applies to the playbooks here: a new deskhand.yaml would replace its profiles, guards and approvals`,
    `nothing was written; use ${dirname(above)}, or a folder outside of it`,
  );
}

/** Whether files are added to an existing folder, whose other files stay unchanged. */
function isAddition(args: Args): boolean {
  return args.isOn('github') || args.isOn('gitlab') || args.texts('example').length > 0;
}

/** Whether the pipeline would find no deskhand in the lockfile that it installs. */
function lacksPackage(folder: string, args: Args): boolean {
  const isPiped = args.isOn('github') || args.isOn('gitlab');
  if (!isPiped || args.text('package') !== undefined) return false;
  const path = join(folder, 'package-lock.json');
  return kindAt(path) !== 'file' || !hasProgram(readRegularSync(path, Infinity).toString('utf8'));
}

/** Whether any package of a lockfile, under any name, has the program. */
function hasProgram(lock: string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(lock);
  } catch {
    return false; // such as one with a merge conflict
  }
  const packages = fieldOf(value, 'packages');
  return (
    isRecord(packages) &&
    Object.values(packages).some((each) => fieldOf(fieldOf(each, 'bin'), 'deskhand') !== undefined)
  );
}

interface Done {
  readonly folder: string;
  readonly written: readonly NewFile[];
  readonly kept: readonly NewFile[];
  readonly playbook: string;
}

function show({ terminal: { out } }: Context, { folder, written, kept, playbook }: Done): void {
  const { theme } = out;
  const rows = written.map(({ path, description }) => [
    theme.paint('strong', join(folder, path)),
    description,
  ]);
  for (const line of columns(rows, theme, { indent: 2 })) out.line(line);
  if (kept.length > 0) {
    const names = kept.map(({ path }) => path).join(', ');
    for (const line of wrapped(`unchanged: ${names}`, theme, 2)) out.line(line);
  }
  for (const note of kept.flatMap((file) => lackingIn(folder, file))) {
    for (const line of wrapped(note, theme, 2)) out.line(line);
  }
  out.line();
  const enter = folder === '.' ? '' : `cd ${shellWord(folder)} && `;
  const next = `${enter}deskhand plan ${shellWord(playbook)}`;
  out.line(`${theme.paint('strong', 'Next')}  ${theme.paint('command', next)}`);
}

/** Lines that a kept file may lack, to be added by hand. */
function lackingIn(folder: string, { path, text }: NewFile): string[] {
  const own = readRegularSync(join(folder, path)).toString('utf8').split('\n');
  if (path === '.gitignore') {
    const lines = text.split('\n').filter((line) => line !== '' && !own.includes(line));
    return lines.length === 0 ? [] : [`add to .gitignore: ${lines.join(' ')}`];
  }
  const needsState = path === 'deskhand.yaml' && /^state:/m.test(text);
  if (!needsState || own.some((line) => line.startsWith('state:'))) return [];
  return [
    'add to deskhand.yaml, because machines of a pipeline keep no runs: state: { store: git }',
  ];
}

/**
 * Refuses a path that even --force does not write: a link out of the folder, or something other
 * than a file.
 */
function refuseOdd(folder: string, path: string): void {
  const parts = path.split('/');
  for (const [at] of parts.entries()) {
    const part = join(folder, ...parts.slice(0, at + 1));
    const kind = kindAt(part);
    const isLast = at === parts.length - 1;
    if (kind === 'nothing' || kind === (isLast ? 'file' : 'folder')) continue;
    throw new UsageError(
      `${part} is in the way: ${kindWords(kind)}`,
      'nothing was written; move it, or choose another folder',
    );
  }
}
