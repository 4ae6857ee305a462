/** A person at work in the folder of a scene: the playbook, the commands that were typed, and what is wrong so far. */
import { isDeepStrictEqual } from 'node:util';
import { minute } from '../../src/base/clock.ts';
import { seededRandom, type Random } from '../../src/base/random.ts';
import type { Typed } from './desk.ts';
import { drawnEdit, drawnWanted, Mint } from './edits.ts';
import type { Choice } from './features.ts';
import type { Finding } from './finding.ts';
import type { Scene } from './scene.ts';
import { filesOf, flagsOf, partsWords, type Wanted } from './wanted.ts';

type Wrong = Pick<Finding, 'what' | 'typed'>;

export class Work {
  readonly scene: Scene;
  readonly choice: Choice;
  readonly random: Random;
  /** What was wanted when the last run began. */
  begun: Wanted;
  /** The runs in the order of their beginning. */
  runs: readonly string[] = [];
  readonly aside = new Set<string>();
  /** How many runs there were when what exists was last taken out of the playbook: none of them is gone on from. */
  since = 0;
  /** What was done, a line each. */
  readonly told: string[] = [];
  readonly #mint: Mint;
  /** What was wanted before each edit that can be taken back. */
  #before: Wanted[] = [];
  #wanted: Wanted;
  #wrong: Wrong | undefined;

  constructor(scene: Scene, seed: number) {
    this.scene = scene;
    this.choice = scene.job.choice;
    this.random = seededRandom(seed);
    this.#mint = new Mint(this.random);
    this.#wanted = drawnWanted(this.random, this.#mint);
    this.begun = this.#wanted;
  }

  get wanted(): Wanted {
    return this.#wanted;
  }

  /** The first thing that is wrong. */
  get wrong(): Wrong | undefined {
    return this.#wrong;
  }

  note(what: string, typed?: Typed): void {
    this.#wrong ??= { what, ...(typed && { typed }) };
  }

  chance(percent: number): boolean {
    return this.random.integer(100) < percent;
  }

  /** The prices of the orders that the exchange has. */
  prices(): readonly string[] {
    return this.scene.world.orders().map(({ price }) => price);
  }

  async type(words: readonly string[], death?: number): Promise<Typed> {
    const { desk } = this.scene;
    await desk.wait(minute); // people take their time
    const typed = await desk.type(words, death);
    this.told.push(`  $ ${words.join(' ')} → ${typed.code}`);
    this.runs = [...this.runs, ...desk.runs().filter((run) => !this.runs.includes(run))];
    return typed;
  }

  /** Types a command that reads the playbook, with the values of its inputs. */
  async typeOn(words: readonly string[], death?: number): Promise<Typed> {
    return this.type([...words, ...flagsOf(this.#wanted)], death);
  }

  want(wanted: Wanted, why?: string): void {
    this.#wanted = wanted;
    const { desk } = this.scene;
    for (const [name, text] of Object.entries(filesOf(wanted, this.choice))) desk.write(name, text);
    if (why !== undefined) this.told.push(`  ${why}: ${partsWords(wanted)}`);
  }

  /** Changes the playbook, so that it can be taken back. */
  edit(): void {
    const { what, of } = drawnEdit(this.random, this.#mint);
    const edited = of(this.#wanted);
    if (edited === undefined || isDeepStrictEqual(edited, this.#wanted)) return;
    this.#before.push(this.#wanted);
    this.want(edited, what);
  }

  /** @returns whether there was something to take back */
  takeBack(): boolean {
    const last = this.#before.pop();
    if (last !== undefined) this.want(last, 'a change is taken back');
    return last !== undefined;
  }

  /** From now on, no earlier change is taken back. */
  keep(): void {
    this.#before = [];
  }
}
