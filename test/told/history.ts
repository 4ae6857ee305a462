/** A random history of three machines: deaths, suspensions, cuts, a wrong checkout, cancels; then everything is brought to its end. */
import { minute } from '../../src/base/clock.ts';
import type { Desk, Suspension, Typed } from '../jobs/desk.ts';
import type { Stage } from '../jobs/stage.ts';
import { names, openFleet, ordersOf, type Fleet, type Name } from './fleet.ts';
import { isDone, untrueIn, untrueNotices, untrueOnPages, type Truth } from './judge.ts';
import type { OpenFleetStore } from './store.ts';

export interface Told {
  /** What was untrue, or went wrong. */
  readonly wrong: readonly string[];
  /** Every command with its exit code. */
  readonly typed: readonly string[];
  readonly deaths: number;
  /** Commands that a message had named. */
  readonly followed: number;
}

/** Numbers below one from a seed, the same for each. */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export async function told(seed: number, stage: Stage, open: OpenFleetStore): Promise<Told> {
  const fleet = await openFleet(stage, open);
  try {
    return await new History(fleet, stage, numbersFrom(seed)).play();
  } finally {
    await fleet.close();
  }
}

const insufficient = { kind: 'status', status: 400, code: '40762' };
const steps = 7;
const roundsMax = 12; // until everything is done

class History {
  readonly #fleet: Fleet;
  readonly #stage: Stage;
  readonly #number: () => number;
  readonly #runs = new Map<Name, string>();
  readonly #queued = new Set<Name>();
  readonly #typed: string[] = [];
  readonly #wrong: string[] = [];
  #deaths = 0;
  #followed = 0;
  /** Commands that messages named since the last one was typed. */
  #advised: string[] = [];

  constructor(fleet: Fleet, stage: Stage, number: () => number) {
    this.#fleet = fleet;
    this.#stage = stage;
    this.#number = number;
  }

