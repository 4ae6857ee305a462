/** Names of the objects, which are those of services in Restate, and their keys.
 *
 * A server may have several desks, which do not know each other.
 */

/** Of the objects together; clients and handlers must have the same. */
export const serviceVersion = 4;

/** One for each run: who may store lines, and the newest lines. */
export const runObject = 'deskhand_run';
/** One for each run: its older lines. */
export const linesObject = 'deskhand_lines';
/** One for each desk: accounts, plans, and which runs are in progress. */
export const registryObject = 'deskhand_registry';
/** One for each desk: jobs and workers. */
export const queueObject = 'deskhand_queue';

/** One for each plan that machines share. */
export const planObject = 'deskhand_plan';
/** One for each desk: files and locks of schedulers. */
export const filesObject = 'deskhand_files';

/** One for each run: copies of its files. */
export const outputObject = 'deskhand_output';
/** One for each rate limit that machines keep together. */
export const paceObject = 'deskhand_pace';

/** The key of an object of a run, a plan or a limit. A desk contains no slash. */
export const keyOf = (desk: string, id: string): string => `${desk}/${id}`;
export const deskOf = (key: string): string => key.slice(0, key.indexOf('/'));
/** The run, plan or limit. */
export const runOf = (key: string): string => key.slice(key.indexOf('/') + 1);
