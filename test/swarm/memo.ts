/**
 * What seeds ask for again and again: a playbook or a configuration by its text, a price by its
 * moment. In the bundle this is in place of what it calls. What is given out is frozen, so that
 * nothing goes from one process of the fleet to another through it.
 */
import { isRecord } from '../../src/base/json.ts';
import { itemsDefault } from '../../src/language/expression/value.ts';
import { loadPlaybook as load, type Loaded, type Loading } from '../../src/language/load.ts';
import { readYaml as read } from '../../src/language/source.ts';
import { second } from '../../src/base/clock.ts';
import { walk as walkOf, type Walk } from '../../src/sandbox/world/walk.ts';

const entriesMax = 200; // a seed has a few texts

interface Known {
  readonly loaded: Loaded;
  /** Every file it asked for, and what it was given. */
  readonly asked: ReadonlyMap<string, string | undefined>;
  /** The limit of every account it asked for. */
  readonly limits: ReadonlyMap<string | undefined, number>;
}

const playbooks = new Map<string, Known>();

export function loadPlaybook(
  text: string | Uint8Array,
  file: string,
  {
    include = () => undefined,
    itemsMax = () => itemsDefault,
    isBegun = false,
    ...others
  }: Loading = {},
): Loaded {
  if (Object.keys(others).length > 0)
    return load(text, file, { include, itemsMax, isBegun, ...others });
  const given = textIn(text);
  const key = JSON.stringify([file, isBegun, given]);
  const known = playbooks.get(key);
  const isSame = ([name, then]: [string, string | undefined]): boolean =>
    textIn(include(name)) === then;
  const isLimit = ([account, then]: [string | undefined, number]): boolean =>
    itemsMax(account) === then;
  if (known && [...known.asked].every(isSame) && [...known.limits].every(isLimit))
    return known.loaded;
  const asked = new Map<string, string | undefined>();
  const noted: Loading['include'] = (name) => {
    const answer = include(name);
    asked.set(name, textIn(answer));
    return answer;
  };
  const limits = new Map<string | undefined, number>();
  const limited: Loading['itemsMax'] = (account) => {
    const limit = itemsMax(account);
    limits.set(account, limit);
    return limit;
  };
  const loaded = frozen(load(text, file, { include: noted, itemsMax: limited, isBegun }));
  keep(playbooks, key, { loaded, asked, limits });
  return loaded;
}

const configurations = new Map<string, unknown>();

export function readYaml(...[text, file, keys]: Parameters<typeof read>): unknown {
  const key = JSON.stringify([text, keys]);
  if (configurations.has(key)) return configurations.get(key);
  const value = frozen(read(text, file, keys));
  keep(configurations, key, value);
  return value;
}

const momentsMax = 100_000; // of one walk; a day of trades has 2,700
const walks = new Map<string, Walk>();

/** Every seed begins in the same world, at the same time. */
export function walk(...[seed, name, dailySpread]: Parameters<typeof walkOf>): Walk {
  const key = JSON.stringify([seed, name, dailySpread]);
  const known = walks.get(key);
  if (known) return known;
  const follow = walkOf(seed, name, dailySpread);
  const factors = new Map<number, number>();
  const remembering: Walk = (moment) => {
    const at = Math.floor(moment / second);
    const factor = factors.get(at);
    if (factor !== undefined) return factor;
    if (factors.size >= momentsMax) factors.clear();
    const found = follow(moment);
    factors.set(at, found);
    return found;
  };
  keep(walks, key, remembering);
  return remembering;
}

function textIn(text: string | Uint8Array | undefined): string | undefined {
  return typeof text === 'object' ? Buffer.from(text).toString('latin1') : text;
}

function keep<T>(known: Map<string, T>, key: string, value: T): void {
  if (known.size >= entriesMax) known.clear();
  known.set(key, value);
}

function frozen<T>(value: T): T {
  if ((Array.isArray(value) || isRecord(value)) && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const one of Object.values(value)) frozen(one);
  }
  return value;
}
