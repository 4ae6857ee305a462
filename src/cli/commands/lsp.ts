/** `lsp`: a language server for editors, over standard input and output. */
import { once } from 'node:events';
import process from 'node:process';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { exits, type ExitCode } from '../../base/error.ts';
import type { Context } from '../context.ts';
import { limitsHere } from '../../app/planning/validate.ts';
import { serve } from '../../agents/lsp/server.ts';
import { version } from '../../base/version.ts';

export async function run(context: Context): Promise<ExitCode> {
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
  serve(connection, { limits: () => limitsHere(context), version });
  await once(process.stdin, 'close');
  return exits.done;
}
