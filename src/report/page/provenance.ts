/** The provenance of the page: digests, programs, the journal, the playbook, the machine-readable form. */
import { showCommand } from '../blocks/block.ts';
import { guardBlock } from '../blocks/guards.ts';
import { provenanceFacts, type Printing } from '../blocks/provenance.ts';
import type { Story } from '../story.ts';
import type { Summary } from '../summary.ts';
import { definitions, folded, panel, table } from './draw.ts';
import { html, newline, type Html } from './html.ts';

export function provenance(story: Story, summary: Summary, printing: Printing): Html {
  const facts = definitions(provenanceFacts(story, summary, printing));
  const guards = guardBlock(summary.guards);
  return html`${guards && panel('guards', 'Guards', table(guards))}
  ${panel('from', 'Provenance', facts)}
  ${playbookPanel(story.started.playbook.text)}${machinePanel(summary)}`;
}

function playbookPanel(text: string): Html {
  const lines = text.replace(/\n$/, '').split(/\r?\n/);
  const width = String(lines.length).length;
  const numbered = lines.map(
    (line, index) =>
      html`<span class="no">${String(index + 1).padStart(width)}</span> ${line}${newline}`,
  );
  const title = html`Playbook as it was run <small>${lines.length} lines</small>`;
  return folded(title, html`<pre class="code" tabindex="0">${numbered}</pre>`);
}

const machineMax = 512 * 1024; // characters; above it the long lists are omitted

function machinePanel(summary: Summary): Html {
  const whole = JSON.stringify({ version: 1, summary }, undefined, 1);
  const isShort = whole.length > machineMax;
  const text = isShort
    ? JSON.stringify({ version: 1, summary: shortOf(summary) }, undefined, 1)
    : whole;
  const lines = text.split('\n').map((line) => html`${line}${newline}`);
  const command = html`; without orders and steps: <code>${showCommand(summary.run)}</code>`;
  const title = html`JSON form <small>JSON${isShort ? command : undefined}</small>`;
  return folded(title, html`<pre class="code" tabindex="0" id="machine">${lines}</pre>`);
}

/** The summary without its items, so that its size does not depend on their number. */
function shortOf(summary: Summary): Partial<Summary> {
  const { orders: _orders, steps: _steps, refused, inDoubt, ...short } = summary;
  return { ...short, refused: refused.slice(0, listMax), inDoubt: inDoubt.slice(0, listMax) };
}

const listMax = 100; // refusals and writes in doubt
