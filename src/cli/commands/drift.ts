/** `drift`: compares the ledger with what the exchange shows now; it only reads. */
import type { Millis } from '../../base/clock.ts';
import { exits, type ExitCode } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { count, plainText, shellWord } from '../../base/text.ts';
import { profileNamed, type Config } from '../../app/config/load.ts';
import { noticeOf } from '../../app/notification/notice.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { writesIn, type RecordedWrite } from '../../engine/journal/writes.ts';
import type { Account } from '../../engine/plan/account.ts';
import {
  driftOf,
  isDifference,
  type DriftLine,
  type ObservedAccount,
} from '../../engine/plan/drift.ts';
import { keepDrifts, type DriftRecord } from '../../engine/plan/drift-record.ts';
import { observerOf } from '../../engine/plan/observe.ts';
import { allAccounts, onAccounts } from '../../report/accounts.ts';
import { driftMarkdown, type Drift } from '../../report/markdown/drift.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { playbooksOf } from '../args/files.ts';
import { loadArguments } from '../args/playbooks.ts';
import { orphansHint, orphansWords } from '../../report/orphans.ts';
import { recordedRuns, type RecordedRun } from '../../app/running/damaged.ts';
import { orphanedNames } from '../session/orphaned.ts';
import { appendToPage, writeJson } from '../session/documents.ts';
import { stoppable } from '../../app/machine/interrupt.ts';
import { syncState } from '../../app/store/state.ts';
import { configOf, profileOf } from '../../app/config/opened.ts';
import { notifyAndWarn } from '../../app/running/notify.ts';
import { openWork } from '../../app/accounts/work.ts';
import type { DriftOutput } from '../../app/documents/run.ts';
import { badge } from '../../report/terminal/badge.ts';
import { columns } from '../../report/terminal/columns.ts';
import type { Theme } from '../../report/terminal/theme.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { out } = context.terminal;
  const format = outputOf(context, ['text', 'json', 'markdown']);
  const config = await configOf(context);
  const { files } = await playbooksOf(args.positionals, context);
  const drifts = await stoppable(context, async ({ drain }) => {
    const found: Drift[] = [];
    for (const file of files) found.push(await driftOfFile(file, config, drain, context));
    return found;
  });
  for (const drift of drifts) await notifyOf(drift, config, context);
  const at = context.clock.now();
  await keepDrifts(
    config.stateDir,
    drifts.map((drift) => recordOf(drift, at)),
  );
  const isSame = drifts.every(({ lines }) => !lines.some(isDifference));
  const isWhole = drifts.every(({ damages }) => damages.length === 0);
  const exit = isWhole ? (isSame ? exits.done : exits.changes) : exits.stopped;
  const data: DriftOutput = { version: 1, isSame, playbooks: drifts, exit };
  await writeJson(data, context);
  await appendToPage(drifts.map(driftMarkdown).join('\n'), context);
  switch (format) {
    case 'json':
      out.json(data);
      break;
    case 'markdown':
      out.line(drifts.map(driftMarkdown).join('\n').trimEnd());
      break;
    case 'text':
      for (const drift of drifts) out.line(textOf(drift, out.theme).join('\n'));
  }
  return exit;
}

function recordOf({ playbook, file, destination, lines }: Drift, at: Millis): DriftRecord {
  const { profile } = destination;
  const differences = lines.filter(isDifference).length;
  return { playbook, file, profile, at, compared: lines.length, differences };
}

async function notifyOf(drift: Drift, config: Config, context: Context): Promise<void> {
  const { playbook, file, destination, lines } = drift;
  const profile = profileNamed(config, destination.profile);
  const differences = lines.filter(isDifference);
  if (differences.length === 0) return;
  const facts = differences.slice(0, notifiedMax).map((line) => {
    const { kind, address, recorded, shown } = line;
    const place = `${plainText(address ?? '', 60)}${onAccounts([line])}`;
    const what = `${place}: ${plainText(recorded, 160)}`;
    return [marks[kind], `${what}; now ${plainText(shown, 160)}`] as const;
  });
  const notice = noticeOf({
    event: 'drift',
    sentence: `${plainText(playbook, 80)} on ${allAccounts(drift)}: ${count(differences.length, 'difference')} between the ledger and the exchange`,
    facts: [['account', profile.name], ...facts],
    command: `deskhand drift ${shellWord(file)}`,
    playbook: plainText(playbook, 80),
    profile: profile.name,
    target: profile.target,
  });
  await notifyAndWarn(notice, profile, context);
}

const notifiedMax = 5; // differences in a notification

