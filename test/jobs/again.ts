/** Relation "again": a run from the last step of a run executes none of the other steps, also when it is killed and resumed. */
import { jobFile } from './compose.ts';
import type { Typed } from './desk.ts';
import type { Choice } from './features.ts';
import type { Finding } from './finding.ts';
import { resumed } from './killed.ts';
import type { Scene, Theatre } from './scene.ts';

export async function brokenAgain(choice: Choice, theatre: Theatre): Promise<readonly Finding[]> {
  const whole = await theatre.play(choice, (scene) => playedAgain(choice, scene));
  if (whole.acts === undefined || whole.found.length > 0) return whole.found;
  const act = Math.max(1, Math.floor(whole.acts / 2));
  return (await theatre.play(choice, (scene) => playedAgain(choice, scene, act))).found;
}

interface Played {
  readonly found: readonly Finding[];
  /** How many acts the run from the last step had; undefined if there was none. */
  readonly acts?: number;
}

/** @param death the act of the second run at which it is killed, to be resumed */
async function playedAgain(choice: Choice, scene: Scene, death?: number): Promise<Played> {
  const { desk, job } = scene;
  if ((await desk.type(['run', jobFile, ...job.flags])).code !== 0) return { found: [] };
  const [run = ''] = desk.runs().slice(-1);
  const steps = stepsOf(await entriesOf(run, scene));
  const from = steps.at(-1) ?? '';
  const flags = job.flags.filter((flag, at) => !isInput(flag) && !isInput(job.flags[at - 1] ?? ''));
  const words = ['run', jobFile, ...flags, '--from', from, '--of', run];
  const typed = await desk.type(words, death);
  const wrong = (what: string): Played => {
    return { found: [{ relation: 'again', choice, what, typed }] };
  };
  if (typed.code === 2 && /all steps wait|cannot be combined/.test(typed.err)) return { found: [] };
  if (typed.code === 2 || typed.code === 3) return wrong('a run from the last step is refused');
  const second = desk.runs().find((each) => each !== run);
  if (second === undefined)
    return typed.code === 0 ? wrong('there is no second run') : { found: [] };
  const { acts } = desk;
  if (typed.code === 'died') await resumed(second, scene);
  const executed = placesIn(await entriesOf(second, scene)).filter(
    (place) => !isOf(from, place) && !isApproval(place) && steps.some((id) => isOf(id, place)),
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
}

async function entriesOf(run: string, { desk }: Scene): Promise<readonly Recorded[]> {
  const { out }: Typed = await desk.type(['runs', 'show', run, '-o', 'json']);
  const { entries }: { readonly entries: readonly Recorded[] } = JSON.parse(out);
  return entries;
}

function stepsOf([started]: readonly Recorded[]): readonly string[] {
  return (started?.steps ?? []).map(({ id }) => id);
}

/** The steps that a run began, and the addresses of all that it announced to send. */
function placesIn(entries: readonly Recorded[]): readonly string[] {
  const begun = entries.filter(({ kind }) => kind === 'opened' || kind === 'intended');
  return [...new Set(begun.map(({ step, address }) => step ?? address ?? ''))];
}
