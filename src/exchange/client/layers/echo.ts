/** Masks credentials where an answer or an error repeats them: keys, and the signature of the request. */
import { mask, redactor, Secret } from '../../../base/secret.ts';
import { TransportError, type WireRequest, type WireResponse } from '../../api/exchange.ts';

/** Masks the answer to one request. */
export interface EchoMask {
  response(response: WireResponse): WireResponse;
  error(error: TransportError): TransportError;
}

/** @param secrets of the account, which are the same in every request */
export function echoMask(secrets: readonly Secret[]): (request: WireRequest) => EchoMask {
  const known = secrets.map((secret) => secret.reveal()).filter((value) => value.length > 0);
  return ({ headers }) => {
    const signature = headers['ACCESS-SIGN'];
    const marks = signature === undefined ? known : [...known, markOf(signature)];
    const isEcho = (text: string): boolean => marks.some((mark) => text.includes(mark));
    // Made only for an answer that repeats something: nearly none does, and it takes time.
    const mask = (text: string): string => maskOf(secrets, signature)(text);
    return {
      response(response) {
        const { body: bytes, headers: all } = response; // read once: a getter may create it each time
        const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
        const isInBody = marks.some((mark) => body.includes(mark));
        const isInHeaders = Object.values(all).some(isEcho);
        if (!isInBody && !isInHeaders) return response;
        return {
          ...response,
          headers: isInHeaders ? masked(all, mask) : all,
          body: isInBody ? Buffer.from(mask(body.toString('utf8')), 'utf8') : bytes,
        };
      },
      error(error) {
        if (!isEcho(error.message)) return error;
        return new TransportError(mask(error.message), error.sent); // its cause has the same words
      },
    };
  };
}

function masked(
  headers: Readonly<Record<string, string>>,
  mask: (text: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, mask(value)]));
}

function maskOf(
  secrets: readonly Secret[],
  signature: string | undefined,
): (text: string) => string {
  if (signature === undefined) return redactor(secrets);
  const redact = redactor([...secrets, new Secret(signature)]);
  const spelled = spellingsOf(signature);
  return (text) => redact(text).replace(spelled, mask);
}

/**
 * The longest part of a signature without a sign: it is the same in every spelling, so one search finds
 * them all.
 */
function markOf(signature: string): string {
  const parts = signature.split(/[^A-Za-z0-9]+/);
  const longest = parts.reduce((most, part) => (part.length > most.length ? part : most), '');
  return longest.length < markMin ? signature : longest;
}

const markMin = 8; // characters: a shorter part is in other texts by chance

/** The signs of base64 as JSON, addresses and HTML write them, each in its own way. */
function spellingsOf(signature: string): RegExp {
  const source = signature.replace(/[^A-Za-z0-9]/g, (sign) => {
    const code = sign.charCodeAt(0);
    const hex = code.toString(16).padStart(2, '0');
    return `(?:\\\\?\\${sign}|\\\\u00${hex}|%${hex}|&#(?:x${hex}|${code});)`;
  });
  return new RegExp(source, 'gi');
}
