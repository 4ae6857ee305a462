/** The sources of a page: every file that was read, its request, and the digests. */
import { addressOf } from '../../engine/plan/addresses.ts';
import { plainText } from '../../base/text.ts';
import { allAccounts } from '../accounts.ts';
import { reusedFilesIn } from '../../engine/journal/reused-files.ts';
import type { Fact } from '../blocks/block.ts';
import { fileTable } from '../blocks/tables.ts';
import { definitions, panel, table } from '../page/draw.ts';
import { html, type Html } from '../page/html.ts';
import type { Story } from '../story.ts';
import { filesOf } from '../file-lines.ts';
import { moment } from '../words.ts';

export function sourcesPanel(story: Story, program: string): Html {
  const { started } = story;
  const { destination, playbook, time, run } = started;
  const files = filesOf(story);
  const facts: Fact[] = [
    [
      'Account',
      `${destination.target}, ${allAccounts(started)}, ${plainText(destination.host, 100)}`,
    ],
    ['As of', `${moment(time)} UTC, by the exchange’s clock`],
    ['Playbook', [plainText(playbook.file, 160), ' ', { code: `sha256 ${playbook.digest}` }]],
    ['Run', [{ code: plainText(run, 60) }, ', kept in its journal']],
    ...reusedFacts(story),
    ['Made by', plainText(program, 80)],
  ];
  const read = files.length === 0 ? undefined : table(fileTable(files, run));
  return panel('from', 'Sources', html`${read} ${definitions(facts)}`);
}

/** The run that did the reused steps and items, and the files that they wrote there. */
function reusedFacts({ started }: Story): readonly Fact[] {
  const { reused } = started;
  if (reused === undefined) return [];
  const items = reused.items ?? [];
  const ids = [
    ...reused.steps.map(({ id }) => id),
    ...items.map(({ step, key }) => addressOf(step, key)),
  ];
  const names = ids.map((id) => plainText(id, 60)).join(', ');
  return [
    ['Reused', [`${names} of `, { code: plainText(reused.run, 60) }]],
    ...reusedFilesIn([started]).map(({ file, sha256 }): Fact => {
      return ['File of it', [plainText(file, 160), ' ', { code: `sha256 ${sha256}` }]];
    }),
  ];
}
