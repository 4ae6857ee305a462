/** A seed of the fleet from its first command to its last: machines and people, then all is calm. */
import { system } from './system.ts'; // before anything of ours keeps a function of Node's
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { minute, type Millis } from '../../../src/base/clock.ts';
import { sha256 } from '../../../src/base/json.ts';
import { chanceOf, type Chance } from '../../../src/rehearsal/simulation/chance.ts';
import { baseOf, beginning, speaking } from './commands.ts';
import { Field } from './field.ts';
import { judge, type Begun, type CommandRecord } from './judge.ts';
import { Machine, type Command, type Ended } from './machine.ts';
import { Process, type Birth } from './process.ts';
import { configOf, configText, type Stage } from './stage.ts';
import { storyOf, type Errand, type Event, type Story, type Word } from './story.ts';
import { Turns } from './turns.ts';

const ways = ([0, 1] as const).flatMap((spelling) => [
  { spelling, isNamed: false },
  { spelling, isNamed: true },
]);
const calmRounds = 4; // when all is calm, so many lives of each run must be enough

export interface Verdict {
  readonly seed: number;
  /** What must never happen, and did. */
  readonly broken: readonly string[];
  /** Commands that were given. */
  readonly lives: number;
  readonly doubts: number;
  /** Digest of everything that was sent and told. */
  readonly trace: string;
}

export async function playSeed(seed: number, stage: Stage): Promise<Verdict> {
  const chance = chanceOf(seed);
  return playStory(seed, storyOf(chance), chance, stage);
}

export async function playStory(
  seed: number,
  story: Story,
  chance: Chance,
  stage: Stage,
): Promise<Verdict> {
  stage.clock.reset();
  stage.sandbox.control('POST', 'snapshots/restore', { name: 'birth' });
  const root = join(stage.root, String(seed));
  mkdirSync(root);
  try {
    const play = new Play(seed, story, { ...stage, root }, chance);
    return { seed, ...(await play.through()) };
  } finally {
    system.reset();
    rmSync(root, { recursive: true, force: true });
  }
}

class Play {
  readonly #seed: number;
  readonly #story: Story;
  readonly #field: Field;
  readonly #turns: Turns;
  readonly #machines: ReadonlyMap<string, Machine>;
  readonly #begun: Begun[] = [];
  readonly #commands: CommandRecord[] = [];
  readonly #broken: string[] = [];
  #births = 0;