  async play(): Promise<Told> {
    const [home] = this.#fleet.machines;
    for (const name of names) {
      const made = await this.#type(home, ['plan', `${name}.yaml`, '--out', `${name}.json`]);
      const run = /"run": "(r-[^"]+)"/.exec(home.read(`${name}.json`))?.[1];
      if (run === undefined) throw new Error(`no plan: ${made.out}${made.err}`);
      this.#runs.set(name, run);
    }
    await this.#queue(names[this.#below(names.length)] ?? 'ladder');
    for (let step = 0; step < steps; step++) {
      await this.#step();
      if (this.#below(2) === 0) await this.#followAdvice(home);
    }
    await this.#toTheEnd();
    return {
      wrong: this.#wrong,
      typed: this.#typed,
      deaths: this.#deaths,
      followed: this.#followed,
    };
  }

  #below(most: number): number {
    return Math.floor(this.#number() * most);
  }

  #machine(): Desk {
    const [one, two, other] = this.#fleet.machines;
    return [one, two, other][this.#below(3)] ?? one;
  }

  async #step(): Promise<void> {
    const [home] = this.#fleet.machines;
    const name = names[this.#below(names.length)] ?? 'ladder';
    const run = this.#runs.get(name) ?? '';
    switch (this.#below(12)) {
      case 0:
      case 1:
        await this.#queue(name);
        break;
      case 2:
      case 3:
        await this.#type(
          this.#machine(),
          ['worker', '--once', '--slots', '1'],
          1 + this.#below(90),
        );
        break;
      case 4:
        this.#fleet.cut(1 + this.#below(4));
        await this.#type(this.#machine(), ['worker', '--once', '--slots', '1']);
        this.#fleet.cut(0);
        break;
      case 5:
        await this.#type(home, ['runs', 'cancel', run]);
        break;
      case 6: {
        const hasBegun = (await this.#truth(name)).entries.length > 0;
        this.#queued.add(name); // it is to be done
        const words = hasBegun ? ['resume', run] : ['run', `${name}.json`];
        const desk = hasBegun ? this.#machine() : home;
        await this.#about(name, desk, words, true, 1 + this.#below(60));
        break;
      }
      case 7:
        await this.#stage.clock.sleep(minute);
        break;
      case 8:
        await this.#suspended(this.#machine(), ['worker', '--once', '--slots', '1']);
        break;
      case 9:
        if ((await this.#truth(name)).entries.length === 0) break;
        this.#queued.add(name);
        await this.#suspended(this.#machine(), ['resume', run], name);
        break;
      case 10:
      case 11:
        this.#weather(this.#below(4));
        break;
    }
    await this.#look(home);
  }

  /** One of the commands that were named works where it was named: it is understood, and what it says is true. */
  async #followAdvice(home: Desk): Promise<void> {
    const advised = [...new Set(this.#advised)];
    this.#advised = [];
    const words = advised[this.#below(advised.length)]?.split(' ');
    if (words === undefined) return;
    const named = [...this.#runs].find(([name, run]) => {
      return words.some((word) => word === run || word.startsWith(`${name}.`));
    });
    const follows = words[0] === 'resume' && !words.includes('--queue');
    if (named === undefined) this.#understood(await this.#type(home, words));
    else {
      if (words[0] !== 'runs' && words[0] !== 'plan') this.#queued.add(named[0]);
      this.#understood(await this.#about(named[0], home, words, follows));
    }
    this.#followed += 1;
  }

  #understood({ words, code, err }: Typed): void {
    if (code !== 2 && !err.includes('error[usage]')) return;
    this.#wrong.push(`the advice \`deskhand ${words.join(' ')}\` is not understood: ${err}`);
  }

  /** What the exchange does with the next requests; a person makes everything well at the end. */
  #weather(kind: number): void {
    const isLate = this.#below(2) === 0;
    const orders = { match: { operation: 'futures/place-order' } };
    const lost = {
      ...orders,
      when: isLate ? 'after-commit' : 'before',
      times: 1 + this.#below(3),
      action: { kind: 'reset' },
    };
    const refused = { ...orders, when: 'before', times: 1, action: insufficient };
    const blind = ['order/list-open', 'order/list-history'].map((operation) => ({
      match: { operation },
      when: 'before',
      action: { kind: 'status', status: 500, code: '40010' },
    }));
    const rules = [[], [lost], [lost, ...blind], [refused]][kind] ?? [];
    this.#stage.sandbox.control('PUT', 'faults', { rules });
  }

  /** A process is suspended for up to two minutes, in which another machine works. */
  async #suspended(desk: Desk, words: readonly string[], name?: Name): Promise<void> {
    const others = this.#fleet.machines.filter((each) => each !== desk);
    const other = others[this.#below(others.length)] ?? desk;
    const waits = this.#below(3) * minute;
    const meanwhile = async (): Promise<void> => {
      await this.#stage.clock.sleep(waits);
      await this.#type(other, ['worker', '--once', '--slots', '1']);
    };
    const suspension = { at: 1 + this.#below(60), meanwhile };
    if (name === undefined) await this.#type(desk, words, undefined, suspension);
    else await this.#about(name, desk, words, true, undefined, suspension);
  }

  async #queue(name: Name): Promise<Typed> {
    const [home] = this.#fleet.machines;
    this.#queued.add(name);
    return this.#type(home, ['run', `${name}.json`, '--queue']);
  }

  /** Lists and logs of each run say what is true now. */
  async #look(home: Desk): Promise<void> {
    await this.#about('ladder', home, ['runs', 'list']);
    await this.#about('single', home, ['runs', 'list', '-o', 'json']);
    const name = names[this.#below(names.length)] ?? 'ladder';
    if ((await this.#truth(name)).entries.length > 0) {
      await this.#about(name, home, ['plan', `${name}.yaml`]);
    }
    for (const [name, run] of this.#runs) {
      if ((await this.#truth(name)).entries.length === 0) continue;
      const format = name === 'single' ? ['-o', 'json'] : [];
      await this.#about(name, home, ['runs', 'show', run, ...format]);
    }
    await this.#type(home, ['workers']);
    for (const [name, run] of this.#runs) {
      const shown = await this.#fleet.page(run);
      this.#wrong.push(...untrueOnPages(shown, await this.#truth(name)));
    }
  }

  /** As people do: they queue what has not begun, resume what has, and start a worker. */
  async #toTheEnd(): Promise<void> {
    const [home, healthy] = this.#fleet.machines;
    this.#weather(0);
    for (let round = 0; round < roundsMax; round++) {
      const left: Name[] = [];
      for (const name of this.#queued) if (!isDone(await this.#truth(name))) left.push(name);
      if (left.length === 0) break;
      for (const name of left) {
        const run = this.#runs.get(name) ?? '';
        const hasBegun = (await this.#truth(name)).entries.length > 0;
        await this.#type(
          home,
          hasBegun ? ['resume', run, '--queue'] : ['run', `${name}.json`, '--queue'],
        );
      }
      await this.#stage.clock.sleep(minute);
      await this.#type(healthy, ['worker', '--once', '--slots', '1']);
    }
    for (const name of this.#queued) {
      const run = this.#runs.get(name) ?? '';
      const truth = await this.#truth(name);
      if (!isDone(truth)) this.#wrong.push(`${run} of ${name} never ends`);
      if (truth.placed !== ordersOf[name]) this.#wrong.push(`${truth.placed} orders of ${name}`);
      if (!isDone(truth)) continue;
      await this.#about(name, home, ['runs', 'logs', '-f', run], true);
      await this.#about(
        name,
        home,
        ['run', `${name}.json`, '--queue', '--follow', '-o', 'json'],
        true,
      );
    }
    await this.#look(home);
  }

  async #truth(name: Name): Promise<Truth> {
    const run = this.#runs.get(name) ?? '';
    const entries = await this.#fleet.entriesOf(run);
    return { run, total: ordersOf[name], placed: this.#fleet.placed(name), entries };
  }

  /** A command about one run. */
  async #about(
    name: Name,
    desk: Desk,
    words: readonly string[],
    follows = false,
    death?: number,
    suspension?: Suspension,
  ): Promise<Typed> {
    const typed = await this.#type(desk, words, death, suspension);
    const truth = await this.#truth(name);
    if (typed.code !== 'died' && !(follows && truth.entries.length === 0)) {
      this.#wrong.push(...untrueIn(typed, truth, follows));
    }
    return typed;
  }

  async #type(
    desk: Desk,
    words: readonly string[],
    death?: number,
    suspension?: Suspension,
  ): Promise<Typed> {
    const typed = await desk.type(words, death, suspension);
    if (typed.code === 'died') this.#deaths += 1;
    this.#typed.push(`${words.join(' ')} → ${typed.code}\n${typed.out}${typed.err}`);
    const advised = advisedIn(typed);
    if (desk === this.#fleet.machines[0]) this.#advised.push(...advised);
    if (typed.code === 0 && advised.includes(words.join(' '))) {
      this.#wrong.push(`${words.join(' ')}: what was just done is advised`);
    }
    const notices = this.#fleet.notices();
    if (notices.length > 0) {
      for (const name of names) {
        this.#wrong.push(...untrueNotices(notices, await this.#truth(name)));
      }
    }
    for (const [command] of typed.err.matchAll(/internal error|error\[internal\].*/g)) {
      this.#wrong.push(`${words.join(' ')}: ${command}`);
    }
    return typed;
  }
}

/**
 * Commands that a message names, without those that wait for others, those by which a person decides something, and
 * runs of further plans: a history has one run of each playbook.
 */
function advisedIn({ out, err }: Typed): readonly string[] {
  const text = `${out}\n${err}`.replaceAll(/ *\n {8,}/g, '  ');
  return [...text.matchAll(/deskhand ((?:resume|run|plan|runs (?:show|list))\b[^`\n;,()]*)/g)]
    .map(([, words = '']) => words.split('  ')[0]?.trim() ?? '')
    .filter(
      (words) => !/ (?:-f|--follow|--reason|--new)\b|\/plans\/| run p-|[A-Z]{3,}/.test(` ${words}`),
    );
}
