/** The store of deskhand.yaml: `state: { store: git, remote: origin, ref: refs/heads/deskhand-state }`. */
import { lengthIn, minute, type Millis } from '../base/clock.ts';
import { witnessOf } from '../state-store/git/witness.ts';
import { gitDefaults, type StateSettings } from '../state-store/settings.ts';
import { fieldsOf, inside, textIn, wordIn, wrong, type Fields } from './fields.ts';

export const stores = ['local', 'git'] as const;

const keys = ['store', 'remote', 'ref', 'root', 'lease', 'name', 'email'] as const;
const leaseMin = minute; // shorter than a slow push, so every write would wait for one

/** @throws ConfigError */
export function stateOf(top: Fields): StateSettings | undefined {
  if (top.values['state'] === undefined) return undefined;
  const fields = fieldsOf(top.values['state'], inside(top, 'state'), keys);
  if ((wordIn(fields, 'store', stores) ?? 'local') === 'local') {
    const lost = keys.find((key) => key !== 'store' && fields.values[key] !== undefined);
    if (lost === undefined) return { store: 'local' };
    throw wrong(inside(fields, lost), 'requires store: git');
  }
  const name = identityIn(fields, 'name');
  const email = identityIn(fields, 'email');
  const root = rootIn(fields);
  return {
    store: 'git',
    remote: remoteIn(fields),
    ref: refIn(fields),
    ...(fields.values['ref'] === undefined && { isDefault: true as const }),
    ...(root !== undefined && { root }),
    lease: leaseIn(fields),
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
  };
}

function remoteIn(fields: Fields): string {
  const remote = textIn(fields, 'remote') ?? gitDefaults.remote;
  if (remote === '' || remote.startsWith('-') || /\s/.test(remote)) {
    throw wrong(inside(fields, 'remote'), 'must be the name of a remote, or its address');
  }
  if (/^\w+:\/\/[^/@]*:[^/@]*@/.test(remote)) {
    throw wrong(inside(fields, 'remote'), 'contains a password; set DESKHAND_STATE_TOKEN instead');
  }
  return remote;
}

function refIn(fields: Fields): string {
  const ref = textIn(fields, 'ref') ?? gitDefaults.ref;
  if (ref.endsWith(witnessOf(''))) {
    throw wrong(
      inside(fields, 'ref'),
      `must not end with ${witnessOf('')}: that is the witness of a state`,
    );
  }
  const isName = /^refs(?:\/[A-Za-z0-9_][A-Za-z0-9_.-]*)+$/.test(ref);
  if (isName && !ref.includes('..') && !/\.(?:lock)?(?:\/|$)/.test(ref)) return ref;
  throw wrong(
    inside(fields, 'ref'),
    'must be the full name of a ref such as refs/heads/deskhand-state',
  );
}

function rootIn(fields: Fields): string | undefined {
  const root = textIn(fields, 'root')?.toLowerCase();
  if (root === undefined || /^[0-9a-f]{16}$/.test(root)) return root;
  throw wrong(inside(fields, 'root'), 'must be the 16 hex digits that `deskhand doctor` shows');
}

function leaseIn(fields: Fields): Millis {
  const text = textIn(fields, 'lease');
  const lease = text === undefined ? gitDefaults.lease : lengthIn(text);
  if (lease !== undefined && lease >= leaseMin) return lease;
  throw wrong(inside(fields, 'lease'), 'must be a duration of at least 1m');
}

function identityIn(fields: Fields, key: 'name' | 'email'): string | undefined {
  const text = textIn(fields, key);
  if (text === undefined || /^[^<>\p{Cc}]{1,100}$/u.test(text)) return text;
  throw wrong(inside(fields, key), 'must be one line without < and >');
}
