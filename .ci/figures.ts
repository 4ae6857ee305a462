/** Prints bench/README.md from the results in bench/results and the planted defects of test/swarm. */
import { mutants } from '../test/swarm/mutants.ts';
import { areas, plantedDefects, reached, type Area, type Figure, type Job } from './results.ts';
import { page, table } from './markdown.ts';

export function figures(): string {
  const all = areas();
  return page([
    '# Measurements',
    'Most figures are ratios to a limit or a peer in the same run, because absolute times depend on the machine. Anyone can run them. A job links to [what was tried](tried.md) and to earlier figures. The date is that of the commit that recorded the figure, with the load of the machine where it was noted. Rows below a job are its other figures, of the same date unless they have their own.',
    goalsOf(all),
    'This page is printed from `bench/results` by `npm run print`.',
    ...all.flatMap(sectionOf),
    ...plantedSection(),
  ]);
}

/** How many goals are reached, and where the others are. */
function goalsOf(all: readonly Area[]): string {
  const counts = all.map(({ area, jobs }) => {
    const ends = jobs.flatMap((job) => job.figures.flatMap((figure) => reached(figure) ?? []));
    return { area, goals: ends.length, missed: ends.filter((end) => end !== 'yes').length };
  });
  const sum = (of: 'goals' | 'missed'): number =>
    counts.reduce((total, count) => total + count[of], 0);
  const places = counts
    .filter(({ missed }) => missed > 0)
    .map(({ area, missed }) => `${missed} in [${area}](#${anchorOf(area)})`);
  return `Of ${sum('goals')} goals, ${sum('goals') - sum('missed')} are reached. **${sum('missed')} are not, or not always**: ${places.join(', ')}.`;
}

function sectionOf({ area, method, jobs }: Area): string[] {
  const rows = jobs.flatMap(rowsOf);
  // A column that no row of the area fills is left out.
  const columns = head
    .map((_, place) => place)
    .filter((place) => rows.some((row) => row[place] !== ''));
  const kept = (row: readonly string[]): string[] => columns.map((place) => row[place] ?? '');
  return [
    `## ${area}`,
    ...(method === undefined ? [] : [method]),
    table(kept(head), rows.map(kept)),
  ];
}

const head = ['job', 'figure', 'beside', 'measured', 'goal', 'reached', 'date', 'command'];

/** A row for each figure; the first also names the job and its command. */
function rowsOf(job: Job): string[][] {
  return job.figures.map((figure, place) => [
    place === 0 ? titleOf(job) : '',
    figure.what ?? '',
    figure.beside ?? '',
    figure.measured,
    figure.goal ?? '',
    verdictOf(figure),
    place === 0 ? dateOf({ ...job, ...figure }) : dateOf(figure),
    place === 0 ? commandOf(job) : '',
  ]);
}

function titleOf({ job, details }: Job): string {
  return details === undefined ? job : `[${job}](${details})`;
}

function verdictOf(figure: Figure): string {
  const end = reached(figure);
  if (end === undefined || end === 'yes') return end ?? '';
  return `**${end}**`;
}

/** Of a figure only where they differ from those of its job. */
function dateOf({ date, conditions }: Pick<Figure, 'date' | 'conditions'>): string {
  return [date, conditions].filter((part) => part !== undefined).join(', ');
}

function commandOf({ command, needs, takes }: Job): string {
  const notes = [...(needs === undefined ? [] : [`needs ${needs}`]), ...(takes ? [takes] : [])];
  return `\`${command}\`${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`;
}

function plantedSection(): string[] {
  const { area, date, seeds } = plantedDefects();
  return [
    `## ${area}`,
    `\`npx tsx bench/swarm.ts --seeds 1500 --mutants\` plants each of these ${mutants.length} defects in our sources, one at a time. It must be found by the random simulation (the swarm; numbers of seeds of ${date}), or by the named test, which must then fail. \`--mutants "NAME"\` plants one defect. \`test/swarm/swarm.test.ts\` checks that each defect still applies to the sources, and \`test/proofs.test.ts\` checks this table.`,
    table(
      ['defect', 'found by'],
      mutants.map(({ name, test }) => [
        name,
        test === undefined ? `the swarm, within ${seeds[name]} seeds` : `\`${test}\``,
      ]),
    ),
  ];
}

function anchorOf(heading: string): string {
  return heading.toLowerCase().replaceAll(' ', '-');
}
