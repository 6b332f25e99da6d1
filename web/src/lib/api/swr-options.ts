import { ApiError } from './api-error.ts'

/** How the pages read from the station. */
export const SWR_OPTIONS = {
  /** Retries outages only: a refusal would be repeated. */
  shouldRetryOnError: (error: unknown) => !(error instanceof ApiError) || error.isOutage,
  errorRetryInterval: 4_000,
  dedupingInterval: 2_000,
}
