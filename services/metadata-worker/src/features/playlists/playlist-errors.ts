import { AppError, errors } from '@looptide/service-kit/http/errors'
import { QuotaExhaustedError } from '../../youtube/outcome.ts'
import { PlaylistNotFoundError } from '../../youtube/playlist-client.ts'

/** The API's error for an error of YouTube. */
export function toApiError(error: unknown): unknown {
  if (error instanceof PlaylistNotFoundError) return errors.notFound('This playlist')
  if (error instanceof QuotaExhaustedError) return new AppError('rate_limited', 'The daily quota is used up.')
  return errors.unavailable('YouTube')
}
