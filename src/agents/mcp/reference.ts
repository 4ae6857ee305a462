/** The documents and schemas of this version, which are in the package of the program. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegular } from '../../base/read-file.ts';
import { ConfigError, messageOf } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';

export interface Page {
  /** The address of a page: `deskhand://docs/glossary.md`. */
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly mimeType: string;
  readonly text: string;
}

/** The key of the package's folder in the program's loader. */
const homeKey = Symbol.for('deskhand.home');

/** The pages of the package. @throws ConfigError when the program was not built, or is not whole */
export async function builtReference(): Promise<readonly Page[]> {
  const home: unknown = Reflect.get(globalThis, homeKey);
  if (typeof home !== 'string')
    throw new ConfigError('deskhand is not built', 'run `npm run build`');
  const names = [
    ...(await namesIn(home, 'docs', '.md')),
    ...(await namesIn(home, 'schemas', '.json')),
  ];
  return Promise.all(
    names.map(async (name) => pageOf(name, (await readRegular(join(home, name))).toString('utf8'))),
  );
}

async function namesIn(home: string, folder: string, ending: string): Promise<readonly string[]> {
  const names = await readdir(join(home, folder)).catch((error: unknown) => {
    throw new ConfigError(
      `the package has no ${folder}: ${messageOf(error)}`,
      'install deskhand again',
    );
  });
  const own = names.filter((name) => name.endsWith(ending)).toSorted();
  return own.map((name) => `${folder}/${name}`);
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
