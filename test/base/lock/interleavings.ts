/** Every interleaving of a few processes in a lock protocol, with crashes anywhere. */
import {
  attempt,
  free,
  letGo,
  sweep,
  type Answer,
  type Claimant,
  type Outcome,
  type Step,
  type Steps,
} from '../../../src/base/lock/protocol.ts';

/** A protocol as executed by one process. */
export interface Protocol {
  attempt(us: Claimant): Steps<Outcome | 'again'>;
  /** While it holds the lock. */
  sweep(us: Claimant): Steps<void>;
  letGo(us: Claimant): Steps<void>;
}

export const ours: Protocol = { attempt, sweep, letGo };

export interface Setting {
  readonly protocol: Protocol;
  /** Number of processes that want the lock. */
  readonly takers: number;
  /** Number of people who state that the former owner is gone. */
  readonly people?: number;
  /** Maximum number of crashes, each between any two steps of a process. */
  readonly deaths: number;
  /** The initial state: no lock, or a lock whose owner is proved dead or not. */
  readonly first: 'nothing' | 'dead' | 'unknown';
}

export interface Explored {
  readonly states: number;
  /** The violation and the steps that led to it; empty without a violation. */
  readonly wrong: readonly string[];
}

export const file = '/lock';

type Phase = 'freeing' | 'taking' | 'tidying' | 'inside' | 'leaving' | 'refused' | 'ended';

interface Process {
  readonly isAlive: boolean;
  readonly phase: Phase;
  /** The results of this phase's steps: they determine the next step. */
  readonly answers: readonly Answer[];
}

const fresh: Process = { isAlive: true, phase: 'taking', answers: [] };

interface State {
  readonly files: ReadonlyMap<string, string>;
  readonly processes: readonly Process[];
  readonly deaths: number;
  readonly path: Path | undefined;
}

interface Path {
  readonly before: Path | undefined;
  readonly label: string;
}

/** Visits every reachable state. Equal states are visited once. */
export function explore(setting: Setting): Explored {
  const files = new Map<string, string>();
  const { takers, people = 0, protocol } = setting;
  if (setting.first !== 'nothing') files.set(file, setting.first);
  const processes = Array.from({ length: takers + people }, (_, index): Process => {
    files.set(claimant(index).owner, claimant(index).text);
    return index < takers ? fresh : { ...fresh, phase: 'freeing' };
  });
  const first: State = { files, processes, deaths: setting.deaths, path: undefined };
  const seen = new Set([keyOf(first)]);
  const open = [first];
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const next = successors(state, protocol);
    if (next.length === 0) {
      const stuck = stuckIn(state, protocol);
      if (stuck !== undefined)
        return { states: seen.size, wrong: [stuck, ...stepsAlong(state.path)] };
    }
    for (const one of next) {
      const inside = one.processes.filter(isHolding);
      if (inside.length > 1) {
        return { states: seen.size, wrong: ['two hold the lock', ...stepsAlong(one.path)] };
      }
      const key = keyOf(one);
      if (seen.has(key)) continue;
      seen.add(key);
      open.push(one);
    }
  }
  return { states: seen.size, wrong: [] };
}

function claimant(index: number): Claimant {
  return { file, owner: `${file}.${index}.paper`, text: `process ${index}` };
}

function isHolding({ isAlive, phase }: Process): boolean {
  return isAlive && (phase === 'tidying' || phase === 'inside');
}

/** The next action of a process: a step, or the end of its phase. */
function nextOf(index: number, { phase, answers }: Process, protocol: Protocol): Step | Phase {
  const steps = stepsOf(phase, claimant(index), protocol);
  let next = steps.next();
  for (const answer of answers) next = steps.next(answer);
  return next.value;
}

function* stepsOf(phase: Phase, us: Claimant, protocol: Protocol): Generator<Step, Phase, Answer> {
  switch (phase) {
    case 'freeing':
      yield* free(us, { kind: 'text', text: 'unknown', inode: '' });
      yield { act: 'remove', path: us.owner };
      return 'ended';
    case 'taking': {
      const outcome = yield* protocol.attempt(us);
      if (outcome === 'again') return 'taking';
      return outcome.kind === 'done' ? 'tidying' : 'refused';
    }
    case 'tidying':
      yield { act: 'remove', path: us.owner };
      yield* protocol.sweep(us);
      return 'inside';
    case 'inside':
      return 'leaving';
    case 'leaving':
      yield* protocol.letGo(us);
      return 'ended';
    case 'refused':
      yield { act: 'remove', path: us.owner };
      return 'ended';
    case 'ended':
      return 'ended';
  }
}

