import { AppError } from '@looptide/service-kit/http/errors'
import { callInternal } from '@looptide/service-kit/identity/internal'

/** Whether a video is in the public library. */
export type IsPublicVideo = (videoId: string) => Promise<boolean>

/** {@link IsPublicVideo} by the catalogue's answer to a visitor. Throws `service_unavailable` without an answer. */
export const createIsPublicVideo =
  ({ catalogueUrl, internalToken }: { catalogueUrl: string; internalToken: string }): IsPublicVideo =>
  (videoId) =>
    callInternal(`${catalogueUrl}/api/videos/${videoId}`, 'The catalogue', { internalToken }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof AppError && error.code === 'not_found') return false
        throw error
      },
    )
