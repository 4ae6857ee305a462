/** The panel of a run's outputs. */
import { plainText } from '../../base/text.ts';
import type { Fact } from '../blocks/block.ts';
import { outputWords } from '../outputs.ts';
import type { Summary } from '../summary.ts';
import { definitions, panel } from './draw.ts';
import type { Html } from './html.ts';

const shownMax = 200; // the journal has them all

export function outputsPanel({ outputs }: Summary): Html | '' {
  if (outputs.length === 0) return '';
  const facts = outputs
    .slice(0, shownMax)
    .map((line): Fact => [plainText(line.name, 160), { code: outputWords(line, 1_000) }]);
  return panel('outputs', 'Outputs', definitions(facts));
}
