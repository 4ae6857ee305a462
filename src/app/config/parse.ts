/** Parses a configuration file into profiles. */
import type { Programs } from '../../engine/plan/programs.ts';
import { families } from '../../exchange/api/family.ts';
import { itemsDefault, itemsHighest } from '../../language/expression/value.ts';
import { readYaml } from '../../language/source.ts';
import { sandboxRoles } from '../../sandbox/world/initial-accounts.ts';
import type { StateSettings } from '../../stores/settings.ts';
import { accountIdOf, accountKeys, decidedOf, refuseAlike } from './account-id.ts';
import { baseUrlOf, isLoopback } from './address.ts';
import { approvalOf } from './approval.ts';
import {
  countIn,
  fieldsOf,
  inside,
  lengthOf,
  ratioIn,
  textIn,
  textsIn,
  wordIn,
  wrong,
  type Fields,
} from './fields.ts';
import { guardsOf, type ReadBeside } from './profile-guards.ts';
import type { SecretSource } from '../../base/secret-source.ts';
import { recipientsOf } from './notify.ts';
import { secretSourceIn } from './secret-source.ts';
import { ownPrefix, type PlanRules, type Profile } from './profile.ts';
import { proxySettingOf } from './proxy-setting.ts';
import { outputsOf, type OutputSettings } from './kept-outputs.ts';
import { serveOf, type ServeSettings } from './served-team.ts';
import { stateOf } from './state.ts';

export interface ConfigFile {
  /** The default profile of playbooks. */
  readonly profile?: string;
  /** Where claims and runs are stored. */
  readonly state?: StateSettings;
  /** Where files of runs are kept. */
  readonly outputs?: OutputSettings;
  /** Who may use the server's page. */
  readonly serve?: ServeSettings;
  readonly profiles: ReadonlyMap<string, Profile>;
}

const topKeys = ['profile', 'profiles', 'state', 'outputs', 'serve'];

/**
 * @param beside reads a file that it names
 * @throws ConfigError naming file, location and suggestion
 */
export function parseConfig(text: string, file: string, beside: ReadBeside): ConfigFile {
  const read = readYaml(text, file, accountKeys);
  const top = fieldsOf(read, { file, path: '' }, topKeys);
  const profile = textIn(top, 'profile');
  const given = top.values['profiles'] ?? {};
  const all = fieldsOf(given, { file, path: 'profiles' }, Object.keys(Object(given)));
  const profiles = new Map(
    Object.entries(all.values).map(([name, value]) => [
      name,
      profileOf(name, value, { file, beside }),
    ]),
  );
  refuseAlike([...profiles.values()], file);
  const state = stateOf(top);
  const outputs = outputsOf(top);
  const serve = serveOf(top);
  return {
    ...(profile !== undefined && { profile }),
    ...(state && { state }),
    ...(outputs && { outputs }),
    ...(serve && { serve }),
    profiles,
  };
}

const profileKeys = [
  'target',
  'family',
  'demo',
  'base-url',
  'proxy',
  ...accountKeys,
  'as',
  'secrets',
  'guards',
  'approve',
  'plan',
  'allow',
  'notify',
  'on-doubt',
] as const;

interface Source {
  readonly file: string;
  readonly beside: ReadBeside;
}

function profileOf(name: string, value: unknown, { file, beside }: Source): Profile {
  const path = `profiles.${name}`;
  if (!/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/.test(name)) {
    throw wrong({ file, path }, 'must be a name of letters, digits, dots and dashes');
  }
  const fields = fieldsOf(value, { file, path }, profileKeys);
  const address = textIn(fields, 'base-url');
  const baseUrl = address === undefined ? undefined : baseUrlOf(address, `${file}: ${path}`);
  const place = targetOf(fields, baseUrl);
  const target = isDemo(fields, place) ? 'demo' : place;
  const proxy = proxySettingOf(fields);
  const approval = approvalOf(fields);
  const accountId = accountIdOf(fields);
  const family = wordIn(fields, 'family', families);
  return {
    name,
    target,
    ...(family !== undefined && { family }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(proxy && { proxy }),
    ...(accountId !== undefined && { accountId }),
    decided: decidedOf(fields),
    as: wordIn(fields, 'as', sandboxRoles) ?? 'hedge',
    secrets: secretsOf(fields),
    guards: guardsOf(fields, beside),
    ...(approval && { approval }),
    plans: plansOf(fields),
    programs: programsOf(fields),
    notify: recipientsOf(fields),
    onDoubt:
      wordIn(fields, 'on-doubt', ['ask', 'resend']) ?? (target === 'sandbox' ? 'resend' : 'ask'),
    from: file,
  };
}

/**
 * The target of a profile. A remote exchange is never a sandbox; a loopback one is live only if the profile
 * says so.
 */
function targetOf(fields: Fields, baseUrl: URL | undefined): 'sandbox' | 'live' {
  const said = wordIn(fields, 'target', ['sandbox', 'live']);
  if (baseUrl === undefined) {
    if (said !== 'live') return 'sandbox';
    throw wrong(inside(fields, 'base-url'), 'is missing: a live profile must name its exchange');
  }
  if (isLoopback(baseUrl)) return said ?? 'sandbox';
  if (said !== 'sandbox') return 'live';
  throw wrong(inside(fields, 'target'), `cannot be sandbox: ${baseUrl.host} is not on loopback`);
}

/** Whether the key is one of demo trading, which the exchange has and a sandbox is. */
function isDemo(fields: Fields, target: 'sandbox' | 'live'): boolean {
  const value = fields.values['demo'] ?? false;
  if (typeof value !== 'boolean') throw wrong(inside(fields, 'demo'), 'must be true or false');
  if (value && target === 'sandbox') {
    throw wrong(inside(fields, 'demo'), 'belongs to a live profile: a sandbox needs no demo key');
  }
  return value;
}

function secretsOf(fields: Fields): SecretSource {
  const source = secretSourceIn(fields, 'secrets') ?? { kind: 'env', name: ownPrefix };
  return source.kind === 'env' ? { ...source, name: source.name.replace(/_?$/, '_') } : source;
}

/** Reads the programs that steps may run: `allow: { shell: true }`, or the programs by name. */
function programsOf(profile: Fields): Programs {
  const fields = fieldsOf(profile.values['allow'], inside(profile, 'allow'), ['shell']);
  const value = fields.values['shell'];
  if (value === undefined || typeof value === 'boolean') return value ?? false;
  return textsIn(fields, 'shell') ?? false;
}

/** Reads the rules for plans: `plan: { expires: 15m, move: 1%, items: 50000 }`. */
function plansOf(profile: Fields): PlanRules {
  const known = ['expires', 'move', 'items'];
  const fields = fieldsOf(profile.values['plan'], inside(profile, 'plan'), known);
  const lasts = lengthOf(fields, 'expires');
  const move = ratioIn(fields, 'move');
  const items = itemsOf(fields);
  return {
    ...(lasts !== undefined && { lasts }),
    ...(move !== undefined && { move }),
    ...(items !== undefined && { items }),
  };
}

/** The maximum number of items. It can only be raised: the default suits every machine. */
function itemsOf(plan: Fields): number | undefined {
  const items = countIn(plan, 'items');
  if (items === undefined || (items >= itemsDefault && items <= itemsHighest)) return items;
  throw wrong(inside(plan, 'items'), `must be from ${itemsDefault} to ${itemsHighest}`);
}
