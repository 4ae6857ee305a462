/** `sandbox start`: runs the exchange as a server on this machine until it is stopped. */
import { unlink } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { stopSignals } from '../../base/platform/system.ts';
import { makeFolders } from '../../base/folder.ts';
import { readableJson } from '../../base/json.ts';
import { sandboxFile } from '../../app/config/opened-profile.ts';
import { makeFolder, replaceFile, replaceOwnFile } from '../../engine/journal/file.ts';
import { foreignAt } from '../../sandbox/persistence/world-file.ts';
import { openSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/sandbox.ts';
import { startServer, type RunningServer } from '../../sandbox/server.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { readyFile } from '../args/own-files.ts';
import { configOf } from '../../app/config/opened.ts';
import type { SandboxStartOutput } from '../../app/documents/exchange.ts';
import { inWords, runningFile, type RunningNote } from '../../app/config/sandboxes.ts';
import { scenarioFrom } from '../sandbox/scenario.ts';
import { badge } from '../../report/terminal/badge.ts';
import { columns } from '../../report/terminal/columns.ts';
import type { Terminal } from '../../report/terminal/terminal.ts';

const usualPort = 8788;

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { terminal } = context;
  const format = outputOf(context, ['text', 'json']);
  const { stateDir } = await configOf(context);
  const seed = args.text('seed');
  const sandbox = await openSandbox({
    clock: context.clock,
    ...timeOf(args.text('clock') ?? 'real'),
    ...(seed !== undefined && { seed: numberIn(seed, '--seed') }),
    ...stateOf(args, stateDir),
  });
  const scenario = args.text('scenario');
  if (scenario !== undefined) {
    const fields = await scenarioFrom(scenario, context);
    inWords(() => sandbox.control('POST', 'scenario', fields));
  }
  const server = await startServer(sandbox, {
    port: numberIn(args.text('port') ?? String(usualPort), '--port'),
  });
  const facts = readyFacts(sandbox, server);
  const note = runningFile(stateDir);
  const running: RunningNote = { controlUrl: server.controlUrl, isKept: args.isOn('keep') };
  const stop = stopSignal(); // before its address is published
  try {
    await makeFolder(stateDir);
    await replaceFile(note, `${JSON.stringify(running)}\n`);
    const ready = args.text('ready-file');
    if (ready !== undefined) {
      await makeFolders(dirname(ready));
      await replaceOwnFile(ready, readableJson(facts), readyFile, 0o600);
    }
    if (format === 'json') terminal.out.json(facts);
    else greet(facts, terminal);
    await stop;
  } finally {
    await server.close();
    await sandbox.close();
    await unlink(note).catch(() => undefined); // another process may have replaced it
  }
  return exits.done;
}

/** The time mode of a flag: `real`, `fixed`, or `60x` for a minute each second. */
function timeOf(text: string): Pick<SandboxOptions, 'time' | 'speed'> {
  if (text === 'real') return { time: text };
  if (text === 'fixed') return { time: 'frozen' };
  const [, speed] = /^(\d{1,5})x$/.exec(text) ?? [];
  if (speed !== undefined && Number(speed) > 0)
    return { time: 'accelerated', speed: Number(speed) };
  throw new UsageError(
    `--clock ${JSON.stringify(text)} is not a clock`,
    'write real, fixed, or 60x for sixty times as fast',
  );
}

/**
 * The world's file: that of `--state FILE`, or with `--keep` the one that commands without a server
 * use, too.
 */
function stateOf(args: Args, stateDir: string): Pick<SandboxOptions, 'stateFile'> {
  const file = args.text('state');
  if (file === undefined) return args.isOn('keep') ? { stateFile: sandboxFile(stateDir) } : {};
  if (args.isOn('keep')) throw new UsageError('--state and --keep cannot be combined', 'give one');
  const stateFile = resolve(file);
  const because = foreignAt(stateFile);
  if (because === undefined) return { stateFile };
  throw new UsageError(
    `--state ${file} is not a place for a sandbox: ${because}`,
    'name a new file, or the world of an earlier start; nothing was changed',
  );
}

function numberIn(text: string, flag: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`${flag} is a whole number, not ${JSON.stringify(text)}`);
}

/** The facts that are printed, including the keys: those of the sandbox are not secret. */
function readyFacts(
  { accounts }: Sandbox,
  { baseUrl, controlUrl }: RunningServer,
): SandboxStartOutput {
  const shown = Object.entries(accounts).map(([name, { uid, apiKey, secretKey, passphrase }]) => [
    name,
    {
      uid,
      apiKey: apiKey.reveal(),
      secretKey: secretKey.reveal(),
      passphrase: passphrase.reveal(),
    },
  ]);
  return { version: 1, baseUrl, controlUrl, accounts: Object.fromEntries(shown) };
}

function greet({ baseUrl, accounts }: SandboxStartOutput, { out }: Terminal): void {
  const { theme } = out;
  out.line(`${badge('sandbox', theme)} listening on ${theme.paint('strong', baseUrl)}`);
  out.line();
  const rows = Object.entries(accounts).map(([name, { uid, apiKey, secretKey, passphrase }]) => [
    name,
    uid,
    apiKey,
    secretKey,
    passphrase,
  ]);
  const head = ['account', 'uid', 'key', 'secret', 'passphrase'].map((text) =>
    theme.paint('faint', text),
  );
  for (const line of columns([head, ...rows], { ...theme, columns: Infinity }, { indent: 2 }))
    out.line(line);
  const { hedge } = accounts;
  if (hedge === undefined) return;
  out.line();
  out.line('To use it from another terminal:');
  for (const line of [
    `export DESKHAND_BASE_URL=${baseUrl}`,
    `export DESKHAND_API_KEY=${hedge.apiKey} DESKHAND_API_SECRET=${hedge.secretKey} DESKHAND_API_PASSPHRASE=${hedge.passphrase}`,
  ]) {
    out.line(`  ${theme.paint('command', line)}`);
  }
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of stopSignals()) {
      process.once(signal, () => resolve());
    }
  });
}
