/** Names of the objects, which are those of services in Restate, and their keys.
 *
 * A server may have several desks, which do not know each other.
 */

/** The version of all objects together; clients and handlers must have the same. */
export const serviceVersion = 5;

/** The object of each run: who may store lines, and the newest lines. */
export const runObject = 'deskhand_run';
/** The object of each run with its older lines. */
export const linesObject = 'deskhand_lines';
/** The object of each desk that knows accounts, plans, and the runs in progress. */
export const registryObject = 'deskhand_registry';
/** The object of each desk with its jobs and workers. */
export const queueObject = 'deskhand_queue';

/** The object of each plan that machines share. */
export const planObject = 'deskhand_plan';
/** The object of each desk with the files and locks of schedulers. */
export const filesObject = 'deskhand_files';

/** The object of each run with the copies of its files. */
export const outputObject = 'deskhand_output';
/** The object of each run with the summary of its record. */
export const summaryObject = 'deskhand_summary';
/** The object of each rate limit that machines keep together. */
export const paceObject = 'deskhand_pace';

/** The key of an object of a run, a plan or a limit. A desk contains no slash. */
export const keyOf = (desk: string, id: string): string => `${desk}/${id}`;
export const deskOf = (key: string): string => key.slice(0, key.indexOf('/'));
/** The run, plan or limit in the key of an object. */
export const runOf = (key: string): string => key.slice(key.indexOf('/') + 1);
