/** The outputs of a run as facts: each name with its value. */
import { plainText } from '../../base/text.ts';
import { outputWords } from '../named-outputs.ts';
import type { Summary } from '../summary.ts';
import type { Fact } from './block.ts';

const shownMax = 200; // the journal has them all

export function outputFacts({ outputs }: Pick<Summary, 'outputs'>): Fact[] {
  return outputs
    .slice(0, shownMax)
    .map((line): Fact => [plainText(line.name, 160), { code: outputWords(line, 1_000) }]);
}
