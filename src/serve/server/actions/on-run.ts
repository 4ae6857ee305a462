/** What all actions on a run share: a person confirms each, each press counts once, and the command's
 * output is the answer.
 */
import { list, optional, record, text } from '../../../exchange/api/schema.ts';
import { realWords } from '../../../app/approval/real-words.ts';
import { readRun } from '../../../engine/journal/runs.ts';
import { deskOf, type ServerContext } from '../route-context.ts';
import type { Desk } from '../desk.ts';
import { Refusal } from '../failure.ts';
import type { Session } from '../session.ts';
import { refusalOf } from './begin.ts';
import { launch, linesIn } from './launch.ts';
import { realOf } from './offered.ts';

export const confirm = optional(
  text({ description: 'The profile of a demo or live account, typed', maxLength: 100 }),
);

export const recorded = record({
  lines: list(text(), { description: 'What the command printed' }),
});

interface Confirmed {
  readonly desk: Desk;
  readonly run: string;
  readonly isReal: boolean;
}

/** Checks a person's confirmation. @throws Refusal unless the name of a demo or live account was typed */
export async function confirmed(
  { run, desk: name }: { readonly run: string; readonly desk?: string },
  typed: string | undefined,
  server: ServerContext,
): Promise<Confirmed> {
  const desk = deskOf(server, run, name);
  const account = realOf(await readRun(desk.config.stateDir, run));
  if (account !== undefined && typed !== account.profile) {
    throw new Refusal(
      409,
      'confirm',
      `this is for ${realWords({ destination: account })}`,
      'type the name of the account',
    );
  }
  return { desk, run, isReal: account !== undefined };
}

export function once<A>(
  { actions: { presses } }: ServerContext,
  { config: { stateDir } }: Desk,
  id: string,
  session: Session | undefined,
  what: string,
  work: (log: string, who: string) => Promise<A>,
): Promise<A> {
  const who = session?.who ?? '';
  return presses.once({ id, stateDir, who, what }, (log) => work(log, who));
}

/**
 * The comment that names the signed-in person, because the command records the user of this
 * process.
 */
export function commentOf(
  who: string,
  said: string | undefined,
  { user }: Pick<ServerContext, 'user'>,
): readonly string[] {
  const words = [...(who === user ? [] : [`for ${who}`]), ...(said === undefined ? [] : [said])];
  return words.length === 0 ? [] : [`--comment=${words.join(': ')}`];
}

/** Executes a command of the desk and returns its output. @throws Refusal */
export async function printed(
  { actions: { program } }: ServerContext,
  desk: Desk,
  words: readonly string[],
  log: string,
): Promise<{ readonly lines: readonly string[] }> {
  const ended = await launch(program, desk, words, log).ended;
  if (ended.code === 0 || ended.code === 6) {
    const lines = [...linesIn(ended.err), ...linesIn(ended.out)];
    if (ended.code === 0 || !/^error\[/m.test(ended.err)) return { lines };
  }
  throw refusalOf(ended);
}
