/** A profile of a configuration file: its schema, and how it is read. */
import { families } from '../../exchange/api/family.ts';
import { described, either, list, text as textSchema, truth } from '../../exchange/api/schema.ts';
import type { SecretSource } from '../../base/secret-source.ts';
import type { Target } from '../../engine/journal/shared-schema.ts';
import type { Programs } from '../../engine/plan/programs.ts';
import { itemsDefault, itemsHighest } from '../../language/expression/value.ts';
import { sandboxRoles } from '../../sandbox/world/initial-accounts.ts';
import { accountParts, decidedOf } from './account-id.ts';
import { baseUrlOf, isLoopback } from './address.ts';
import { approval } from './approval.ts';
import { recipients } from './notify.ts';
import {
  changed,
  inside,
  map,
  withDefault,
  wrong,
  type Part,
  type Place,
  type ReadBeside,
} from './part.ts';
import { guardsOf } from './profile-guards.ts';
import { ownPrefix, type PlanRules, type Profile } from './profile.ts';
import { proxySetting } from './proxy-setting.ts';
import { count, duration, flag, share, text, textsIn, word } from './scalars.ts';
import { sourceOf } from './secret-source.ts';

/** The source of a profile's key; a prefix of variables ends with `_`. */
const secrets: Part<SecretSource> = changed(
  sourceOf({
    env: 'Prefix of the variables: MAIN for MAIN_API_KEY',
    file: 'File of NAME=value lines, mode 0600; from this folder, or from ~/; others may read it, with a warning, and not change it',
    exec: 'Program that prints NAME=value lines; run without a shell, in this folder',
  }),
  (source) =>
    source.kind === 'env' ? { ...source, name: source.name.replace(/_?$/, '_') } : source,
);

/** Rules for plans: `plan: { expires: 15m, move: 1%, items: 50000 }`. */
const plans: Part<PlanRules> = changed(
  map({
    expires: duration('How long a plan is valid: 90s, 15m, 2h, 3d'),
    move: share('How far a mark price may move after a plan: 1%, or 0.01'),
    // The number can only be raised: the default suits every machine.
    items: count({
      minimum: itemsDefault,
      maximum: itemsHighest,
      description: `Maximum items of a for-each, and members of a range: ${itemsDefault} (default) to ${itemsHighest}; a run has at most twice as many items`,
    }),
  }),
  ({ expires: lasts, ...given }) => ({ ...(lasts !== undefined && { lasts }), ...given }),
);

/** The programs that steps may run: `allow: { shell: true }`, or the programs by name. */
const programs: Part<Programs> = changed(
  map({
    shell: {
      ...described(
        'Programs that shell/run may start; true allows all',
        either(truth, list(textSchema())),
      ),
      read: (value: unknown, place: Place): Programs => {
        return typeof value === 'boolean' ? value : textsIn(value, place);
      },
    },
  }),
  ({ shell = false }) => shell,
);

const demo = flag('Whether the key is one of the exchange’s demo trading');

/** A profile without its name. @param beside reads the file of its guards */
export function profileOf(beside: ReadBeside): Part<Omit<Profile, 'name'>> {
  const parts = {
    target: word(['sandbox', 'live']),
    family: word(families, {
      description: 'Account family of the key: operations of the other are refused (default: both)',
    }),
    demo,
    'base-url': text({
      description: 'Address of the exchange; must be https:// except on this machine',
    }),
    proxy: proxySetting,
    ...accountParts,
    as: withDefault(
      word(sandboxRoles, { description: 'Account of the built-in sandbox' }),
      'hedge',
    ),
    secrets: withDefault(described('Source of the key; never the key itself', secrets), {
      kind: 'env',
      name: ownPrefix,
    }),
    guards: withDefault(guardsOf(beside), {}),
    approve: approval,
    plan: withDefault(plans, {}),
    allow: withDefault(programs, false),
    notify: withDefault(recipients, []),
    'on-doubt': word(['ask', 'resend'], {
      description:
        'What to do with an order that cannot be found: ask a person and send nothing again, or resend',
    }),
  };
  return changed(map(parts), (given, place) => {
    const { 'base-url': address, 'account-id': accountId, 'on-doubt': onDoubt } = given;
    const { proxy, as, secrets: source, guards, approve, plan, allow, notify } = given;
    const where = `${place.file}: ${place.path}`;
    const baseUrl = address === undefined ? undefined : baseUrlOf(address, where);
    const target = targetOf(given, baseUrl, place);
    return {
      target,
      ...(given.family !== undefined && { family: given.family }),
      ...(baseUrl && { baseUrl }),
      ...(proxy && { proxy }),
      ...(accountId !== undefined && { accountId }),
      decided: decidedOf(given, place),
      as,
      secrets: source,
      guards,
      ...(approve && { approvers: approve.rules }),
      ...(approve?.isForPlans && { approval: approve.rules }),
      plans: plan,
      programs: allow,
      notify,
      onDoubt: onDoubt ?? (target === 'sandbox' ? 'resend' : 'ask'),
      from: place.file,
    };
  });
}

/**
 * The target of a profile. A remote exchange is never a sandbox; a loopback one is live only if the profile
 * says so. Demo trading belongs to an exchange.
 */
function targetOf(
  { target: said, demo }: { readonly target?: 'sandbox' | 'live'; readonly demo?: boolean },
  baseUrl: URL | undefined,
  place: Place,
): Target {
  const where = marketOf(said, baseUrl, place);
  if (demo !== true) return where;
  if (where === 'live') return 'demo';
  throw wrong(inside(place, 'demo'), 'belongs to a live profile: a sandbox needs no demo key');
}

function marketOf(
  said: 'sandbox' | 'live' | undefined,
  baseUrl: URL | undefined,
  place: Place,
): 'sandbox' | 'live' {
  if (baseUrl === undefined) {
    if (said !== 'live') return 'sandbox';
    throw wrong(inside(place, 'base-url'), 'is missing: a live profile must name its exchange');
  }
  if (isLoopback(baseUrl)) return said ?? 'sandbox';
  if (said !== 'sandbox') return 'live';
  throw wrong(inside(place, 'target'), `cannot be sandbox: ${baseUrl.host} is not on loopback`);
}
