/** Rules that protect the state branches, for hosts that import them from files. */
import { readableJson } from '../../base/json.ts';
import { witnessOf } from '../../stores/settings.ts';
import { gitDefaults } from '../../stores/settings.ts';

/** The name of the secret with the pipeline's deploy key. */
export const stateKey = 'DESKHAND_STATE_KEY';

/**
 * A GitHub ruleset, to be imported in Settings, Rules, Rulesets: no one can rewrite the history.
 */
export function historyRuleset(): string {
  return rulesetOf('State of deskhand', ['deletion', 'non_fast_forward'], []);
}

/**
 * A second ruleset, because bypassing one bypasses all of its rules: only deploy keys create and
 * update the branches. GitHub does not accept GITHUB_TOKEN as a bypass actor ("Actor GitHub Actions
 * integration must be part of the ruleset source or owner organization").
 */
export function pushRuleset(): string {
  const deployKeys = { actor_id: null, actor_type: 'DeployKey', bypass_mode: 'always' };
  return rulesetOf('State of deskhand: pipeline only', ['creation', 'update'], [deployKeys]);
}

function rulesetOf(name: string, rules: readonly string[], bypass: readonly object[]): string {
  const { ref } = gitDefaults;
  return readableJson({
    name,
    target: 'branch',
    enforcement: 'active',
    conditions: { ref_name: { include: [ref, witnessOf(ref)], exclude: [] } },
    rules: rules.map((type) => ({ type })),
    bypass_actors: bypass,
  });
}
