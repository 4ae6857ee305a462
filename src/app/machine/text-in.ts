/** The text in the bytes of a file. */
import { decodeUtf8, JsonError } from '../../base/json.ts';
import { InvalidError } from '../planning/invalid.ts';

/** Decodes a file as UTF-8. @throws InvalidError for bytes that are not text */
export function textIn(bytes: Uint8Array, path: string): string {
  const name = path === '-' ? 'stdin' : path;
  try {
    const text = decodeUtf8(bytes);
    if (!text.includes('\0')) return text;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new InvalidError(`${name} is not UTF-8 text`);
  }
  throw new InvalidError(`${name} is not text: it has zero bytes`);
}
