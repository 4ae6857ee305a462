/**
 * Relation "again": a run from the last step of a run executes none of the other steps, and one from an item none of
 * the other items of its step, also when it is killed and resumed.
 */
import { jobFile } from './compose.ts';
import type { Typed } from './desk.ts';
import type { Choice } from './features.ts';
import type { Finding } from './finding.ts';
import { resumed } from './killed.ts';
import type { Scene, Theatre } from './scene.ts';

export async function brokenAgain(choice: Choice, theatre: Theatre): Promise<readonly Finding[]> {
  for (const chosen of [lastStep, lastItem]) {
    const whole = await theatre.play(choice, (scene) => playedAgain(choice, scene, chosen));
    if (whole.found.length > 0) return whole.found;
    if (whole.acts === undefined) continue;
    const act = Math.max(1, Math.floor(whole.acts / 2));
    const killed = await theatre.play(choice, (scene) => playedAgain(choice, scene, chosen, act));
    if (killed.found.length > 0) return killed.found;
  }
  return [];
}

/** The part of a run that another one executes again, and the steps and items that it must not execute. */
interface Chosen {
  readonly from: string;
  readonly others: readonly string[];
}

type Choosing = (entries: readonly Recorded[]) => Chosen | undefined;

function lastStep([started]: readonly Recorded[]): Chosen {
  const steps = (started?.steps ?? []).map(({ id }) => id);
  return { from: steps.at(-1) ?? '', others: steps.slice(0, -1) };
}

/** The last item of the last step with several; undefined without one. */
function lastItem(entries: readonly Recorded[]): Chosen | undefined {
  const [started] = entries;
  const steps = (started?.steps ?? []).map(({ id }) => id);
  const opened = entries.findLast(
    ({ kind, step = '', items = [] }) =>
      kind === 'opened' && items.length > 1 && steps.includes(step),
  );
  if (opened === undefined) return undefined;
  const { step = '', items = [] } = opened;
  const addresses = items.map((key) => `${step}[${key}]`);
  const before = steps.slice(0, steps.indexOf(step));
  return { from: addresses.at(-1) ?? '', others: [...before, ...addresses.slice(0, -1)] };
}

interface Played {
  readonly found: readonly Finding[];
  /** How many acts the second run had; undefined if there was none. */
  readonly acts?: number;
}

/** @param death the act of the second run at which it is killed, to be resumed */
async function playedAgain(
  choice: Choice,
  scene: Scene,
  choosing: Choosing,
  death?: number,
): Promise<Played> {
  const { desk, job } = scene;
  if ((await desk.type(['run', jobFile, ...job.flags])).code !== 0) return { found: [] };
  const [run = ''] = desk.runs().slice(-1);
  const chosen = choosing(await entriesOf(run, scene));
  if (chosen === undefined) return { found: [] };
  const { from, others } = chosen;
  const flags = job.flags.filter((flag, at) => !isInput(flag) && !isInput(job.flags[at - 1] ?? ''));
  const words = ['run', jobFile, ...flags, '--from', from, '--of', run];
  const typed = await desk.type(words, death);
  const wrong = (what: string): Played => {
    return { found: [{ relation: 'again', choice, what, typed }] };
  };
  if (typed.code === 2 && /all steps wait|cannot be combined/.test(typed.err)) return { found: [] };
  if (typed.code === 2 || typed.code === 3) return wrong(`a run from ${from} is refused`);
  const second = desk.runs().find((each) => each !== run);
  if (second === undefined)
    return typed.code === 0 ? wrong('there is no second run') : { found: [] };
  const { acts } = desk;
  if (typed.code === 'died') await resumed(second, scene);
  const executed = placesIn(await entriesOf(second, scene)).filter(
    (place) => !isApproval(place) && others.some((id) => isOf(id, place)),
  );
  if (executed.length === 0) return { found: [], acts };
  return wrong(`it executes what is reused: ${executed.join(', ')}`);
}

/** An approval is for one run: it is asked again. */
function isApproval(place: string): boolean {
  return place === 'consent';
}

function isInput(flag: string): boolean {
  return flag === '--var' || flag === '--var-file';
}

function isOf(step: string, address: string): boolean {
  return address === step || address.startsWith(`${step}[`) || address.startsWith(`${step}/`);
}

interface Recorded {
  readonly kind: string;
  readonly address?: string;
  readonly step?: string;
  readonly steps?: readonly { readonly id: string }[];
  readonly items?: readonly string[];
}

async function entriesOf(run: string, { desk }: Scene): Promise<readonly Recorded[]> {
  const { out }: Typed = await desk.type(['runs', 'show', run, '-o', 'json']);
  const { entries }: { readonly entries: readonly Recorded[] } = JSON.parse(out);
  return entries;
}

/** The steps that a run began, and the addresses of all that it announced to send. */
function placesIn(entries: readonly Recorded[]): readonly string[] {
  const begun = entries.filter(({ kind }) => kind === 'opened' || kind === 'intended');
  return [...new Set(begun.map(({ step, address }) => step ?? address ?? ''))];
}
