/**
 * The git store as a backend of the engine. Each life pushes, so `npm test` asks only what a store
 * adds: a second process and a remote that does not answer. `.ci/run` asks everything.
 */
import { isWhole } from '../support/share.ts';
import { backendContract } from './contract.ts';
import { silenceContract } from './contract-silence.ts';
import { takeoverContract } from './contract-takeover.ts';
import { gitBackend } from './git-backend.ts';

const { name, openFenced, openSilent } = gitBackend;
if (isWhole) backendContract(gitBackend);
else {
  if (openFenced) takeoverContract(name, openFenced);
  if (openSilent) silenceContract(name, openSilent);
}
