/** The surroundings of the work of an embedding program: no terminal, no signals, no prompts. */
import { resolve } from 'node:path';
import process from 'node:process';
import { systemClock } from '../../base/clock.ts';
import { ConfigError } from '../../base/error.ts';
import { fieldOf } from '../../base/json.ts';
import { namedVariables } from '../../base/platform/environment.ts';
import { Secret } from '../../base/secret.ts';
import type { Credentials } from '../config/credentials.ts';
import { choicesIn, withoutEmpty } from '../store/choices.ts';
import type { AppContext } from '../app-context.ts';
import type { Note } from '../running/note.ts';
import { configText, givenIn } from './given.ts';
import type { AccountKey, AccountOptions } from './options.ts';

/**
 * @param secrets collects every secret that is seen
 * @param note receives what a person should know
 */
export function contextOf(
  { cwd = process.cwd(), env = process.env, credentials = {}, signal, ...choices }: AccountOptions,
  secrets: Secret[],
  note: (note: Note) => void,
): AppContext {
  const { stateDir, profile, store } = choices;
  const text = configText(choices.config);
  const file =
    typeof choices.config === 'string' && text === undefined ? choices.config : undefined;
  const playbook = givenIn(choices);
  const own = { ...env, ...(stateDir !== undefined && { DESKHAND_STATE_DIR: stateDir }) };
  const variables = withoutEmpty(namedVariables(own));
  const keys = new Map(
    Object.entries(credentials).map(([name, key]) => [name, keyOf(name, key)] as const),
  );
  secrets.push(...[...keys.values()].flatMap((key) => [key.apiKey, key.secretKey, key.passphrase]));
  return {
    env: variables,
    folder: resolve(cwd),
    globals: choicesIn({ profile, config: file, store }, variables),
    clock: systemClock,
    secrets,
    note,
    credentials: keys,
    given: { ...(text !== undefined && { config: text }), ...(playbook && { playbook }) },
    stop: signal ?? new AbortController().signal,
  };
}

function keyOf(profile: string, key: AccountKey): Credentials {
  const part = (name: keyof AccountKey): Secret => {
    const value = fieldOf(key, name); // a program in JavaScript may give anything
    if (value instanceof Secret) return value;
    if (typeof value === 'string' && value !== '') return new Secret(value);
    throw new ConfigError(
      `credentials of profile ${profile}: ${name} is missing`,
      'give all three parts of the key, or none to use those of the profile',
    );
  };
  return {
    apiKey: part('apiKey'),
    secretKey: part('secretKey'),
    passphrase: part('passphrase'),
  };
}
