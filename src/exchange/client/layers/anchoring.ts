/** Updates the anchor from every response. */
import { classOf } from '../../api/errors.ts';
import type { Anchor } from '../anchor.ts';
import type { Layer } from './layer.ts';

export function anchoring(anchor: Anchor): Layer {
  return (next) => async (attempt) => {
    const answer = await next(attempt);
    if (answer.content.kind === 'envelope') {
      const { code, requestTime } = answer.content.envelope;
      if (requestTime !== undefined) anchor.learn(requestTime, answer, classOf(code) === 'clock');
    }
    return answer;
  };
}
