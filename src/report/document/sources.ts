/** The sources of a page: every file that was read, its request, and the digests. */
import { grouped, plainText } from '../../base/text.ts';
import { html, type Html } from '../page/html.ts';
import { fact, type Fact } from '../page/provenance.ts';
import { table, type Column } from '../page/table.ts';
import type { Story } from '../story.ts';
import { filesOf, type FileLine } from '../summary.ts';
import { dayOf, moment, sizeOf } from '../words.ts';

export function sourcesPanel(story: Story, program: string): Html {
  const { started } = story;
  const { destination, playbook, time, run } = started;
  const files = filesOf(story);
  const facts: Fact[] = [
    [
      'Account',
      `${destination.target}, ${plainText(destination.profile, 60)}, ${plainText(destination.host, 100)}`,
    ],
    ['As of', `${moment(time)} UTC, by the exchange’s clock`],
    ['Playbook', html`${plainText(playbook.file, 160)} <code>sha256 ${playbook.digest}</code>`],
    ['Run', html`<code>${plainText(run, 60)}</code>, kept in its journal`],
    ['Made by', plainText(program, 80)],
  ];
  return html`<section class="panel" aria-labelledby="from">
    <h2 id="from">Sources</h2>
    ${files.length === 0 ? undefined : table(columns, files)}
    <dl class="from">${facts.map(fact)}</dl>
  </section>`;
}

const columns: readonly Column<FileLine>[] = [
  { name: 'File', cell: ({ file }) => html`<b>${file}</b>` },
  { name: 'Rows', isNumber: true, cell: ({ rows }) => grouped(String(rows)) },
  { name: 'Size', isNumber: true, cell: ({ bytes }) => sizeOf(bytes) },
  { name: 'Complete', cell: ({ clamped }) => completeness(clamped) },
  { name: 'sha256', cell: ({ sha256 }) => html`<code>${sha256.slice(0, 16)}${'…'}</code>` },
];

function completeness(clamped: FileLine['clamped']): Html {
  if (clamped === undefined) return html`all requested data`;
  return html`from ${dayOf(clamped.from)}: older data is not kept`;
}
