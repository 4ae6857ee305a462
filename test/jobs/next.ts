/** Relation "next": the commands that a message names do what it says, in the same folder. */
import { jobFile } from './compose.ts';
import type { Desk, Typed } from './desk.ts';
import type { Finding } from './finding.ts';
import { killedAt, unbroken } from './killed.ts';
import type { Choice } from './features.ts';
import type { Scene, Theatre } from './scene.ts';

/** Commands that only show something, or that the relation waits for anyway. */
const longRunning = /^(?:serve|approve|lsp|mcp|demo)\b/;

export async function brokenNext(choice: Choice, theatre: Theatre): Promise<readonly Finding[]> {
  const planned = await theatre.play(choice, async (scene) => {
    const { desk, job } = scene;
    const typed = await desk.type(['plan', jobFile, ...job.flags]);
    return typed.code === 3 ? [] : followed(typed, scene);
  });
  const { acts, end } = await unbroken(choice, theatre);
  const ran = await theatre.play(choice, async (scene) => {
    const typed = await scene.desk.type(['run', jobFile, ...scene.job.flags]);
    return followed(typed, scene);
  });
  if (end.code === 5) return [...planned, ...ran];
  const act = Math.max(1, Math.floor(acts * 0.6));
  const killed = await killedAt(choice, act, theatre, async (scene, run) => {
    if (run === undefined) return [];
    const { desk, job } = scene;
    const again = await desk.type(['run', jobFile, ...job.flags]);
    const listed = await desk.type(['runs', 'show', run]);
    return [...(await followed(again, scene)), ...(await followed(listed, scene))];
  });
  return [...planned, ...ran, ...(killed ?? [])];
}

/** Types each command that was named, where it was named. */
async function followed(said: Typed, { desk, job, world }: Scene): Promise<readonly Finding[]> {
  const { choice } = job;
  const broken: Finding[] = [];
  for (const line of commandsIn(said)) {
    const words = filledIn(line, world.subs());
    if (words === undefined) continue;
    const typed = await world.apart(() => desk.apart(() => desk.type(words)));
    const wrong = wrongIn(typed, words, desk);
    if (wrong === undefined || (typed.code === 3 && isForCorrected(words, said))) continue;
    const what = `${said.words[0]} names "${line}", and ${wrong}`;
    broken.push({ relation: 'next', choice, what, typed });
  }
  return broken;
}

/** The commands of a screen: below `Next`, after `help`, or between backticks. */
export function commandsIn({ out, err }: Typed): readonly string[] {
  const text = out + err;
  const all = [
    ...text.matchAll(/^\s*(?:Next\s+)?deskhand (\S.*?)(?=\s{2,}|$)/gm),
    ...text.matchAll(/`deskhand ([^`]+)`/g),
    ...text.matchAll(/\bthen deskhand (\S.*?)$/gm),
  ].map(([, command = '']) => command.trim());
  return [...new Set(all)].filter((command) => !longRunning.test(command));
}

/** The words of a line as a shell reads them; undefined where a person has to decide or to look first. */
export function filledIn(line: string, subs: readonly string[]): readonly string[] | undefined {
  if (/\b(?:ORDER_ID|FILE|RUN)\b|…|\.\.\./.test(line)) return undefined;
  const [sub] = subs;
  if (line.includes('SUB_UID') && sub === undefined) return undefined;
  const words = line.replace('SUB_UID', sub ?? '').match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  return words.map((word) => word.replaceAll(/^["']|["']$/g, ''));
}

/** Whether a command is one for a playbook that a person corrects first, and the screen says so. */
function isForCorrected(words: readonly string[], { out, err }: Typed): boolean {
  const shown = (out + err).replaceAll(/\s+/g, ' ');
  return words.includes('--from') && shown.includes('when the playbook is corrected, a new run');
}

/** Exit codes of a command that did, or found out, what it is for. */
const fine: readonly Typed['code'][] = [0, 1, 5, 6];

function wrongIn(
  { code, out, err }: Typed,
  words: readonly string[],
  desk: Desk,
): string | undefined {
  const error = /error\[\S+\] .*/.exec(out + err)?.[0];
  if (code === 5 && words[0] === 'resume' && !/guard|approve/.test(out + err)) return error;
  if (fine.includes(code)) return undefined;
  return `it ends with ${code} in ${desk.runs().length} runs: ${error ?? 'without an error'}`;
}
