/** `test`: compares playbooks with their expectations, each test on its own sandbox. */
import { exits, type ExitCode } from '../../base/error.ts';
import { redactor } from '../../base/secret.ts';
import { count, plainText } from '../../base/text.ts';
import { itemsMaxOf } from '../../app/config/load.ts';
import { codeFrames, maskedFiles, type CheckedFile } from '../../language/format.ts';
import {
  openTests,
  playTest,
  type PlayOptions,
  type TestResult,
} from '../../rehearsal/tests/play.ts';
import { revised, type Revision } from '../../rehearsal/tests/update.ts';
import { documentRenderer } from '../../report/renderer.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { readArgument, testsIn } from '../args/named-file.ts';
import { junitFile } from '../args/own-files.ts';
import { includedHere } from '../../app/planning/playbooks.ts';
import { rewriteFile } from '../args/rewrite.ts';
import { configToRead } from '../../app/config/opened.ts';
import { writeJson, writeDocument } from '../running/documents.ts';
import { testsAsGithub, testsObject } from '../reporters/tests-json.ts';
import { junitXml } from '../reporters/tests-junit.ts';
import { tallyLine, testLines } from '../reporters/tests-lines.ts';
import { tallyOf, verdictOf, type FileOutcome } from '../reporters/tests-outcome.ts';
import { programName } from '../../base/version.ts';

const formats = ['text', 'json'] as const;

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { terminal } = context;
  const format = outputOf(context, formats);
  const files = await testsIn(args.positionals.length > 0 ? args.positionals : ['.']);
  const outcomes: FileOutcome[] = [];
  const itemsMax = itemsMaxOf(await configToRead(context), context.globals.profile);
  const loading = { include: includedHere, itemsMax };
  for (const file of files) {
    if (args.isOn('update')) await update(file, loading, context);
    outcomes.push(await outcomeOf(file, loading, context));
  }
  const junit = args.text('junit');
  if (junit !== undefined) await writeDocument(junit, junitXml(outcomes), junitFile);
  await writeJson(testsObject(outcomes), context);
  if (format === 'json') terminal.out.json(testsObject(outcomes));
  else terminal.out.line(tallyLine(outcomes, terminal.out.theme));
  if (terminal.env['GITHUB_ACTIONS'] === 'true') {
    for (const line of testsAsGithub(outcomes)) terminal.err.command(line);
  }
  return exitOf(outcomes);
}

/** The exit code of the tests: a file that cannot be run differs from a failed test. */
function exitOf(outcomes: readonly FileOutcome[]): ExitCode {
  const { failed, broken } = tallyOf(outcomes);
  if (broken > 0) return exits.invalid;
  return failed > 0 ? exits.stopped : exits.done;
}

type Loading = Parameters<typeof openTests>[2];

async function outcomeOf(file: string, loading: Loading, context: Context): Promise<FileOutcome> {
  const bytes = await readArgument(file, context.terminal);
  const { opened, problems: found } = await openTests(file, bytes, loading);
  const problems = maskedFiles(found ?? [], redactor(context.secrets));
  if (opened === undefined) {
    printProblems(problems, context);
    return { file, problems, results: [] };
  }
  const results: TestResult[] = [];
  for (const [place, test] of opened.tests.entries()) {
    const result = await playTest(opened, test, place, playOptions(context));
    results.push(result);
    print(file, result, context);
  }
  return { file, problems: [], results };
}

function playOptions({ clock }: Context): PlayOptions {
  const program = programName;
  return { clock, program, documents: documentRenderer(program) };
}

function printProblems(problems: readonly CheckedFile[], { terminal: { err } }: Context): void {
  const color = err.theme.hasColour;
  for (const { text, problems: found } of problems) {
    for (const frame of codeFrames(found, text, { color })) err.line(`${frame}\n`);
  }
}

function print(file: string, result: TestResult, context: Context): void {
  const { terminal, globals } = context;
  if (outputOf(context, formats) !== 'text') return;
  if (globals.isQuiet && verdictOf(result) === 'passed') return;
  for (const line of testLines(file, result, terminal.out.theme)) terminal.out.line(line);
}

/** Runs a file, rewrites what differs, and runs it again to check. */
async function update(file: string, loading: Loading, context: Context): Promise<void> {
  const { terminal, globals } = context;
  const bytes = await readArgument(file, terminal);
  const { opened } = await openTests(file, bytes, loading);
  if (opened === undefined) return; // its problems are reported when it is opened again
  const revisions: Revision[] = [];
  for (const [place, test] of opened.tests.entries()) {
    revisions.push(...(await playTest(opened, test, place, playOptions(context))).revisions);
  }
  if (revisions.length === 0) return;
  await rewriteFile(file, revised(bytes.toString('utf8'), revisions), bytes);
  if (globals.isQuiet) return;
  terminal.err.line(`updated ${plainText(file)}: ${count(revisions.length, 'expectation')}`);
}
