/** `sandbox start`: the exchange as a server on this machine, until it is told to stop. */
import { unlink } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { makeFolders } from '../../base/folder.ts';
import { readableJson } from '../../base/json.ts';
import { sandboxFile } from '../../config/session.ts';
import { makeFolder, replaceFile } from '../../journal/file.ts';
import { openSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/sandbox.ts';
import { startServer, type RunningServer } from '../../sandbox/server.ts';
import { outputOf, type Context, type Given } from '../context.ts';
import { configOf } from '../running/work.ts';
import { inWords, runningFile } from '../sandbox/control.ts';
import { scenarioGiven } from '../sandbox/scenario.ts';
import { badge } from '../screens/badge.ts';
import { columns } from '../screens/columns.ts';
import type { Terminal } from '../screens/terminal.ts';

const usualPort = 8788;

export async function run(context: Context, given: Given): Promise<ExitCode> {
  const { terminal } = context;
  const format = outputOf(context, ['text', 'json']);
  const { stateDir } = await configOf(context);
  const seed = given.text('seed');
  const sandbox = await openSandbox({
    clock: context.clock,
    ...timeOf(given.text('clock') ?? 'real'),
    ...(seed !== undefined && { seed: numberIn(seed, '--seed') }),
    ...stateOf(given, stateDir),
  });
  const scenario = given.text('scenario');
  if (scenario !== undefined) {
    const fields = await scenarioGiven(scenario, context);
    inWords(() => sandbox.control('POST', 'scenario', fields));
  }
  const server = await startServer(sandbox, {
    port: numberIn(given.text('port') ?? String(usualPort), '--port'),
  });
  const facts = readyFacts(sandbox, server);
  const note = runningFile(stateDir);
  const stop = told(); // before anyone can know that it runs
  try {
    await makeFolder(stateDir);
    await replaceFile(note, `${JSON.stringify({ controlUrl: server.controlUrl })}\n`);
    const ready = given.text('ready-file');
    if (ready !== undefined) {
      await makeFolders(dirname(ready));
      await replaceFile(ready, readableJson(facts));
    }
    if (format === 'json') terminal.out.line(JSON.stringify(facts));
    else greet(facts, terminal);
    await stop;
  } finally {
    await server.close();
    await sandbox.close();
    await unlink(note).catch(() => undefined); // another start may have taken its place
  }
  return exits.done;
}

/** `real`, `fixed`, or `60x` for a minute each second. */
function timeOf(text: string): Pick<SandboxOptions, 'time' | 'speed'> {
  if (text === 'real') return { time: text };
  if (text === 'fixed') return { time: 'frozen' };
  const [, speed] = /^(\d{1,5})x$/.exec(text) ?? [];
  if (speed !== undefined && Number(speed) > 0)
    return { time: 'accelerated', speed: Number(speed) };
  throw new UsageError(
    `--clock ${JSON.stringify(text)} is no clock`,
    'write real, fixed, or 60x for sixty times as fast',
  );
}

/** `--state FILE`, or with `--keep` the world that commands without a server use, too. */
function stateOf(given: Given, stateDir: string): Pick<SandboxOptions, 'stateFile'> {
  const file = given.text('state');
  if (file === undefined) return given.isOn('keep') ? { stateFile: sandboxFile(stateDir) } : {};
  if (given.isOn('keep')) throw new UsageError('--state and --keep name two worlds', 'give one');
  return { stateFile: resolve(file) };
}

function numberIn(text: string, flag: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`${flag} is a whole number, not ${JSON.stringify(text)}`);
}

interface Ready {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly accounts: Readonly<Record<string, AccountFacts>>;
}

interface AccountFacts {
  readonly uid: string;
  readonly apiKey: string;
  readonly secretKey: string;
  readonly passphrase: string;
}

/** Keys of the sandbox open nothing but the sandbox: they are written out. */
function readyFacts({ accounts }: Sandbox, { baseUrl, controlUrl }: RunningServer): Ready {
  const shown = Object.entries(accounts).map(([name, { uid, apiKey, secretKey, passphrase }]) => [
    name,
    {
      uid,
      apiKey: apiKey.reveal(),
      secretKey: secretKey.reveal(),
      passphrase: passphrase.reveal(),
    },
  ]);
  return { baseUrl, controlUrl, accounts: Object.fromEntries(shown) };
}

function greet({ baseUrl, accounts }: Ready, { out }: Terminal): void {
  const { look } = out;
  out.line(`${badge('sandbox', look)} listening on ${look.paint('strong', baseUrl)}`);
  out.line();
  const rows = Object.entries(accounts).map(([name, { uid, apiKey, secretKey, passphrase }]) => [
    name,
    uid,
    apiKey,
    secretKey,
    passphrase,
  ]);
  const head = ['account', 'uid', 'key', 'secret', 'passphrase'].map((text) =>
    look.paint('faint', text),
  );
  for (const line of columns([head, ...rows], { ...look, columns: Infinity }, { indent: 2 }))
    out.line(line);
  const { hedge } = accounts;
  if (hedge === undefined) return;
  out.line();
  out.line('To use it from another terminal:');
  for (const line of [
    `export DESKHAND_BASE_URL=${baseUrl}`,
    `export DESKHAND_API_KEY=${hedge.apiKey} DESKHAND_API_SECRET=${hedge.secretKey} DESKHAND_API_PASSPHRASE=${hedge.passphrase}`,
  ]) {
    out.line(`  ${look.paint('command', line)}`);
  }
}

function told(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => resolve());
    }
  });
}
