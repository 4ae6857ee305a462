/**
 * The git store as a backend of the engine. Each life pushes, so a share asks only about a remote
 * that does not answer, and `npm run test:all` asks everything.
 */
import { isWhole } from '../../support/share.ts';
import { backendContract } from './contract.ts';
import { silenceContract } from './contract-silence.ts';
import { gitBackend } from './git-backend.ts';

const { name, openSilent } = gitBackend;
if (isWhole) backendContract(gitBackend);
else if (openSilent) silenceContract(name, openSilent);
