/** Bundles into a folder; packages stay outside, so the folder must be able to find them. */
export declare function bundle(outdir: string): Promise<void>;
