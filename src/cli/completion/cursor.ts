/** The cursor position: its command, and the argument or value being typed. */
import { globalFlags, jsonFlag } from '../verbs/flags.ts';
import { longFlag, type Flag, type Verb } from '../verbs/verb.ts';

export interface Place {
  /** The verb; absent while it is being typed. */
  readonly verb?: Verb;
  /** The first word of a two-word verb, such as `runs`. */
  readonly group?: string;
  /** The earlier arguments of the command. */
  readonly words: readonly string[];
  /** The flag values so far, by the flag's long name. */
  readonly values: ReadonlyMap<string, string>;
  /** The flag whose value is being typed; `before` is `--flag=` if it precedes the value. */
  readonly flag?: { readonly flag: Flag; readonly before: string };
  /** The typed part of the argument or value. */
  readonly typed: string;
  /** Whether flags are still allowed: not after `--`. */
  readonly mayFlag: boolean;
}

/**
 * The place of the cursor.
 * @param typed the words after the program's name; the last is being typed
 */
export function placeOf(typed: readonly string[], verbs: readonly Verb[]): Place {
  const last = typed.at(-1) ?? '';
  const values = new Map<string, string>();
  const words: string[] = [];
  let verb: Verb | undefined;
  let group: string | undefined;
  let waiting: Flag | undefined;
  let mayFlag = true;
  for (const word of typed.slice(0, -1)) {
    if (waiting !== undefined) {
      values.set(longFlag(waiting.flags), word);
      waiting = undefined;
    } else if (word === '--') mayFlag = false;
    else if (mayFlag && word.startsWith('-')) {
      const [name = '', ...value] = word.split('=');
      const flag = flagNamed(name, verb);
      if (flag === undefined || !takesValue(flag)) continue;
      if (value.length > 0) values.set(longFlag(flag.flags), value.join('='));
      else waiting = flag;
    } else if (verb !== undefined) words.push(word);
    else {
      const name = group === undefined ? word : `${group} ${word}`;
      verb = verbs.find((each) => each.name === name);
      if (verb === undefined) group = word;
    }
  }
  const common = {
    ...(verb && { verb }),
    ...(group !== undefined && { group }),
    words,
    values,
    mayFlag,
  };
  if (waiting !== undefined) return { ...common, flag: { flag: waiting, before: '' }, typed: last };
  const [, name = '', value] = /^(--[a-z-]+)=(.*)$/s.exec(last) ?? [];
  const flag = mayFlag && value !== undefined ? flagNamed(name, verb) : undefined;
  if (flag === undefined) return { ...common, typed: last };
  return { ...common, flag: { flag, before: `${name}=` }, typed: value ?? '' };
}

/** The allowed flags, those of the command first. */
export function flagsOf(verb: Verb | undefined): readonly Flag[] {
  const hasJson = verb === undefined || verb.formats?.includes('json') === true;
  return [...(verb?.flags ?? []), ...globalFlags.filter((flag) => hasJson || flag !== jsonFlag)];
}

function flagNamed(name: string, verb: Verb | undefined): Flag | undefined {
  return flagsOf(verb).find(({ flags }) => flags.split(/[ ,]+/).includes(name));
}

function takesValue({ flags }: Flag): boolean {
  return flags.includes('<');
}
