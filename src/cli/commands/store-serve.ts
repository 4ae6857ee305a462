/** `store serve`: executes the calls of a Restate server, until it is stopped. */
import { isIP } from 'node:net';
import { ConfigError, exits, UsageError, type ExitCode } from '../../base/error.ts';
import { isLoopbackName } from '../../base/host.ts';
import { plainText } from '../../base/text.ts';
import { serve } from '../../stores/restate/serve.ts';
import { outputOf, type Args, type Context } from '../context.ts';
import { stoppable } from '../../app/machine/interrupt.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  outputOf(context, ['text']);
  const { err } = context.terminal;
  const address = addressIn('listen', args.text('listen') ?? '127.0.0.1:9080');
  const identityKeys = args.texts('identity-key');
  refuseOpen(address, identityKeys);
  const stream = streamIn(args.text('stream'), address);
  const stopping = 'stopping: calls in progress are executed by another process';
  return stoppable(
    context,
    async (interruption) => {
      const { drain } = interruption;
      const service = await serve({
        ...address,
        stream,
        identityKeys,
        clock: context.clock,
        onProblem: (message) => err.line(plainText(message, 300)),
      }).catch((error: unknown) => {
        throw refusedAddress(error);
      });
      const { shown } = address;
      err.line(`serving at http://${shown}:${service.port}; register it: deskhand store upgrade`);
      if (!drain.aborted) await new Promise((resolve) => drain.addEventListener('abort', resolve));
      await service.close();
      return interruption.exit() ?? exits.done;
    },
    stopping,
  );
}

interface Listening {
  readonly host: string;
  /** The host in the notation of a URL. */
  readonly shown: string;
  readonly port: number;
}

/** Parses an address: `127.0.0.1:9080` or `[::1]:9080`. */
function addressIn(flag: string, text: string): Listening {
  const [, shown = '', port = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  const host = shown.replace(/^\[(.*)\]$/, '$1');
  const isName = isIP(host) === 4 || (isIP(host) === 6 && host !== shown) || host === 'localhost';
  if (isName && Number(port) <= 65_535) return { host, shown, port: Number(port) };
  throw new UsageError(
    `--${flag} ${plainText(JSON.stringify(text), 80)} is not an address`,
    'expected HOST:PORT, such as 127.0.0.1:9080; HOST is an IP address or localhost',
  );
}

/** The address for streams. Machines connect to it, so that it must be one of this machine. */
function streamIn(text: string | undefined, { host }: Listening): Pick<Listening, 'host' | 'port'> {
  const isEvery = (name: string): boolean => ['0.0.0.0', '::'].includes(name);
  if (text === undefined) return { host: isEvery(host) ? '127.0.0.1' : host, port: 0 };
  const stream = addressIn('stream', text);
  if (!isEvery(stream.host)) return stream;
  throw new UsageError(
    `--stream ${plainText(text, 80)} does not say where other machines reach this one`,
    'name an address of this machine, such as 10.0.0.5:9081',
  );
}

/** Refuses an open address without an identity: anyone on the network could change the state. */
function refuseOpen({ shown }: Listening, identityKeys: readonly string[]): void {
  const wrong = identityKeys.find((key) => !/^publickeyv1_[1-9A-HJ-NP-Za-km-z]+$/.test(key));
  if (wrong !== undefined) {
    throw new UsageError(
      '--identity-key is not a public key of Restate',
      'expected publickeyv1_…, which the server prints when it starts',
    );
  }
  if (isLoopbackName(shown) || identityKeys.length > 0) return;
  throw new UsageError(
    `${shown} can be reached by other machines, and any of them could change the state`,
    'name the public key of the Restate server: --identity-key publickeyv1_…',
  );
}

function refusedAddress(error: unknown): unknown {
  const isInUse = error instanceof Error && 'syscall' in error && error.syscall === 'listen';
  return isInUse
    ? new ConfigError(
        `cannot listen: ${plainText(error.message, 200)}`,
        'choose another --listen or --stream',
      )
    : error;
}
