/** A run that is killed at some act, and the commands that follow in its folder. */
import { second } from '../../src/base/clock.ts';
import { jobFile } from './compose.ts';
import type { Desk, Typed } from './desk.ts';
import type { Choice } from './features.ts';
import type { Scene, Theatre } from './scene.ts';
import { difference, statesIn, type Books } from './worlds.ts';

/** What is left of a run: in the books, in the folder, and as its exit code. */
export interface End {
  readonly code: Typed['code'];
  readonly sent: Books;
  /** Orders that are open. */
  readonly open: number;
  /** Files of the run, with the number of their lines; pages have times, so only their names count. */
  readonly files: Readonly<Record<string, number>>;
}

export interface Unbroken {
  readonly end: End;
  /** How many acts it had: requests, answers, and lines that it printed. */
  readonly acts: number;
  readonly typed: Typed;
}

export async function unbroken(choice: Choice, theatre: Theatre): Promise<Unbroken> {
  return theatre.play(choice, async (scene) => {
    const { desk, world, job } = scene;
    const before = world.books();
    const ran = await desk.type(['run', jobFile, ...job.flags]);
    const { acts } = desk;
    const typed = await settled(ran, scene);
    return { end: endOf(typed, { desk, world }, before), acts, typed };
  });
}

/** A write whose response nobody understands may leave a doubt, which is settled first. */
export async function settled(ran: Typed, scene: Scene): Promise<Typed> {
  const run = scene.desk.runs().at(-1);
  return ran.code === 6 && run !== undefined ? resumed(run, scene) : ran;
}

/** Kills a run of a new scene at an act, and goes on there; on another machine, if the state is shared. */
export function killedAt<T>(
  choice: Choice,
  act: number,
  theatre: Theatre,
  goOn: (scene: Scene, run: string | undefined, before: Books) => Promise<T>,
  isShared = false,
): Promise<T | undefined> {
  const play = async (scene: Scene): Promise<T | undefined> => {
    const { desk, world, job } = scene;
    const before = world.books();
    const { code } = await desk.type(['run', jobFile, ...job.flags], act);
    if (code !== 'died') return undefined; // it ended before this act
    if (isShared) await desk.type(['runs', 'list']); // fetches what the lost machine pushed
    return goOn(scene, desk.runs().at(-1), before);
  };
  return theatre.play(choice, play, isShared);
}

export interface Resumed extends Typed {
  /** Whether a resume ended in doubt: then `on-failure` was executed, before a person settled it. */
  readonly wasInDoubt: boolean;
  /** A doubt ended the run with what it does at its end; later resumes only settle. */
  readonly isOver: boolean;
}

/** Resumes until nothing more is to be done, with the word of a person who looked at the exchange where one is needed. */
export async function resumed(run: string, { desk, world }: Scene): Promise<Resumed> {
  let typed = await desk.type(['resume', run]);
  const wasInDoubt = typed.code === 6;
  let isOver = false;
  for (let tries = 0; typed.code === 6 && tries < 4; tries++) {
    isOver ||= typed.out.includes('settles doubts and sends nothing else');
    for (const words of answersIn(typed, world.subs())) await said(words, desk);
    typed = await desk.type(['resume', run]);
  }
  return { ...typed, wasInDoubt, isOver };
}

/** Once more after the time for which the exchange may still accept the write. */
export async function said(words: readonly string[], desk: Desk): Promise<void> {
  const { out, err } = await desk.type(words);
  const [, seconds] = /may accept it for another (\d+) s/.exec(out + err) ?? [];
  if (seconds === undefined) return;
  await desk.wait((Number(seconds) + 1) * second);
  await desk.type(words);
}

/** The commands of a person who looked for what is in doubt: a sub-account is there, or it is not. */
function answersIn({ out }: Typed, subs: readonly string[]): readonly (readonly string[])[] {
  const [sub] = subs;
  return [...out.matchAll(/deskhand resolve (r-\S+) (\S+) --absent/g)].map(
    ([, run = '', at = '']) => [
      'resolve',
      run,
      at,
      ...(at.endsWith('sub') && sub !== undefined ? ['--placed', sub] : ['--absent']),
    ],
  );
}

export function endOf(
  { code }: Typed,
  { desk, world }: Pick<Scene, 'desk' | 'world'>,
  before: Books,
): End {
  const sent = difference(before, world.books());
  const files = Object.entries(desk.outputs()).map(([name, text]) => {
    const isPage = /\.(?:html|md|svg|json)$/.test(name);
    return [name.replaceAll(/r-[0-9a-z]+/g, 'RUN'), isPage ? 0 : text.split('\n').length] as const;
  });
  return { code, sent: sorted(sent), open: world.open(), files: sorted(Object.fromEntries(files)) };
}

export function endWords({ sent, ...rest }: End): string {
  return JSON.stringify({ ...rest, sent: statesIn(sent) });
}

function sorted(all: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => a.localeCompare(b)));
}
