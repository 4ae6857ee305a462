/** The body of a request: JSON of limited size. */
import { messageOf } from '../../base/error.ts';
import { JsonError, parseJson } from '../../base/json.ts';
import { Refusal } from './failure.ts';

const bodyMax = 64 * 1024; // bytes; our requests have a few hundred

/** The parsed body of a request. @throws Refusal unless it is JSON without duplicate keys */
export async function bodyOf(request: Request): Promise<unknown> {
  const [type = ''] = request.headers.get('content-type')?.split(';') ?? [];
  if (type.trim().toLowerCase() !== 'application/json') {
    throw new Refusal(415, 'usage', 'the body is not JSON');
  }
  const text = await limited(request);
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) throw new Refusal(400, 'usage', `the body: ${error.message}`);
    throw error;
  }
}

/** The body, read no further than its limit. */
async function limited(request: Request): Promise<string> {
  const tooLarge = new Refusal(413, 'usage', `the body exceeds ${bodyMax} bytes`);
  if (Number(request.headers.get('content-length') ?? 0) > bodyMax) throw tooLarge;
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.length;
      if (size > bodyMax) throw tooLarge;
      text += decoder.decode(chunk, { stream: true });
    }
  } catch (error) {
    if (error === tooLarge) throw error;
    throw new Refusal(400, 'usage', `the body ended early: ${messageOf(error)}`); // of the client
  }
  return text + decoder.decode();
}