async function driftOfFile(
  file: string,
  config: Config,
  signal: AbortSignal,
  context: Context,
): Promise<Drift> {
  const playbook = await loadArguments(file, config, context);
  const profile = profileOf(context, config, playbook.account);
  const session = await openWork(context, config, profile, { needsKey: true });
  try {
    const { stateDir } = config;
    const { destination, exchange } = session;
    await syncState(config, context, destination);
    const book = await session.book();
    const { runs: all, damages } = await recordedRuns(stateDir);
    const isOurs = (run: RecordedRun): boolean =>
      run.destination === undefined || book.standingOf(destination, run.destination) === 'same';
    const [known, accounts] = [new Set<string>(), new Set<string>()];
    const writes: RecordedWrite[] = [];
    const runs: RecordedRun['entries'][] = [];
    for (const { run: id, entries, playbook: name = playbook.name, ...recorded } of all) {
      const own = writesIn(id, entries);
      for (const { input } of own) known.add(clientOidIn(input));
      if (name !== playbook.name || !isOurs({ run: id, entries, ...recorded })) continue;
      const [started] = entries;
      runs.push(entries);
      for (const write of own) {
        const placed = hereOf(write, started);
        writes.push(placed);
        if (placed.account !== undefined) accounts.add(placed.account);
      }
      if (started?.kind !== 'started') continue;
      for (const other of started.accounts ?? []) accounts.add(other.profile);
    }
    accounts.delete(destination.profile);
    const others = await Promise.all([...accounts].map((name) => session.open(name)));
    const now = await exchange.serverTime(signal);
    const places = [destination, ...others.map((other) => other.destination)];
    const looking = { playbook, session, runs, accounts: places, stateDir, now, signal };
    const lines = await driftOf({
      writes,
      known,
      looksEverywhere: damages.length > 0,
      accounts: [observed(session, signal), ...others.map((other) => observed(other, signal))],
      // If a record is damaged, the orders of earlier runs are not known.
      orphaned: damages.length > 0 ? new Set() : await orphanedNames(looking),
      now,
    });
    const { name } = playbook;
    const away = all.filter((run) => run.playbook === name && !isOurs(run)).length;
    const also = others.length > 0 && { accounts: others.map((other) => other.destination) };
    return { playbook: name, file, destination, ...also, lines, elsewhere: away, damages };
  } finally {
    await session.close();
  }
}

/** A write on the account of its run names none: its profile may have another name now. */
function hereOf(write: RecordedWrite, started: Entry | undefined): RecordedWrite {
  const { account, ...own } = write;
  const isOwn = started?.kind === 'started' && account === started.destination.profile;
  return account === undefined || isOwn ? own : write;
}

function observed(
  { destination, exchange }: Pick<Account, 'destination' | 'exchange'>,
  signal: AbortSignal,
): ObservedAccount {
  return { profile: destination.profile, observer: observerOf(exchange, signal) };
}

function clientOidIn(input: RecordedWrite['input']): string {
  const clientOid = isRecord(input) ? input['clientOid'] : undefined;
  return typeof clientOid === 'string' ? clientOid : '';
}

const marks: Readonly<Record<DriftLine['kind'], string>> = {
  same: 'as recorded',
  differs: 'differs',
  doubt: 'in doubt',
  unreadable: 'cannot be read back',
  unrecorded: 'not recorded',
  orphaned: 'orphaned',
};

function textOf(drift: Drift, theme: Theme): string[] {
  const { playbook, file, destination, lines, elsewhere: away, damages } = drift;
  const { paint } = theme;
  const listed = lines.filter(({ kind }) => kind !== 'same');
  const same = lines.filter(({ kind }) => kind === 'same');
  const rows = listed.map((line) => [
    paint(toneOf(line), marks[line.kind]),
    `${plainText(line.address ?? '', 60)}${onAccounts([line])}`.trim(),
    plainText(line.run ?? '', 40),
    `${plainText(line.recorded, 160)}; now ${plainText(line.shown, 160)}`,
  ]);
  const head = `${badge(destination.target, theme)} ${allAccounts(drift)}  ${paint('strong', plainText(playbook, 60))}  ${plainText(file, 120)}`;
  const differences = lines.filter(isDifference);
  const orphaned = lines.filter(({ kind }) => kind === 'orphaned').length;
  const sums = [
    count(differences.length, 'difference'),
    `${same.length} as recorded${onAccounts(same)}`,
    `${listed.length - differences.length} cannot be read back`,
    ...(away === 0 ? [] : [`${count(away, 'run')} on other accounts not checked`]),
  ];
  return [
    head,
    ...columns(rows, theme, { indent: 2 }),
    ...damages.map((damage) => `  ${paint('bad', 'damaged')}  ${plainText(damage)}`),
    `  ${sums.join(drift.accounts === undefined ? ', ' : '; ')}`,
    ...(orphaned === 0 ? [] : [`  ${orphansWords(orphaned)}: ${orphansHint}`]),
    ...nextLines(differences, theme),
  ];
}

function toneOf(line: DriftLine): 'bad' | 'doubt' | 'faint' {
  if (line.kind === 'doubt') return 'doubt';
  return isDifference(line) ? 'bad' : 'faint';
}

/** For a write in doubt: the command that settles it. */
function nextLines(differences: readonly DriftLine[], theme: Theme): string[] {
  const runs = new Set(
    differences.flatMap(({ kind, run: id }) => (kind === 'doubt' && id ? [id] : [])),
  );
  return [...runs].map(
    (id) => `  ${theme.paint('command', `deskhand resume ${shellWord(id)}`)}  settles doubts`,
  );
}
