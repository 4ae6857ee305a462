/** The panel of a run's outputs. */
import { outputFacts } from '../blocks/outputs.ts';
import type { Summary } from '../summary.ts';
import { definitions, panel } from './draw.ts';
import type { Html } from './html.ts';

export function outputsPanel(summary: Summary): Html | '' {
  const facts = outputFacts(summary);
  return facts.length === 0 ? '' : panel('outputs', 'Outputs', definitions(facts));
}
