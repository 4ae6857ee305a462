/** The shared store over a real server as a backend of the engine, each place with a database. */
import { backendContract } from '../engine/runtime/contract.ts';
import { sharedBackend } from '../engine/runtime/shared-backend.ts';
import { databases } from './databases.ts';

backendContract(sharedBackend('Postgres', databases()));
