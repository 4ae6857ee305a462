/** Marked secrets, every way a text may spell one, and a search of all that was written. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';

/** What is looked for, by name. Quotes, slashes and signs make each spelling another text. */
export const marks = {
  key: `kQ7"vN\\2x+Lm/9=Rt%&dWz'4hJ<8>pYq`,
  secret: `sT5"hG\\8c+Wb/3=Kn%&qXr'6fM<1>yDa`,
  passphrase: `pH4"jC\\6u+Vz/1=Bg%&mFs'7kQ<2>xLe`,
  hook: 'wK3nT9bVx7QzR5mJ2LcY8dHfGpSe4uXa',
  signing: `gN2"rB\\5y+Jc/7=Hw%&tZk'9dP<6>vSu`,
  program: `bW6"mK\\3z+Rq/5=Dv%&jYt'1nC<4>gXo`,
  state: `tM8"vB\\1k+Fh/6=Zp%&wLd'3sR<9>cJi`,
  proxy: `xP6"qD\\7b+Lw/2=Gm%&vTn'5zR<9>kHc`,
  comment: 'cD9fL2xJ+Pv/4=Ys%&bTm7hW5gKqNz8r',
  wrong: `nV1"zS\\7w+Tk/2=Mx%&rGh'8bF<3>qCy`,
} as const;

const part = 12; // characters of a half; by chance no such text stands anywhere

/** How a secret may be written, and the text it then is. */
export function spellingsOf(secret: string): ReadonlyMap<string, string> {
  const whole = new Map([
    ['as it is', secret],
    ['its first half', secret.slice(0, part)],
    ['its last half', secret.slice(-part)],
  ]);
  const all = new Map<string, string>();
  for (const [what, text] of whole) {
    for (const [how, spelling] of spelled(text)) all.set(`${what}, ${how}`, spelling);
  }
  return all;
}

function spelled(text: string): readonly (readonly [string, string])[] {
  const bytes = Buffer.from(text);
  const base64 = [0, 1, 2].map((shift) => {
    const moved = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    return moved.slice(shift === 0 ? 0 : 4, -4); // what its neighbours do not change
  });
  const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return [
    ['plain', text],
    ['backwards', text.split('').toReversed().join('')],
    ['in JSON', JSON.stringify(text).slice(1, -1)],
    ['in JSON twice', JSON.stringify(JSON.stringify(text)).slice(3, -3)],
    ['in an address', encodeURIComponent(text)],
    ['in a form', new URLSearchParams({ a: text }).toString().slice(2)],
    ['in HTML', html],
    ['in HTML with quotes', html.replaceAll('"', '&quot;').replaceAll("'", '&#39;')],
    ['in hex', bytes.toString('hex')],
    ['in HEX', bytes.toString('hex').toUpperCase()],
    ['in UTF-16', Buffer.from(text, 'utf16le').toString('latin1')],
    ...base64.map((moved, shift) => [`in base64 + ${shift}`, moved] as const),
    ...base64.map((moved, shift) => [`in base64url + ${shift}`, urlSafe(moved)] as const),
  ];
}

function urlSafe(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}

/** Texts to look through, by where each is. */
export type Written = ReadonlyMap<string, string>;

/** Every file under a folder, byte for byte; what is packed is unpacked besides. */
export function writtenUnder(folder: string): Written {
  const written = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    written.set(`the name ${path}`, path);
    if (entry.isDirectory() && existsSync(join(path, 'objects', 'pack')))
      written.set(`the objects of ${path}`, objectsOf(path));
    if (!entry.isFile()) continue;
    const bytes = readFileSync(path);
    written.set(path, bytes.toString('latin1'));
    if (path.endsWith('.gz'))
      written.set(`${path}, unpacked`, gunzipSync(bytes).toString('latin1'));
  }
  return written;
}

/** What a repository keeps packed. */
function objectsOf(repository: string): string {
  const words = ['cat-file', '--batch-all-objects', '--batch'];
  const options = { cwd: repository, maxBuffer: 64 * 1024 * 1024 };
  return execFileSync('git', words, options).toString('latin1');
}

const charactersAtOnce = 4_000_000;

/**
 * Where a secret is, and how it is spelled there. Compiled code is many megabytes: what runs beside the
 * search, such as an exchange that a process waits for, gets its turns.
 */
export async function findings(
  written: Written,
  secrets: Readonly<Record<string, string>>,
  signatures: readonly string[],
): Promise<readonly string[]> {
  const sought = [
    ...Object.entries(secrets).flatMap(([name, secret]) =>
      [...spellingsOf(secret)].map(([how, text]) => [`${name}, ${how}`, text] as const),
    ),
    ...signatures.flatMap((signature, place) => [
      [`signature ${place}`, signature.slice(0, part)] as const,
      [`signature ${place}, in an address`, encodeURIComponent(signature.slice(0, part))] as const,
      [
        `signature ${place}, in hex`,
        Buffer.from(signature.slice(0, part)).toString('hex'),
      ] as const,
    ]),
  ];
  const found: string[] = [];
  let searched = 0;
  for (const [where, text] of written) {
    for (const [what, spelling] of sought) {
      if (text.includes(spelling)) found.push(`${where}: ${what}`);
      searched += text.length;
      if (searched < charactersAtOnce) continue;
      await setImmediate();
      searched = 0;
    }
  }
  return found;
}
