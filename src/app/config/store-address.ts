/** The store that `--store` or DESKHAND_STORE names, instead of `state` in deskhand.yaml. */
import { ConfigError, UsageError } from '../../base/error.ts';
import { postgresDefaults, restateDefaults, type StateSettings } from '../../stores/settings.ts';
import { state } from './state.ts';

export interface NamedStore {
  readonly text: string;
  readonly by: '--store' | 'DESKHAND_STORE';
}

/** The address of the named store: a flag takes precedence over the environment. */
export function namedStore(
  flag: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): NamedStore | undefined {
  if (flag !== undefined) return { text: flag, by: '--store' };
  const text = env['DESKHAND_STORE'];
  return text === undefined || text === '' ? undefined : { text, by: 'DESKHAND_STORE' };
}

/**
 * The settings of the named store. Others, such as the lease, are those of the configured store if it is of
 * the same kind.
 * @throws UsageError, ConfigError: neither shows the text, which may contain a password
 */
export function storeSettings(
  named: NamedStore,
  configured: StateSettings | undefined,
): StateSettings {
  const scheme = /^[a-z+]+(?=:|$)/.exec(named.text)?.[0] ?? '';
  const read = Object.hasOwn(schemes, scheme) ? schemes[scheme] : undefined;
  const settings = read?.(named, configured);
  if (settings === undefined) throw notUsable(named, 'is not the address of a state store', forms);
  return settings;
}

/** Reads the settings in the text of an address; undefined for a text that does not have the form. */
type Read = (named: NamedStore, configured: StateSettings | undefined) => StateSettings | undefined;

/** The readers of addresses, by scheme. */
const schemes: Readonly<Record<string, Read>> = {
  local: ({ text }) => (text === 'local' ? { store: 'local' } : undefined),
  git: gitConfigured,
  'git+https': gitAt,
  'git+ssh': gitAt,
  'git+file': gitAt,
  postgres: postgresAt,
  postgresql: postgresAt,
  restate: restateAt,
};

const forms =
  'expected local, git, git+ssh://HOST/REPOSITORY#REF (or git+https, git+file), postgres://HOST/DATABASE, or restate://HOST:8080';

/** Reads `git`: the configured store, or the default branch of origin. */
function gitConfigured(
  { text, by }: NamedStore,
  configured: StateSettings | undefined,
): StateSettings | undefined {
  if (text !== 'git') return undefined;
  return configured?.store === 'git' ? configured : gitOf({}, by);
}

/** Reads the address of a Git store. `root` is not taken over: it belongs to one ref of one remote. */
function gitAt(
  named: NamedStore,
  configured: StateSettings | undefined,
): StateSettings | undefined {
  const { text, by } = named;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return undefined;
  // Git gets the address as an argument, which every process of the machine can read.
  if (url.password !== '') {
    throw notUsable(named, 'contains a password', 'set DESKHAND_STATE_TOKEN instead');
  }
  const [address = ''] = text.slice('git+'.length).split('#');
  const ref = url.hash === '' ? {} : { ref: url.hash.slice(1) };
  const settings = gitOf({ remote: address, ...ref }, by);
  if (configured?.store !== 'git' || settings.store !== 'git') return settings;
  const { lease, name, email } = configured;
  return {
    ...settings,
    lease,
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
  };
}

function gitOf(fields: Readonly<Record<string, string>>, by: string): StateSettings {
  return state.read({ store: 'git', ...fields }, { file: by, path: 'state' });
}

function postgresAt(
  named: NamedStore,
  configured: StateSettings | undefined,
): StateSettings | undefined {
  const { text, by } = named;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !text.includes('://')) return undefined;
  const { lease, sharesPace } =
    configured?.store === 'postgres' ? configured : { ...postgresDefaults, sharesPace: undefined };
  const settings = { store: 'postgres', lease, ...(sharesPace && { sharesPace }) } as const;
  if (by === 'DESKHAND_STORE') return { ...settings, url: { kind: 'env', name: by } };
  if (url.password !== '' || url.searchParams.has('password')) {
    throw notUsable(
      named,
      'contains a password, and every process of this machine can read the flags of a command',
      'set DESKHAND_STORE to this address, or name a password file in PGPASSFILE',
    );
  }
  return { ...settings, url: { kind: 'given', url: text } };
}

/**
 * Reads the address of Restate. With several nodes, each has the scheme:
 * restate://ONE:8080,restate://TWO:8080.
 */
function restateAt(
  named: NamedStore,
  configured: StateSettings | undefined,
): StateSettings | undefined {
  const { text, by } = named;
  const urls = text.split(',').map((part) => (URL.canParse(part) ? new URL(part) : undefined));
  if (!text.includes('://') || urls.includes(undefined)) return undefined;
  const defaults = { store: 'restate', ...restateDefaults } as const;
  const others = configured?.store === 'restate' ? configured : defaults;
  if (by === 'DESKHAND_STORE') return { ...others, url: { kind: 'env', name: by } };
  if (urls.some((url) => url?.username !== '' || url.password !== '')) {
    throw notUsable(
      named,
      'contains a token, and every process of this machine can read the flags of a command',
      'set DESKHAND_STORE to this address',
    );
  }
  return { ...others, url: { kind: 'given', url: text } };
}

function notUsable({ by }: NamedStore, what: string, hint: string): UsageError | ConfigError {
  const message = `${by} ${what}`;
  return by === '--store' ? new UsageError(message, hint) : new ConfigError(message, hint);
}
