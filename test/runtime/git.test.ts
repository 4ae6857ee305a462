/** The git store as a backend of the engine. */
import { backendContract } from './contract.ts';
import { gitBackend } from './git-backend.ts';

backendContract(gitBackend);
