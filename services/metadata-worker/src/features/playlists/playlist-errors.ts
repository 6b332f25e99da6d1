import { AppError, errors } from '@looptide/service-kit/http/errors'
import { nextPacificMidnight } from '../../queue/pacific-day.ts'
import { QuotaExhaustedError } from '../../youtube/outcome.ts'
import { PlaylistNotFoundError } from '../../youtube/playlist-client.ts'

/** The API's error for an error of YouTube. */
export function toApiError(error: unknown, nowMs: number = Date.now()): unknown {
  if (error instanceof PlaylistNotFoundError) return errors.notFound('This playlist')
  if (error instanceof QuotaExhaustedError) {
    const retryAfterMs = nextPacificMidnight(nowMs) - nowMs
    return new AppError('rate_limited', 'The daily quota is used up.', { retryAfterMs })
  }
  return errors.unavailable('YouTube')
}
