/** The variables that a pipeline must provide: those that profiles, the store and playbooks read. */
import { isDatabase, type StateSettings } from '../../stores/settings.ts';
import type { SecretSource } from '../../base/secret-source.ts';
import { keyVariables, secretVariable } from '../../app/config/secrets.ts';
import type { Profile } from '../../app/config/profile.ts';
import { usedBy } from '../../engine/interpreter/interpret.ts';
import { expressionsOf, stepsOf } from '../../language/expressions.ts';
import type { Playbook } from '../../language/playbook.ts';

export interface PipelineVariables {
  /** Variables with keys of accounts, and addresses of notifications and of a database. */
  readonly keys: readonly string[];
  /** Secrets that playbooks name, for jobs that plan or run them. */
  readonly secrets: readonly string[];
  /** Profiles whose key is in a file or comes from a program. */
  readonly elsewhere: readonly string[];
}

/** The variables of the live profile that the `deskhand.yaml` of `init` describes. */
export const usualVariables: PipelineVariables = {
  keys: keyVariables('MAIN_'),
  secrets: [],
  elsewhere: [],
};

/**
 * The variables of a pipeline.
 * @param state absent if the pipeline uses no shared state
 */
export function variablesOf(
  profiles: readonly Profile[],
  playbooks: readonly Playbook[],
  state?: StateSettings,
): PipelineVariables {
  const stored = state !== undefined && isDatabase(state) ? state.url : undefined;
  const keys = [
    ...profiles.flatMap(keysOf),
    ...profiles.flatMap(addressesOf),
    ...(stored?.kind === 'env' ? [stored.name] : []),
  ];
  const isOfEnvironment = profiles.some(({ secrets }) => secrets.kind === 'env');
  const secrets = isOfEnvironment ? playbooks.flatMap(secretsIn) : [];
  return {
    keys: [...new Set(keys)],
    secrets: [...new Set(secrets)].filter((name) => !keys.includes(name)),
    elsewhere: profiles
      .filter(({ baseUrl, secrets: { kind } }) => baseUrl !== undefined && kind !== 'env')
      .map(({ name }) => name),
  };
}

/** The key variables of a profile: the built-in sandbox needs no key. */
function keysOf({ baseUrl, secrets }: Profile): readonly string[] {
  return baseUrl !== undefined && secrets.kind === 'env' ? keyVariables(secrets.name) : [];
}

function addressesOf({ notify, secrets }: Profile): readonly string[] {
  return notify.flatMap(({ url, signWith }) => {
    if (typeof url !== 'string') return [...named(url), ...(signWith ? named(signWith) : [])];
    return secrets.kind === 'env' ? [secretVariable(url)] : [];
  });
}

function named(source: SecretSource): readonly string[] {
  return source.kind === 'env' ? [source.name] : [];
}

function secretsIn(playbook: Playbook): readonly string[] {
  return usedBy(playbook)
    .flatMap(stepsOf)
    .flatMap(expressionsOf)
    .flatMap(({ references }) => references)
    .filter(({ root }) => root === 'secrets')
    .map(({ path: [name = ''] }) => secretVariable(name));
}
