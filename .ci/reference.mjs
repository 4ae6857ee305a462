// Writes the documents and schemas that `mcp` serves into one compressed file.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** @returns its name in the folder */
export async function buildReference(root, outdir) {
  const names = [
    ...(await namesIn(join(root, 'docs'), '.md')).map((name) => `docs/${name}`),
    ...(await namesIn(join(root, 'schemas'), '.json')).map((name) => `schemas/${name}`),
  ];
  const texts = await Promise.all(
    names.map(async (name) => [name, await readFile(join(root, name), 'utf8')]),
  );
  const file = 'reference.json.gz';
  await writeFile(join(outdir, file), gzipSync(JSON.stringify(Object.fromEntries(texts))));
  return file;
}

async function namesIn(folder, ending) {
  return (await readdir(folder)).filter((name) => name.endsWith(ending)).sort();
}
