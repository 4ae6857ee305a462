/** The addresses of a Restate server: which parts are allowed in them, and which may be shown. */
import { ConfigError } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';

export interface Address {
  /** The ingress of each node, in the order of use. */
  readonly nodes: readonly [Node, ...Node[]];
  /** The name of the desk, part of the keys of all objects: desks of one server do not know each other. */
  readonly desk: string;
  /** The text for people: hosts and ports, and the desk. */
  readonly shown: string;
}

export interface Node {
  /** The URL without login. */
  readonly url: URL;
  /** The token that is sent as a bearer token; undefined without one. */
  readonly token: string | undefined;
}

const defaultDesk = 'desk';

function deskIn({ pathname }: URL): readonly string[] {
  const desk = pathname.replace(/^\//, '');
  return desk === '' ? [] : [desk];
}

const example = 'http://HOST:8080, or several of them separated by commas';

/** Parses the addresses. @throws ConfigError, which shows nothing of the address */
export function addressIn(text: string): Address {
  const [first = '', ...others] = text.split(',').map((part) => part.trim());
  const nodes = [nodeIn(first), ...others.map(nodeIn)] as const;
  const [desk = defaultDesk, ...more] = new Set(nodes.flatMap(({ url }) => deskIn(url)));
  if (more.length > 0 || !/^[\w-]{1,40}$/.test(desk)) {
    throw new ConfigError(
      'the path in the address of Restate is not the name of a desk',
      `expected one word of letters, digits, _ and -; default: ${defaultDesk}`,
    );
  }
  const hosts = nodes.map(({ url }) => url.host).join(', ');
  return { nodes, desk, shown: plainText(desk === defaultDesk ? hosts : `${hosts}/${desk}`, 200) };
}

function nodeIn(text: string): Node {
  const plain = text.replace(/^restate:\/\//, 'http://');
  const url = URL.canParse(plain) ? new URL(plain) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === undefined || !isHttp || url.search !== '' || url.hash !== '') {
    throw new ConfigError('the address of Restate is not valid', `expected ${example}`);
  }
  if (url.port === '' && url.protocol === 'http:') url.port = '8080';
  const login = url.password === '' ? url.username : url.password;
  url.username = '';
  url.password = '';
  return { url, token: login === '' ? undefined : decoded(login) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
