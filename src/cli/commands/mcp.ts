/** `mcp`: a Model Context Protocol server for agents, which reads and never writes on the exchange. */
import process from 'node:process';
import { exits, type ExitCode } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import { profileNamed } from '../../app/config/load.ts';
import { outputOf, type Args, type Context } from '../context.ts';
import { openToolContext } from '../../agents/mcp/tool-context.ts';
import { builtReference } from '../../agents/mcp/reference.ts';
import { tools } from '../../agents/mcp/tools/index.ts';
import { configToRead } from '../../app/config/opened.ts';
import { interruption } from '../../app/machine/interrupt.ts';
import { ownProgram } from '../../app/machine/own-program.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  outputOf(context, ['text']);
  const { terminal, globals } = context;
  const { config, profile, store } = globals;
  if (profile !== undefined) profileNamed(await configToRead(context), profile);
  const desk = await openToolContext({
    context,
    isOffline: args.isOn('offline'),
    program: ownProgram(terminal.env),
    folder: process.cwd(),
    choices: {
      ...(config !== undefined && { config }),
      ...(profile !== undefined && { profile }),
      ...(store !== undefined && { store }),
    },
  });
  const pages = await builtReference();
  const { serve } = await import('../../agents/mcp/server.ts');
  const stopping = interruption(context, 'stopping');
  try {
    await serve({
      desk,
      tools,
      pages,
      stdin: process.stdin,
      stdout: process.stdout,
      stop: stopping.drain,
      onError: ({ message }) => terminal.err.line(`mcp: ${plainText(message)}`),
    });
  } finally {
    stopping.close();
  }
  return stopping.exit() ?? exits.done;
}
