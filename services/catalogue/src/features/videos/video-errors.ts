import { type AppError, errors } from '@looptide/service-kit/http/errors'

/** The video does not exist, or the user may not see it. */
export const noSuchVideo = (): AppError => errors.notFound('This video')

/** The video is under review and must not become visible to other users. */
export const notAccepted = (): AppError => errors.conflict('This video has not been accepted yet.')
