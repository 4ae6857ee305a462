/** The documents and schemas of this version, which the build put beside the program. */
import { gunzipSync } from 'node:zlib';
import { readRegular } from '../../base/read-file.ts';
import { ConfigError } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';

export interface Page {
  /** The address of a page: `deskhand://docs/glossary.md`. */
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly mimeType: string;
  readonly text: string;
}

/** The key of the file with the pages in the program's loader. */
const referenceKey = Symbol.for('deskhand.reference');

/** The pages that the build contains. @throws ConfigError when the program was not built */
export async function builtReference(): Promise<readonly Page[]> {
  const path: unknown = Reflect.get(globalThis, referenceKey);
  if (typeof path !== 'string')
    throw new ConfigError('deskhand is not built', 'run `npm run build`');
  const texts: unknown = JSON.parse(gunzipSync(await readRegular(path)).toString('utf8'));
  if (!isRecord(texts)) throw new ConfigError(`${path} is damaged`, 'install deskhand again');
  return Object.entries(texts).map(([name, text]) => pageOf(name, String(text)));
}

function pageOf(name: string, text: string): Page {
  const isSchema = name.startsWith('schemas/');
  return {
    uri: `deskhand://${name}`,
    name,
    title: (isSchema ? titleIn(text) : /^# (.+)$/m.exec(text)?.[1]) ?? name,
    mimeType: isSchema ? 'application/schema+json' : 'text/markdown',
    text,
  };
}

function titleIn(text: string): string | undefined {
  const value: unknown = JSON.parse(text);
  const title = isRecord(value) ? value['title'] : undefined;
  return typeof title === 'string' ? title : undefined;
}