  constructor(seed: number, story: Story, stage: Stage, chance: Chance) {
    this.#seed = seed;
    this.#story = story;
    this.#field = new Field(stage.clock, stage.sandbox, chance);
    this.#turns = new Turns(stage.clock, chance, {
      switching: story.switching,
      acting: (process) => system.acts(process),
    });
    this.#machines = machinesOf(story, this.#field, stage.root);
  }

  async through(): Promise<Omit<Verdict, 'seed'>> {
    const { errands, events, machines } = this.#story;
    this.#prepare();
    const work = [
      ...errands.map((errand) => this.#errand(errand)),
      ...events.map((event) => this.#event(event)),
      ...machines.map((draw) => this.#copy(draw)),
    ];
    await this.#turns.until(Promise.all(work));
    await this.#calmDown();
    system.rests();
    const evidence = {
      story: this.#story,
      begun: this.#begun,
      commands: this.#commands,
      field: this.#field,
      machines: [...this.#machines.values()],
    };
    const isDoubtful = this.#commands.some(({ ended }) => ended !== 'died' && ended.exit === 6);
    return {
      broken: [...this.#broken, ...judge(evidence)],
      lives: this.#commands.length,
      doubts: isDoubtful ? 1 : 0,
      trace: sha256(JSON.stringify([this.#field.sendings, this.#commands.map(traceOf)])),
    };
  }

  /** Configurations on every disk, and everything that fails from the beginning. */
  #prepare(): void {
    const { wire, lags, duplicates, answers } = this.#story;
    const config = { duplicateClientOid: duplicates, quirks: { answers } };
    this.#field.sandbox.control('POST', 'config', config);
    for (const { productType, lag } of lags) this.#field.lag(productType, lag);
    for (const machine of this.#machines.values()) {
      machine.trouble(wire);
      for (const way of ways) machine.write(configOf(way), configText(this.#story, way));
    }
  }

  async #errand(errand: Errand): Promise<void> {
    const { at, run, word, death, interruptedAt } = errand;
    const process = this.#process(errand.machine, { run, death, interruptedAt });
    await process.sleep(at);
    if (word.kind !== 'begin') {
      await this.#speak(errand, word, process);
      return;
    }
    const draft = this.#story.drafts[word.draft];
    if (draft === undefined) return;
    const machine = this.#machine(errand.machine);
    this.#begun.push({ run, draft, edition: word.edition });
    const typed = beginning(run, { ...word, draft }, this.#story, machine);
    await this.#give(errand, { ...typed, way: errand.way }, process);
  }

  /** Gives a command about a run that has begun, when anyone knows its name. */
  async #speak(
    errand: Pick<Errand, 'run' | 'machine' | 'way' | 'word'>,
    word: Exclude<Word, { readonly kind: 'begin' }>,
    process: Process,
  ): Promise<Ended | 'died' | undefined> {
    const { run, way } = errand;
    const id = this.#idOf(run);
    if (id === undefined) return undefined;
    const machine = this.#machine(errand.machine);
    const typed = speaking(word, { run, id }, machine, [...this.#machines.values()]);
    return typed && this.#give(errand, { ...typed, way }, process);
  }

  async #give(
    { word, run, machine }: Pick<Errand, 'run' | 'machine' | 'word'>,
    command: Command,
    process: Process,
  ): Promise<Ended | 'died'> {
    const ended = await this.#machine(machine).give(command, process);
    this.#commands.push({ word: word.kind, run, machine, ended });
    return ended;
  }

  /** The id of a run, as a person finds it in any list of runs. */
  #idOf(run: number): string | undefined {
    for (const machine of this.#machines.values()) {
      for (const [id, entries = []] of machine.runs()) {
        const [first] = entries;
        if (first?.kind === 'started' && Object(first.inputs).base === baseOf(run)) return id;
      }
    }
    return undefined;
  }

  async #event({ at, what }: Event): Promise<void> {
    await this.#sleep(at);
    switch (what.kind) {
      case 'mark':
        return this.#field.mark(what.productType, what.mark);
      case 'stall':
        return this.#turns.stall(what.machine, what.ms);
      case 'cut-off':
        return this.#machine(what.machine).cutOff(what.from, what.ms);
      case 'reboot':
        system.killAll(this.#machine(what.machine));
        return this.#machine(what.machine).reboot();
    }
  }

  async #copy({ name, copyOf, copiedAt = 0 }: Story['machines'][number]): Promise<void> {
    if (copyOf === undefined) return;
    await this.#sleep(copiedAt);
    this.#machine(name).copy(this.#machine(copyOf));
  }

  /** Nothing fails any longer, leases run out, and every run is continued with until it ends. */
  async #calmDown(): Promise<void> {
    for (const machine of this.#machines.values()) machine.calm();
    for (const { productType, lag } of this.#story.lags)
      if (lag !== 'never') this.#field.lag(productType, 0);
    await this.#field.flush();
    const living = [...this.#machines.values()].filter(({ isLost }) => !isLost);
    const left = new Set(this.#story.errands.map(({ run }) => run));
    const first = this.#field.chance.between(0, living.length - 1);
    for (let round = 0; round < calmRounds; round++) {
      const machine = living[(first + round) % living.length];
      if (machine === undefined) return;
      for (const run of left) {
        this.#field.clock.advance(this.#story.lease + 2 * minute);
        system.rests();
        machine.removeLocks();
        const ended = await this.#resumed(run, machine.name);
        if (ended === undefined || (ended !== 'died' && ended.exit === 0)) left.delete(run);
      }
    }
  }

  #resumed(run: number, machine: string): Promise<Ended | 'died' | undefined> {
    const word = { kind: 'resume' } as const;
    const errand = { run, machine, way: this.#story.atLast, word } as const;
    return this.#turns.until(this.#speak(errand, word, this.#process(machine, { run })));
  }

  /** Time passes for someone who only watches. */
  async #sleep(ms: Millis): Promise<void> {
    const [machine = ''] = this.#machines.keys();
    await this.#process(machine, { run: -1 }).sleep(ms);
  }

  #process(machine: string, birth: Pick<Birth, 'run' | 'death' | 'interruptedAt'>): Process {
    this.#births += 1;
    const number = this.#seed * 100 + this.#births; // no two processes are taken for one
    const own = { pid: number, seed: number };
    return new Process({ machine: this.#machine(machine), ...own, ...birth }, this.#turns);
  }

  #machine(name: string): Machine {
    const machine = this.#machines.get(name);
    if (machine === undefined) throw new Error(`there is no machine ${name}`);
    return machine;
  }
}

/** Machines by name; those of one disk share what its clone has. */
function machinesOf(
  { machines, link }: Story,
  field: Field,
  root: string,
): ReadonlyMap<string, Machine> {
  const disks = new Map<string, Set<string>>();
  return new Map(
    machines.map((draw) => {
      const name = draw.diskOf ?? draw.name;
      const disk = disks.get(name) ?? new Set();
      disks.set(name, disk);
      const acting = (): Process => system.current;
      return [draw.name, new Machine(draw, { field, root, link, acting, disk })];
    }),
  );
}

function traceOf({ word, run, machine, ended }: CommandRecord): readonly unknown[] {
  return [word, run, machine, ended === 'died' ? ended : ended.exit];
}
