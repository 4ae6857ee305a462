/** `--log-format json`: every line of stderr is one JSON object, as docs/monitoring.md describes. */
import type { Clock } from '../../base/clock.ts';
import { redactJson, redactor, type Secret } from '../../base/secret.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { accountField } from '../../report/accounts.ts';
import { ActionAccounts } from '../../report/action-accounts.ts';
import { stepOf } from '../../report/step-of.ts';
import { logLevels, type LogLevel } from '../context.ts';
import { runLines } from '../../report/terminal/run-lines.ts';
import type { Screen } from './screen.ts';
import type { LogChannel, LogFields } from './log-channel.ts';
import type { Channel, Terminal } from '../../report/terminal/terminal.ts';

export interface LogOptions {
  readonly clock: Clock;
  /** The least level of records that are written. */
  readonly level: LogLevel;
  /** Secrets that are masked in every record; the list may grow. */
  readonly secrets: readonly Secret[];
}

/**
 * A terminal whose stderr is a log. Questions are not asked, because a question is not a record.
 */
export function loggingTerminal(terminal: Terminal, options: LogOptions): Terminal {
  return {
    out: terminal.out,
    err: logOver(terminal.err, options, {}),
    canAsk: false,
    get input() {
      return terminal.input;
    },
    env: terminal.env,
  };
}

function logOver(under: Channel, options: LogOptions, fields: LogFields): LogChannel {
  const { clock, level: least, secrets } = options;
  const mask = growingRedactor(secrets);
  const log: LogChannel['log'] = (level, msg, own = {}, time = clock.now()) => {
    if (logLevels.indexOf(level) > logLevels.indexOf(least)) return;
    const record = { time: new Date(time).toISOString(), level, msg, ...fields, ...own };
    under.json(redactJson(record, mask()));
  };
  const line = (text = ''): void => {
    const msg = text.trim();
    if (msg !== '') log(levelOf(msg), msg);
  };
  const theme = { ...under.theme, isTerminal: false, isLive: false, hasColour: false };
  return {
    theme: { ...theme, paint: (_tone, text) => text },
    log,
    with: (more, own = secrets) =>
      logOver(under, { ...options, secrets: own }, { ...fields, ...more }),
    line,
    write: line,
    json: (value) => log('info', JSON.stringify(value)),
    command: () => undefined, // annotations are for text
  };
}

/**
 * A function that masks secrets. Its creation takes time, so it is created again only when there
 * are more secrets.
 */
function growingRedactor(secrets: readonly Secret[]): () => (text: string) => string {
  let known = secrets.length;
  let redact = redactor(secrets);
  return () => {
    if (secrets.length !== known) redact = redactor(secrets);
    known = secrets.length;
    return redact;
  };
}

function levelOf(msg: string): LogLevel {
  if (/^error\b/.test(msg)) return 'error';
  return /^(?:warning\b|! )/.test(msg) ? 'warn' : 'info';
}

/** A run in progress: a record for each change that the text lines show, too. */
export function logScreen(log: LogChannel): Screen {
  const lines = runLines({ isVerbose: true, hasEnd: true });
  const steps = new Set<string>();
  const accounts = new ActionAccounts();
  let own = log;
  const know = (entry: Entry): void => {
    accounts.add(entry);
    if (entry.kind === 'opened') steps.add(entry.step);
    if (entry.kind !== 'started') return;
    own = log.with({ run: entry.run, account: entry.destination.profile });
  };
  return {
    recall: (entries) => {
      for (const entry of entries) {
        know(entry);
        lines.recall(entry);
      }
    },
    show: (entry) => {
      know(entry);
      for (const line of lines.add(entry)) {
        const msg = line.slice(timeWidth).replaceAll(/ {2,}/g, ' ').trim();
        const fields = { ...fieldsOf(entry, steps), ...accountField(accounts.named(entry)) };
        own.log(levelOfEntry(entry), msg, fields, entry.at);
      }
    },
    close: () => Promise.resolve(),
  };
}

const timeWidth = 'HH:MM:SS '.length;

function fieldsOf(entry: Entry, steps: ReadonlySet<string>): LogFields {
  const address = 'address' in entry ? entry.address : undefined;
  const step =
    'step' in entry
      ? entry.step
      : address === undefined
        ? undefined
        : stepOf(address, (id) => steps.has(id));
  return {
    event: entry.kind,
    step,
    address,
    operation: 'operation' in entry ? entry.operation : undefined,
  };
}

function levelOfEntry(entry: Entry): LogLevel {
  switch (entry.kind) {
    case 'intended':
    case 'answered':
      return 'debug';
    case 'closed':
    case 'finished':
      return levels[entry.status];
    case 'settled':
      return levels[entry.outcome.kind];
    case 'unmet':
      return entry.level;
    case 'taken-over':
    case 'clock-outlier':
      return 'warn';
    default:
      return 'info';
  }
}

const levels = {
  done: 'info',
  skipped: 'info',
  interrupted: 'warn',
  stopped: 'error',
  refused: 'error',
  failed: 'error',
  doubt: 'error',
} as const;
