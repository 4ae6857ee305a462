/** Relation "language": what `validate` accepts, no other command refuses for the language; a refusal names file and line. */
import { jobFile } from './compose.ts';
import type { Typed } from './desk.ts';
import type { Finding } from './finding.ts';
import type { Scene } from './scene.ts';

/** @returns nothing for a job that keeps it */
export async function brokenLanguage({ job, desk, hook }: Scene): Promise<readonly Finding[]> {
  const { choice, flags } = job;
  const broken: Finding[] = [];
  const note = (what: string, typed: Typed): unknown =>
    broken.push({ relation: 'language', choice, what, typed });
  const checked = await desk.type(['validate', jobFile]);
  if (checked.code !== 0) {
    note('validate refuses a job of the generator', checked);
    return broken;
  }
  for (const words of [
    ['graph', jobFile, '-o', 'json'],
    ['plan', jobFile, '--offline', ...flags],
    ['plan', jobFile, ...flags],
    ['test', 'job.test.yaml'],
    ['rehearse', jobFile, '--seeds', '1', '--answers', choice.answers, ...flags],
    ['run', jobFile, ...flags],
  ]) {
    const typed = await desk.type(words);
    const reason = refusalIn(typed);
    if (reason !== undefined) note(`${words[0]} refuses what validate accepts: ${reason}`, typed);
    const leaked = leakIn(typed.out + typed.err);
    if (leaked !== undefined) note(`${words[0]} shows ${leaked}`, typed);
    if (typed.code === 1 && words[0] === 'run' && !namesPlace(typed)) {
      note('a failed run names no line', typed);
    }
  }
  const leaked = leakIn(hook.received.join('\n'));
  if (leaked !== undefined)
    broken.push({ relation: 'language', choice, what: `a notice shows ${leaked}` });
  return broken;
}

/** Why a command was refused, if it is the language, the usage or the program itself. */
function refusalIn({ code, out, err }: Typed): string | undefined {
  const text = out + err;
  const internal = /^.*error\[internal\].*$|.*\bTypeError\b.*/m.exec(text)?.[0];
  if (internal !== undefined) return internal;
  const rule = /error\[PB\d+\].*/.exec(text)?.[0];
  if (rule !== undefined) return rule;
  const untried = /no plan: .*|could not be run/.exec(text)?.[0];
  if (untried !== undefined) return untried;
  if (/from the mark price; \S+ % is allowed/.test(text)) return undefined; // a guard
  return code === 2 || code === 3 ? (/error\[.*/.exec(text)?.[0] ?? 'without an error') : undefined;
}

/** What no person should see: values of programs instead of words. */
function leakIn(text: string): string | undefined {
  return /\[object Object\]|"?known-(?:later|after)"?: ?"|\bundefined\b|\bNaN\b/.exec(text)?.[0];
}

export function namesPlace({ out, err }: Typed): boolean {
  return /\b(?:job|orders|outer)\.yaml:\d+/.test(out + err);
}
