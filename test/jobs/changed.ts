/**
 * Relation "changed": a run stops, a person changes the playbook and does what messages say; in the end each wanted
 * order is there once, every refusal names what works, a plan shows what is sent, and each open doubt is named.
 */
import { sha256 } from '../../src/base/json.ts';
import { commandIn, flat } from './advice.ts';
import { attempt, byHand } from './attempt.ts';
import { jobFile } from './compose.ts';
import type { Typed } from './desk.ts';
import { corrected } from './edits.ts';
import type { Choice } from './features.ts';
import type { Finding } from './finding.ts';
import { checkNamed, settle } from './open-doubts.ts';
import type { Theatre } from './scene.ts';
import { rowsOf } from './wanted.ts';
import { Work } from './work.ts';

const turnsMax = 14; // commands that go on after a run that stopped

export async function brokenChanges(choice: Choice, theatre: Theatre): Promise<readonly Finding[]> {
  const calm: Choice = { ...choice, world: 'still', failure: 'none' };
  for (let nth = 0; nth < theatre.deaths; nth += 1) {
    const seed = Number.parseInt(sha256(JSON.stringify([choice, nth])).slice(0, 8), 16);
    const work = await theatre.play(calm, async (scene) => played(new Work(scene, seed)));
    if (work.wrong === undefined) continue;
    const { what, ...rest } = work.wrong;
    const all = [`${what}; seed ${seed}:`, ...work.told].join('\n');
    return [{ relation: 'changed', choice, what: all, ...rest }];
  }
  return [];
}

async function played(work: Work): Promise<Work> {
  work.want(work.wanted, 'wanted');
  let typed = await attempt(work, [jobFile]);
  let edits = 1 + work.random.integer(3);
  for (let turn = 0; typed !== undefined && typed.code !== 0; turn += 1) {
    if (work.wrong !== undefined) return work;
    if (turn >= turnsMax) work.note('it does not come to an end', typed);
    const now = Math.min(edits, work.random.integer(4));
    edits -= now;
    typed = await goneOn(work, typed, now);
  }
  if (work.wrong !== undefined) return work;
  const prices = work.prices();
  const twice = prices.filter((price, at) => prices.indexOf(price) !== at);
  if (twice.length > 0) work.note(`twice on the exchange: ${twice.join(', ')}`, typed);
  const missing = rowsOf(work.wanted).filter(({ price }) => !prices.includes(price));
  if (missing.length > 0)
    work.note(`missing: ${missing.map(({ price }) => price).join(', ')}`, typed);
  return work;
}

/** After a run that did not end as done: a person settles doubts, edits the playbook, and does what is advised. */
async function goneOn(work: Work, typed: Typed, edits: number): Promise<Typed | undefined> {
  const lost = work.scene.world.heal();
  const run = work.runs.at(-1);
  if (run === undefined || work.aside.has(run)) return byHand(work); // it was killed before it had a journal
  if (typed.code === 6) await checkNamed(work, run, lost, false);
  const { left, abandoned } = await settle(work, run);
  for (let nth = 0; nth < edits; nth += 1) work.edit();
  if (work.chance(80)) work.want(corrected(work.wanted));
  if (work.chance(typed.code === 'died' ? 50 : 25)) {
    const resumed = await work.type(['resume', run]);
    if (resumed.code !== 0) return resumed;
    work.want(work.begun); // it ran that, without the edits
    work.aside.add(run);
    const [absent] = abandoned;
    return absent === undefined ? resumed : attempt(work, fromWords(absent, run));
  }
  const shown = await work.type(['runs', 'show', run]);
  const atOnce = commandIn(shown);
  if (atOnce !== undefined) return attempt(work, atOnce);
  const aside = await work.type(['runs', 'set-aside', run, '--reason', 'the rest is done later']);
  if (typed.code === 'died' && aside.err.includes('is done')) {
    work.want(work.begun); // it died after its end
    return undefined;
  }
  if (aside.code !== 0) work.note('it cannot be set aside', aside);
  work.aside.add(run);
  if (typed.code === 6 && left > 0) await checkNamed(work, run, lost, true);
  const command = left > 0 ? await commandAfterLook(work, run, aside) : commandIn(aside);
  return command === undefined ? byHand(work) : attempt(work, staleOr(work, command));
}

/** The command that does the rest of a run that was set aside in doubt: none is named before a person looks. */
async function commandAfterLook(
  work: Work,
  run: string,
  aside: Typed,
): Promise<readonly string[] | undefined> {
  const look = `resolve ${run} --from-exchange`;
  if (!flat(aside).includes(`deskhand ${look}`)) work.note(`no message says ${look}`, aside);
  if (work.chance(30)) return commandIn(aside);
  const looked = await work.type([...look.split(' '), '--yes']);
  if (looked.code !== 0) work.note('what is in doubt cannot be looked up', looked);
  return commandIn(await work.type(['runs', 'show', run]));
}

/** Seldom the same words with an earlier run, as a person finds them above on the screen. */
function staleOr(work: Work, words: readonly string[]): readonly string[] {
  const first = work.runs[work.since];
  if (first === undefined || !work.chance(10)) return words;
  return words.map((word, at) => (words[at - 1] === '--of' ? first : word));
}

function fromWords(name: string, run: string): readonly string[] {
  return [jobFile, '-p', 'main', '--from', name, '--of', run];
}