function successors(state: State, protocol: Protocol): State[] {
  return state.processes.flatMap((process, index) => {
    if (!process.isAlive || process.phase === 'ended') return [];
    const stepped = after(state, index, nextOf(index, process, protocol));
    return state.deaths === 0 ? [stepped] : [stepped, afterDeath(state, index)];
  });
}

function afterDeath(state: State, index: number): State {
  const dead = { ...fresh, isAlive: false };
  const path = { before: state.path, label: `${index} dies` };
  return { ...state, processes: state.processes.with(index, dead), deaths: state.deaths - 1, path };
}

function after(state: State, index: number, next: Step | Phase): State {
  const process = state.processes[index] ?? fresh;
  if (typeof next === 'string') {
    const processes = state.processes.with(index, { ...process, phase: next, answers: [] });
    return { ...state, processes, path: { before: state.path, label: `${index}: ${next}` } };
  }
  const files = new Map(state.files);
  const isRunning = (text: string): boolean =>
    state.processes[Number(/^process (\d+)$/.exec(text)?.[1] ?? -1)]?.isAlive ?? false;
  const answer = stepOn(next, files, isRunning);
  const answers = [...process.answers, answer];
  const label = `${index}: ${JSON.stringify(next)} → ${JSON.stringify(answer)}`;
  const processes = state.processes.with(index, { ...process, answers });
  return { ...state, files, processes, path: { before: state.path, label } };
}

/** One step on an in-memory disk. */
export function stepOn(
  step: Step,
  files: Map<string, string>,
  isRunning: (text: string) => boolean,
): Answer {
  switch (step.act) {
    case 'link':
    case 'rename': {
      const text = files.get(step.from);
      if (text === undefined || (step.act === 'link' && files.has(step.to))) return false;
      files.set(step.to, text);
      if (step.act === 'rename') files.delete(step.from);
      return true;
    }
    case 'read': {
      const text = files.get(step.path);
      return text === undefined ? { kind: 'absent' } : { kind: 'text', text, inode: '' };
    }
    case 'remove':
      files.delete(step.path);
      return undefined;
    case 'list':
      return [...files.keys()].filter((path) => path.startsWith(`${file}.`)).toSorted();
    case 'check-owner':
      if (step.found.text === 'unknown') return { state: 'unknown', because: 'elsewhere' };
      return { state: isRunning(step.found.text) ? 'alive' : 'dead' };
  }
}

/** At the end another process, helped by a person, must get the lock and leave nothing behind. */
function stuckIn(state: State, protocol: Protocol): string | undefined {
  const dead = state.processes.map((process) => ({ ...process, isAlive: false }));
  const [person, last] = [dead.length, dead.length + 1];
  const files = new Map(state.files);
  for (const index of [person, last]) files.set(claimant(index).owner, claimant(index).text);
  const freeing: Process = { ...fresh, phase: 'freeing' };
  let now: State = { ...state, files, processes: [...dead, freeing, fresh] };
  let wasInside = false;
  for (const index of [person, last]) {
    for (let steps = 0; now.processes[index]?.phase !== 'ended'; steps++) {
      if (steps > 1_000) return 'it continues permanently';
      now = after(now, index, nextOf(index, now.processes[index] ?? fresh, protocol));
      wasInside ||= now.processes[index]?.phase === 'inside';
    }
  }
  if (!wasInside) return 'nobody can take the lock any longer';
  return now.files.size === 0 ? undefined : `${[...now.files.keys()].join(', ')} is left behind`;
}

function keyOf({ files, processes, deaths }: State): string {
  return JSON.stringify([[...files].map((each) => each.join(' ')).toSorted(), processes, deaths]);
}

function stepsAlong(path: Path | undefined): string[] {
  const steps: string[] = [];
  for (let at = path; at !== undefined; at = at.before) steps.push(at.label);
  return steps.toReversed();
}
