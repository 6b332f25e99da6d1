/**
 * For SWR's `mutate` with what was pushed: applied to what is known. SWR drops the answer that is on its way when a push
 * is quicker, so that whoever knows nothing yet must ask again.
 */
export const askIfUnknown = { revalidate: (known: unknown) => known === undefined }
