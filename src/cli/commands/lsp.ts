/** `lsp`: a language server for editors, over standard input and output. */
import { once } from 'node:events';
import process from 'node:process';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { exits, type ExitCode } from '../../base/error.ts';
import type { Context } from '../context.ts';
import { limitsHere, profilesHere } from '../../app/planning/validate.ts';
import { serve, type ServerOptions } from '../../agents/lsp/server.ts';
import { version } from '../../base/version.ts';

export async function run(context: Context): Promise<ExitCode> {
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
  const limits: ServerOptions['limits'] = async () => ({
    ...(await limitsHere(context)),
    profiles: await profilesHere(context),
  });
  serve(connection, { limits, version });
  await once(process.stdin, 'close');
  return exits.done;
}
