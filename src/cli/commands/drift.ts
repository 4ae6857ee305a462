/** `drift`: what the ledger says beside what the exchange shows now; it only reads. */
import { exits, type ExitCode } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { count, plainText } from '../../base/text.ts';
import type { Config } from '../../config/load.ts';
import { accountOf } from '../../journal/account.ts';
import { everyRun, readRun, type RunHeader } from '../../journal/runs.ts';
import { writesIn, type RecordedWrite } from '../../journal/writes.ts';
import { driftOf, isDifference, type DriftLine } from '../../plan/drift.ts';
import { observerOf } from '../../plan/observe.ts';
import { driftMarkdown, type Drift } from '../../report/markdown/drift.ts';
import { outputOf, type Context, type Given } from '../context.ts';
import { playbooksHere } from '../given/files.ts';
import { loadGiven } from '../given/playbooks.ts';
import { appendToPage, writeJson } from '../running/papers.ts';
import { stoppable } from '../running/perform.ts';
import { syncState } from '../running/state.ts';
import { configOf, openWork, profileOf } from '../running/work.ts';
import { badge } from '../screens/badge.ts';
import { columns } from '../screens/columns.ts';
import type { Look } from '../screens/look.ts';

export async function run(context: Context, given: Given): Promise<ExitCode> {
  const { out } = context.terminal;
  const format = outputOf(context, ['text', 'json', 'markdown']);
  const config = await configOf(context);
  const files = given.words.length > 0 ? given.words : await playbooksHere();
  const drifts = await stoppable(context, async ({ drain }) => {
    const found: Drift[] = [];
    for (const file of files) found.push(await driftOfFile(file, config, drain, context));
    return found;
  });
  const isSame = drifts.every(({ lines }) => !lines.some(isDifference));
  const exit = isSame ? exits.done : exits.changes;
  const data = { version: 1, isSame, playbooks: drifts, exit };
  await writeJson(data, context);
  await appendToPage(drifts.map(driftMarkdown).join('\n'), context);
  switch (format) {
    case 'json':
      out.line(JSON.stringify(data));
      break;
    case 'markdown':
      out.line(drifts.map(driftMarkdown).join('\n').trimEnd());
      break;
    case 'text':
      for (const drift of drifts) out.line(textOf(drift, out.look).join('\n'));
  }
  return exit;
}

async function driftOfFile(
  file: string,
  config: Config,
  signal: AbortSignal,
  context: Context,
): Promise<Drift> {
  const playbook = await loadGiven(file, context);
  const profile = profileOf(context, config, playbook.account);
  const session = await openWork(context, config, profile, { needsKey: true });
  try {
    const { stateDir } = config;
    const { destination, exchange } = session;
    await syncState(config, context, destination);
    const account = accountOf(destination);
    const all = await everyRun(stateDir);
    const [known, accounts] = [new Set<string>(), new Set<string>()];
    const writes: RecordedWrite[] = [];
    for (const header of all.toReversed()) {
      const entries = await readRun(stateDir, header.run);
      const own = writesIn(header.run, entries);
      for (const { input } of own) known.add(clientOidIn(input));
      if (header.playbook !== playbook.name || accountOf(header.destination) !== account) continue;
      writes.push(...own);
      const [started] = entries;
      if (started?.kind !== 'started') continue;
      for (const other of started.accounts ?? []) accounts.add(other.profile);
    }
    const others = await Promise.all([...accounts].map((name) => session.open(name)));
    const exchanges = [exchange, ...others.map((other) => other.exchange)];
    const lines = await driftOf({
      writes,
      known,
      observers: exchanges.map((one) => observerOf(one, signal)),
      now: await exchange.serverTime(signal),
    });
    const { name } = playbook;
    return { playbook: name, file, destination, lines, elsewhere: elsewhere(all, name, account) };
  } finally {
    await session.close();
  }
}

function clientOidIn(input: RecordedWrite['input']): string {
  const clientOid = isRecord(input) ? input['clientOid'] : undefined;
  return typeof clientOid === 'string' ? clientOid : '';
}

function elsewhere(all: readonly RunHeader[], playbook: string, account: string): number {
  return all.filter((run) => run.playbook === playbook && accountOf(run.destination) !== account)
    .length;
}

const marks: Readonly<Record<DriftLine['kind'], string>> = {
  same: 'as recorded',
  differs: 'differs',
  doubt: 'in doubt',
  unreadable: 'cannot be read back',
  unrecorded: 'not recorded',
};

function textOf(
  { playbook, file, destination, lines, elsewhere: away }: Drift,
  look: Look,
): string[] {
  const { paint } = look;
  const told = lines.filter(({ kind }) => kind !== 'same');
  const same = lines.length - told.length;
  const rows = told.map((line) => [
    paint(toneOf(line), marks[line.kind]),
    plainText(line.address ?? '', 60),
    plainText(line.run ?? '', 40),
    `${plainText(line.recorded, 160)}; now ${plainText(line.shown, 160)}`,
  ]);
  const head = `${badge(destination.target, look)} ${plainText(destination.profile, 60)}  ${paint('strong', plainText(playbook, 60))}  ${plainText(file, 120)}`;
  const differences = lines.filter(isDifference);
  const sums = [
    count(differences.length, 'difference'),
    `${same} as recorded`,
    `${told.length - differences.length} cannot be read back`,
    ...(away === 0 ? [] : [`${count(away, 'run')} on other accounts not looked at`]),
  ];
  return [
    head,
    ...columns(rows, look, { indent: 2 }),
    `  ${sums.join(', ')}`,
    ...nextLines(differences, look),
  ];
}

function toneOf(line: DriftLine): 'bad' | 'doubt' | 'faint' {
  if (line.kind === 'doubt') return 'doubt';
  return isDifference(line) ? 'bad' : 'faint';
}

/** A doubt has a command that settles it. */
function nextLines(differences: readonly DriftLine[], look: Look): string[] {
  const runs = new Set(
    differences.flatMap(({ kind, run: id }) => (kind === 'doubt' && id ? [id] : [])),
  );
  return [...runs].map(
    (id) => `  ${look.paint('command', `deskhand resume ${id}`)}  settles what is in doubt`,
  );
}
