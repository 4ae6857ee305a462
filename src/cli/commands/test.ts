/** `test`: playbooks against what is expected of them, each test on a sandbox of its own. */
import { exits, type ExitCode } from '../../base/error.ts';
import { count, plainText } from '../../base/text.ts';
import { codeFrame, type CheckedFile } from '../../playbook/format.ts';
import { openTests, playTest, type PlayOptions, type TestResult } from '../../rehearsal/play.ts';
import { revised, type Revision } from '../../rehearsal/update.ts';
import { papersBy } from '../../report/papers.ts';
import { outputOf, type Context, type Given } from '../context.ts';
import { readGiven, testsIn } from '../given/files.ts';
import { includedHere } from '../given/playbooks.ts';
import { rewriteFile } from '../given/rewrite.ts';
import { writeJson, writePaper } from '../running/papers.ts';
import { testsAsGithub, testsObject } from '../tests/json.ts';
import { junitXml } from '../tests/junit.ts';
import { tallyLine, testLines } from '../tests/lines.ts';
import { tallyOf, verdictOf, type FileOutcome } from '../tests/outcome.ts';
import { programName } from '../version.ts';

const formats = ['text', 'json'] as const;

export async function run(context: Context, given: Given): Promise<ExitCode> {
  const { terminal } = context;
  const format = outputOf(context, formats);
  const files = await testsIn(given.words.length > 0 ? given.words : ['.']);
  const outcomes: FileOutcome[] = [];
  for (const file of files) {
    if (given.isOn('update')) await update(file, context);
    outcomes.push(await outcomeOf(file, context));
  }
  const junit = given.text('junit');
  if (junit !== undefined) await writePaper(junit, junitXml(outcomes));
  await writeJson(testsObject(outcomes), context);
  if (format === 'json') terminal.out.line(JSON.stringify(testsObject(outcomes)));
  else terminal.out.line(tallyLine(outcomes, terminal.out.look));
  if (terminal.env['GITHUB_ACTIONS'] === 'true') {
    for (const line of testsAsGithub(outcomes)) terminal.err.line(line);
  }
  return exitOf(outcomes);
}

/** A file that cannot be played is told apart from a test that failed. */
function exitOf(outcomes: readonly FileOutcome[]): ExitCode {
  const { failed, broken } = tallyOf(outcomes);
  if (broken > 0) return exits.invalid;
  return failed > 0 ? exits.stopped : exits.done;
}

async function outcomeOf(file: string, context: Context): Promise<FileOutcome> {
  const { opened, problems } = await openTests(
    file,
    await readGiven(file, context.terminal),
    includedHere,
  );
  if (opened === undefined) {
    tellProblems(problems, context);
    return { file, problems, results: [] };
  }
  const results: TestResult[] = [];
  for (const [place, test] of opened.tests.entries()) {
    const result = await playTest(opened, test, place, playOptions(context));
    results.push(result);
    tell(file, result, context);
  }
  return { file, problems: [], results };
}

function playOptions({ clock }: Context): PlayOptions {
  const program = programName;
  return { clock, program, papers: papersBy(program) };
}

function tellProblems(problems: readonly CheckedFile[], { terminal: { err } }: Context): void {
  const color = err.look.hasColour;
  for (const { text, problems: found } of problems) {
    for (const problem of found) err.line(`${codeFrame(problem, text, { color })}\n`);
  }
}

function tell(file: string, result: TestResult, context: Context): void {
  const { terminal, globals } = context;
  if (outputOf(context, formats) !== 'text') return;
  if (globals.isQuiet && verdictOf(result) === 'passed') return;
  for (const line of testLines(file, result, terminal.out.look)) terminal.out.line(line);
}

/** Plays a file and rewrites what differs; it is played again afterwards, as anybody would. */
async function update(file: string, context: Context): Promise<void> {
  const { terminal, globals } = context;
  const bytes = await readGiven(file, terminal);
  const { opened } = await openTests(file, bytes, includedHere);
  if (opened === undefined) return; // its problems are told when it is opened again
  const revisions: Revision[] = [];
  for (const [place, test] of opened.tests.entries()) {
    revisions.push(...(await playTest(opened, test, place, playOptions(context))).revisions);
  }
  if (revisions.length === 0) return;
  await rewriteFile(file, revised(bytes.toString('utf8'), revisions));
  if (globals.isQuiet) return;
  terminal.err.line(`updated ${plainText(file)}: ${count(revisions.length, 'expectation')}`);
}
