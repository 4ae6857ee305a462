/** The signed answers of people that a step of a run recorded. */
import type { Millis } from '../../base/clock.ts';
import { isRecord, type Json } from '../../base/json.ts';

/** A person's signed answer. */
export interface Answer {
  readonly who: string;
  /** Fingerprint of the key. */
  readonly key: string;
  readonly at: Millis;
  /** The signed text with its signature, so that another machine can check it again. */
  readonly text: string;
  readonly comment?: string;
}

/** The recorded answers of a question that was approved. */
export function answersIn(output: Json): readonly Answer[] {
  const found: unknown = isRecord(output) ? output['answers'] : undefined;
  return Array.isArray(found) ? found.filter(isAnswer) : [];
}

function isAnswer(value: unknown): value is Answer {
  return (
    isRecord(value) &&
    ['who', 'key', 'text'].every((field) => typeof value[field] === 'string') &&
    typeof value['at'] === 'number'
  );
}
