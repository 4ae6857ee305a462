/** The source from which a pipeline installs deskhand: pinned bytes, never those a registry has under
 * a name.
 */
// action.yml uses this file before any package is installed: neither it nor its imports import one.
import { createHash } from 'node:crypto';
import { isAbsolute, join, posix } from 'node:path';
import { UsageError } from '../../base/error.ts';
import { kindAt } from '../../base/file-kind.ts';
import { repositoryPath } from '../../base/platform/repository-path.ts';
import { thisSystem, type System } from '../../base/platform/system.ts';
import { readRegularSync } from '../../base/read-file.ts';

export type PackageSource =
  | { readonly kind: 'lockfile' }
  /** The source is the checkout of the action itself. */
  | { readonly kind: 'action' }
  /** The source is a commit of a Git repository, built by the pipeline. */
  | { readonly kind: 'commit'; readonly url: string; readonly commit: string }
  /** The source is a tarball with its SHA-512 as hex. */
  | {
      readonly kind: 'file' | 'url' | 'registry';
      readonly address: string;
      readonly sha512: string;
    };

const forms = [
  'https://HOST/deskhand.tgz#sha512-…',
  'PATH.tgz',
  'git+https://HOST/REPOSITORY.git#COMMIT',
  '@SCOPE/NAME@VERSION#sha512-…',
].join(', ');

/**
 * Parses the value of `--package`.
 * @param folder of the repository, to which a path is relative
 * @throws UsageError when the bytes are not pinned, or the text is none of the four forms
 */
export function packageSource(
  text: string | undefined,
  folder: string,
  system: System = thisSystem,
): PackageSource {
  if (text === undefined) return { kind: 'lockfile' };
  refuseUnsafe(text);
  const [address = '', ...rest] = text.split('#');
  const pin = rest.join('#');
  if (/^git\+(https|ssh|file):\/\//.test(address)) return commitOf(address, pin);
  if (address.startsWith('https://')) {
    return { kind: 'url', address, sha512: digestOf(address, pin) };
  }
  if (/^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*@\d+\.\d+\.\d+(-[\w.]+)?$/.test(address)) {
    return { kind: 'registry', address, sha512: digestOf(address, pin) };
  }
  if (/\.(tgz|tar\.gz)$/.test(address) && !address.includes('://')) {
    return fileOf(repositoryPath(address, system), pin, folder);
  }
  throw new UsageError(`${text} is not a package`, `one of ${forms}`);
}

/** Refuses an unsafe text, because it is committed, and part of a script. */
function refuseUnsafe(text: string): void {
  if (/^(git\+)?https?:\/\/[^/]*@/.test(text)) {
    throw new UsageError(
      'the address of --package contains a user name or a password',
      'the pipeline is committed: name an address that needs none, or a file of the repository',
    );
  }
  if (!/^[\x21-\x7e]+$/.test(text) || text.includes('${{')) {
    throw new UsageError(
      `${JSON.stringify(text)} contains a character that a pipeline may change`,
      'use printable ASCII without spaces and ${{',
    );
  }
}

function commitOf(address: string, pin: string): PackageSource {
  if (/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(pin)) {
    return { kind: 'commit', url: address.replace('git+', ''), commit: pin };
  }
  throw new UsageError(
    `${address} is not pinned`,
    'append # and the full commit: a branch or a tag can be moved',
  );
}

function digestOf(address: string, pin: string): string {
  const base64 = /^sha512-([A-Za-z0-9+/]{86}==)$/.exec(pin)?.[1];
  if (base64 !== undefined) return Buffer.from(base64, 'base64').toString('hex');
  throw new UsageError(
    `${address} is not pinned`,
    'append # and the integrity that `npm pack` and `npm view NAME@VERSION dist.integrity` show: #sha512-…',
  );
}

function fileOf(path: string, pin: string, folder: string): PackageSource {
  if (isAbsolute(path) || posix.normalize(path).startsWith('..')) {
    throw new UsageError(`${path} is not in the repository`, 'name a file of the repository');
  }
  const kind = kindAt(join(folder, path));
  if (kind !== 'file') {
    throw new UsageError(
      `file not found: ${join(folder, path)}`,
      'add the tarball to the repository first',
    );
  }
  const sha512 = createHash('sha512')
    .update(readRegularSync(join(folder, path)))
    .digest('hex');
  if (pin !== '' && digestOf(path, pin) !== sha512) {
    throw new UsageError(`${path} has another digest than --package says`, 'check the file');
  }
  return { kind: 'file', address: posix.normalize(path), sha512 };
}

/**
 * Lines for bash that create `$folder/bin/deskhand`. Of a tarball nothing is executed to install it, and
 * no other package is fetched: the command line has its packages inside.
 */
export function installLines(source: PackageSource): readonly string[] {
  const begin = ['folder=$(mktemp -d)', 'mkdir "$folder/bin"'];
  const link = (path: string): string => `ln -s "${path}" "$folder/bin/deskhand"`;
  switch (source.kind) {
    case 'lockfile':
      return [
        'npm ci --ignore-scripts',
        'if [ ! -x node_modules/.bin/deskhand ]; then',
        '  echo "package-lock.json has no deskhand: add it with npm install --save-dev" >&2',
        '  exit 1',
        'fi',
        ...begin,
        link('$PWD/node_modules/.bin/deskhand'),
      ];
    case 'action':
      return [
        ...begin,
        ...built('cd "$GITHUB_ACTION_PATH"'),
        link(`$GITHUB_ACTION_PATH/${program}`),
      ];
    case 'commit':
      return [
        ...begin,
        'git init --quiet "$folder/package"',
        `git -C "$folder/package" fetch --quiet --depth=1 ${quoted(source.url)} ${source.commit}`,
        `git -C "$folder/package" checkout --quiet ${source.commit}`,
        ...built('cd "$folder/package"'),
        link(`$folder/package/${program}`),
      ];
    case 'file':
    case 'url':
    case 'registry':
      return [
        ...begin,
        fetchLine(source),
        `echo "${source.sha512}  $folder/deskhand.tgz" | sha512sum --check --quiet`,
        'tar -xzf "$folder/deskhand.tgz" -C "$folder"',
        link(`$folder/package/${program}`),
      ];
  }
}

const program = 'bin/deskhand.js';

/** Quotes a text for a shell. The text has no control character. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function built(enter: string): readonly string[] {
  return [`(${enter} && npm ci --ignore-scripts && npm run --silent build)`];
}

function fetchLine({
  kind,
  address,
}: {
  readonly kind: 'file' | 'url' | 'registry';
  readonly address: string;
}): string {
  const word = quoted(address);
  switch (kind) {
    case 'file':
      return `cp ${quoted(`./${address}`)} "$folder/deskhand.tgz"`;
    case 'url':
      return `curl --fail --silent --show-error --location --proto =https --output "$folder/deskhand.tgz" ${word}`;
    case 'registry':
      return `(cd "$folder" && npm pack --silent --ignore-scripts ${word} && mv ./*.tgz deskhand.tgz)`;
  }
}
