/** One spelling per exchange: hosts in canonical form, however they are written. */

/** Names of this machine, in the WHATWG form of a hostname, with any port. */
const loopback =
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/;
const unspecified: readonly string[] = ['0.0.0.0', '[::]']; // connecting to it reaches this machine

/**
 * A host with its port in canonical form: lower case, no trailing dot, no default port, one name
 * for this machine. Requests still use the address as written.
 */
export function canonicalHost(host: string): string {
  const known = knownHosts.get(host);
  if (known !== undefined) return known;
  const canonical = canonicalFrom(host);
  if (knownHosts.size >= hostsMax) knownHosts.clear();
  knownHosts.set(host, canonical);
  return canonical;
}

const knownHosts = new Map<string, string>(); // cache: a thousand runs use the same few
const hostsMax = 100;

function canonicalFrom(host: string): string {
  const [, name = '', digits = ''] = /^(.*?)(?::(\d+))?$/s.exec(host.trim().toLowerCase()) ?? [];
  const port = digits === '' ? '' : String(Number(digits));
  const bare = whatwgName(name.replace(/\.+$/, ''));
  if (isLoopbackName(bare) || unspecified.includes(bare)) return withPort('127.0.0.1', port);
  return withPort(bare, port === '443' ? '' : port); // keys leave this machine only over https
}

/** Whether a host, with or without a port, is certainly this machine. */
export function isLoopbackHost(host: string): boolean {
  return /^127\.0\.0\.1(?::\d+)?$/.test(canonicalHost(host));
}

/** Whether a hostname, as `URL` returns it, is a name of this machine. */
export function isLoopbackName(hostname: string): boolean {
  return loopback.test(hostname.replace(/\.$/, ''));
}

/** `127.1`, `[0:0::1]` and internationalized names in the form that `URL` returns. */
function whatwgName(name: string): string {
  return URL.canParse(`http://${name}/`) ? new URL(`http://${name}/`).hostname : name;
}

function withPort(name: string, port: string): string {
  return port === '' ? name : `${name}:${port}`;
}
