/** A request from Node's parser, with only the headers that are needed. */
import { IncomingMessage, type IncomingHttpHeaders } from 'node:http';

/**
 * A request that reads only known headers, in one pass. Node converts every header of every
 * request, because it reads one of them itself; that takes a twentieth of the time of a signed
 * order.
 */
export class Request extends IncomingMessage {
  private known: IncomingHttpHeaders | undefined;

  static {
    Object.defineProperty(Request.prototype, 'headers', {
      get(this: Request): IncomingHttpHeaders {
        return (this.known ??= headersOf(this.rawHeaders));
      },
    });
  }
}

/**
 * Names of the headers read by the door, the gateway and the control interface; the last two are
 * read by Node.
 */
const names = [
  'host',
  'content-type',
  'content-length',
  'authorization',
  'origin',
  'transfer-encoding',
  'content-encoding',
  'access-key',
  'access-sign',
  'access-timestamp',
  'access-passphrase',
  'paptrading',
  'expect',
  'te',
] as const;

/**
 * The number of leading names whose first value counts if they are sent twice; the others join all
 * values into one list.
 */
const single = 4;

function headersOf(sent: readonly string[]): IncomingHttpHeaders {
  const values: (string | undefined)[] = names.map(() => undefined);
  for (let at = 0; at + 1 < sent.length; at += 2) {
    const place = placeOf(sent[at] ?? '');
    if (place === undefined) continue;
    const value = sent[at + 1];
    const earlier = values[place];
    if (earlier === undefined) values[place] = value;
    else if (place >= single) values[place] = `${earlier}, ${value}`;
  }
  const [host, type, length, authorization, origin, transfer, content, ...others] = values;
  const [key, sign, timestamp, passphrase, paptrading, expect, te] = others;
  return {
    host,
    'content-type': type,
    'content-length': length,
    authorization,
    origin,
    'transfer-encoding': transfer,
    'content-encoding': content,
    'access-key': key,
    'access-sign': sign,
    'access-timestamp': timestamp,
    'access-passphrase': passphrase,
    paptrading,
    expect,
    te,
  };
}

interface Spelling {
  readonly text: string;
  readonly place: number;
}

/**
 * Upper and lower case spellings of header names, by length: most names are found with one or two
 * comparisons.
 */
const spellings: readonly (readonly Spelling[])[] = Array.from({ length: 20 }, (_, length) =>
  names.flatMap((name, place) =>
    name.length === length
      ? [
          { text: name, place },
          { text: name.toUpperCase(), place },
        ]
      : [],
  ),
);

function placeOf(name: string): number | undefined {
  const alike = spellings[name.length];
  if (alike === undefined || alike.length === 0) return undefined;
  for (const { text, place } of alike) if (text === name) return place;
  const small = name.toLowerCase();
  for (const { text, place } of alike) if (text === small) return place;
  return undefined;
}
