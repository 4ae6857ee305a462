/** `new`: writes a playbook of one operation, and its test, from answers to questions. */
import { dirname, join } from 'node:path';
import process from 'node:process';
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { kindAt } from '../../base/file-kind.ts';
import { makeFolders } from '../../base/folder.ts';
import { listed, nearWord, shellWord } from '../../base/text.ts';
import { limitsHere, profilesHere } from '../../app/planning/validate.ts';
import { replaceFile } from '../../engine/journal/file.ts';
import { operationNear } from '../../exchange/api/near-operation.ts';
import {
  isOperation,
  operationNames,
  operationOf,
  type OperationName,
} from '../../exchange/api/operations/index.ts';
import { loadPlaybook, type ProfileLimits } from '../../language/load.ts';
import { writeFormats } from '../../language/playbook.ts';
import { columns } from '../../report/terminal/columns.ts';
import type { Args, Context } from '../context.ts';
import { playbookText, testText, type Answers } from '../new/draft.ts';
import { fieldsFrom } from '../new/fields.ts';
import { asking, type Ask } from '../new/questions.ts';
import { writeFrom } from '../new/writes.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const limits = await limitsHere(context);
  const profiles = await profilesHere(context);
  const answers = await asking(context.terminal, (ask) => answersOf(args, ask, profiles, limits));
  const file = join('playbooks', `${answers.name}.yaml`);
  const test = join('playbooks', `${answers.name}.test.yaml`);
  refuseExisting([file, test]);
  const text = playbookText(answers, file);
  const wrong = loadPlaybook(text, file, limits).problems.find(({ level }) => level === 'error');
  if (wrong !== undefined) {
    const isField = wrong.code.startsWith('PB2') && !wrong.hint?.startsWith('did you');
    const help = isField ? 'add --with FIELD=VALUE' : wrong.hint; // authors write `with`
    throw new UsageError(wrong.message, `nothing was written${help ? `; ${help}` : ''}`);
  }
  await makeFolders(dirname(file));
  const mode = 0o666 & ~process.umask();
  await replaceFile(file, text, mode);
  await replaceFile(test, testText(answers, `${answers.name}.yaml`, test), mode);
  show(context, answers, file, test);
  return exits.done;
}

async function answersOf(
  args: Args,
  ask: Ask,
  profiles: readonly string[],
  limits: ProfileLimits,
): Promise<Answers> {
  const operation = await operationFrom(args, ask);
  const fields = await fieldsFrom(args.texts('with'), ask, operation);
  const { window, effect } = operationOf(operation);
  const asked = async (flag: string, text: string, initial: string, choices?: readonly string[]) =>
    args.text(flag) ??
    (await ask({ flag: `--${flag}`, text, initial, ...(choices && { choices }) })) ??
    initial;
  const days = window === undefined ? '1' : await asked('days', 'From how many days ago?', '1');
  const profile = await asked('account', 'Account, a profile of deskhand.yaml?', '', profiles);
  const cron = await asked('schedule', 'Schedule, such as "15 2 * * *" for 2:15 each day?', '');
  const timezone = cron === '' ? 'UTC' : await asked('timezone', 'Its time zone?', 'UTC');
  const name = args.positionals[0] ?? operation.replaceAll('/', '-');
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(name)) {
    throw new UsageError('the name must be lower-case letters, digits and dashes');
  }
  if (!/^[1-9]\d{0,3}$/.test(days)) throw new UsageError('--days must be a whole number from 1');
  const draft: Answers = {
    name,
    operation,
    fields,
    days: Number(days),
    timezone,
    ...(profile !== '' && { account: profile }),
    ...(cron !== '' && { cron }),
  };
  if (effect !== 'read') {
    refuseFlags(args, operation, ['days', 'write']);
    return { ...draft, write: await writeFrom(args, ask, draft) };
  }
  refuseFlags(args, operation, ['max-notional', 'once-per']);
  return withFile(draft, await formatFrom(args, ask, hasRows(draft, limits)));
}

/** @throws UsageError for a flag that has no effect */
function refuseFlags(args: Args, operation: OperationName, flags: readonly string[]): void {
  const given = flags.find((flag) => args.text(flag) !== undefined);
  if (given === undefined) return;
  const does = operationOf(operation).effect === 'read' ? 'reads' : 'writes';
  throw new UsageError(`--${given} is not for ${operation}, which ${does}`);
}

/** Whether the operation reads rows, which a file can hold. */
function hasRows(draft: Answers, limits: ProfileLimits): boolean {
  const text = playbookText({ ...draft, format: 'csv' }, draft.name);
  return !loadPlaybook(text, draft.name, limits).problems.some(({ message }) =>
    /no rows/.test(message),
  );
}

async function formatFrom(args: Args, ask: Ask, isList: boolean): Promise<string> {
  const given = args.text('write');
  if (!isList && given !== undefined && given !== 'none') {
    throw new UsageError('this operation reads one object, not rows: --write none');
  }
  if (!isList) return 'none';
  const choices = [...writeFormats, 'none'];
  return (
    given ??
    (await ask({ flag: '--write', text: 'File with the rows', choices, initial: 'csv' })) ??
    'csv'
  );
}

function withFile(draft: Answers, word: string): Answers {
  const format = writeFormats.find((each) => each === word);
  if (format !== undefined) return { ...draft, format };
  if (word === 'none') return draft;
  throw new UsageError(`--write must be ${listed([...writeFormats, 'none'], 'or')}`);
}

async function operationFrom(args: Args, ask: Ask): Promise<OperationName> {
  const text =
    'What should it do? An operation, such as market/list-tickers or futures/place-order:';
  const flag = '--operation';
  const word = args.text('operation') ?? (await ask({ flag, text, choices: operationNames }));
  if (word === undefined) {
    throw new UsageError(
      '--operation is missing',
      'without a terminal, flags answer the questions: `deskhand new --help`',
    );
  }
  if (!isOperation(word)) {
    const near = nearWord(word, operationNames) ?? operationNear(word);
    const hint =
      near === undefined ? '`deskhand explain` lists all operations' : `did you mean ${near}?`;
    throw new UsageError(`unknown operation ${JSON.stringify(word)}`, hint);
  }
  return word;
}

function refuseExisting(files: readonly string[]): void {
  const first = files.find((file) => kindAt(file) !== 'nothing');
  if (first === undefined) return;
  throw new UsageError(`${first} exists already`, 'nothing was written; give another name');
}

function show({ terminal: { out } }: Context, answers: Answers, file: string, test: string): void {
  const { theme } = out;
  const isWriting = answers.write !== undefined;
  const rows = [
    [
      theme.paint('strong', file),
      isWriting ? 'the playbook: it writes' : 'the playbook: it only reads',
    ],
    [theme.paint('strong', test), 'its expected results'],
  ];
  for (const line of columns(rows, theme, { indent: 2 })) out.line(line);
  out.line();
  const next = [`deskhand test ${shellWord(test)}`];
  if (isWriting) next.push(`deskhand plan ${shellWord(file)}`);
  for (const [at, line] of next.entries()) {
    out.line(
      `${theme.paint('strong', at === 0 ? 'Next' : '    ')}  ${theme.paint('command', line)}`,
    );
  }
}
