/**
 * The packages that are inside the bundles, found in the metafiles of esbuild: the texts of their
 * licences, and a bill of materials (CycloneDX 1.6, JSON) that also lists what the library imports
 * from outside, with all that those packages import. Neither has a date, so that a build is the same
 * on each machine.
 */
import { Buffer } from 'node:buffer';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders of packages, such as `node_modules/yaml`, sorted. @param inputs paths from the root */
export function packagesOf(inputs) {
  const folders = inputs.map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  return sorted(folders.filter(Boolean));
}

/** The same on each machine, whatever its language. */
function sorted(texts) {
  return [...new Set(texts)].sort((a, b) => (a < b ? -1 : 1));
}

/** @throws Error for a package without the text of its licence, which may not be passed on */
export async function licencesOf(root, folders) {
  const texts = await Promise.all(
    folders.map(async (folder) => {
      const { name, version, license } = await manifestOf(root, folder);
      const files = await readdir(join(root, folder));
      const file = files.find((entry) => /^licen[cs]e/i.test(entry));
      if (file === undefined) throw new Error(`${name} ${version} has no file with its licence`);
      const text = await readFile(join(root, folder, file), 'utf8');
      return `${name} ${version} (${license})\n\n${text.trim()}\n`;
    }),
  );
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

export async function billOf(root, folders) {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const self = await manifestOf(root, '.');
  const outside = importedFrom(packages, Object.keys(self.dependencies ?? {}));
  const all = sorted([...folders, ...outside.keys()]);
  const components = await Promise.all(
    all.map(async (folder) => {
      const manifest = await manifestOf(root, folder);
      return component({ ...manifest, type: 'library' }, packages[folder]?.integrity, [
        ...(folders.includes(folder) ? [property('bundled', 'true')] : []),
        ...(outside.has(folder) ? [property('imported', 'true')] : []),
      ]);
    }),
  );
  const refs = new Map(all.map((folder, at) => [folder, components[at]['bom-ref']]));
  const main = component({ ...self, type: 'application' });
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { lifecycles: [{ phase: 'build' }], component: main },
    components,
    dependencies: [
      { ref: main['bom-ref'], dependsOn: [...refs.values()] },
      ...[...refs].map(([folder, ref]) => ({
        ref,
        dependsOn: (outside.get(folder) ?? []).map((other) => refs.get(other)),
      })),
    ],
  };
}

async function manifestOf(root, folder) {
  return JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
}

/** Each folder that these packages lead to, with the folders of what it imports itself. */
function importedFrom(packages, names) {
  const found = new Map();
  const visit = (folder) => {
    if (found.has(folder)) return;
    const { dependencies = {} } = packages[folder];
    const next = Object.keys(dependencies).map((name) => placeOf(packages, folder, name));
    found.set(folder, next);
    next.forEach(visit);
  };
  names.map((name) => placeOf(packages, '', name)).forEach(visit);
  return found;
}

/** Where Node finds a package for an importer: the nearest node_modules above it. */
function placeOf(packages, importer, name) {
  for (
    let folder = importer;
    ;
    folder = folder.replace(/(^|\/)node_modules\/(?!.*node_modules\/).*$/, '')
  ) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[place] !== undefined) return place;
    if (folder === '') throw new Error(`package-lock.json has no ${name} for ${importer}`);
  }
}

function component({ type, name, version, license }, integrity, properties = []) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const [group, own] = name.startsWith('@') ? name.split('/') : [undefined, name];
  const known = /^[A-Za-z0-9.-]+$/.test(license);
  return {
    type,
    'bom-ref': purl,
    ...(group !== undefined && { group }),
    name: own,
    version,
    ...(integrity !== undefined && { hashes: [hashOf(integrity)] }),
    licenses: [known ? { license: { id: license } } : { expression: license }],
    purl,
    ...(properties.length > 0 && { properties }),
  };
}

/** Of the package's tarball in the registry. */
function hashOf(integrity) {
  const [algorithm, digest] = integrity.split('-');
  const alg = { sha1: 'SHA-1', sha512: 'SHA-512' }[algorithm];
  return { alg, content: Buffer.from(digest, 'base64').toString('hex') };
}

function property(name, value) {
  return { name: `deskhand:${name}`, value };
}
