import { createHash } from 'node:crypto'
import { PICTURE_TYPES, type PictureType } from '@looptide/contracts/pictures'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type DetectedImage, detectImage } from './detect-image.ts'
import { AppError, errors } from './errors.ts'
import { DamagedPictureError } from './picture-metadata/damaged-picture-error.ts'
import { stripMetadata } from './picture-metadata/strip-metadata.ts'

/** An uploaded picture that was found to be one, without its metadata. */
export interface Picture {
  type: PictureType
  /** A digest of the bytes, for its address. */
  version: string
  bytes: Buffer
}

/** Lets the routes of this plugin take a picture as their body, of at most `maxBytes`. */
export function acceptPictures(app: Pick<FastifyInstance, 'addContentTypeParser'>, maxBytes: number): void {
  app.addContentTypeParser(
    [...PICTURE_TYPES],
    { parseAs: 'buffer', bodyLimit: maxBytes },
    (_request, body, done) => done(null, body),
  )
}

/**
 * Reads an uploaded body and removes its metadata; `maxSide` in pixels. Errors: `validation_failed` (no bytes, too many
 * pixels, damaged), `unsupported_media_type` (anything but a JPEG, PNG or WebP).
 */
export function readPicture(body: unknown, maxSide: number): Picture {
  if (!Buffer.isBuffer(body)) throw errors.validation('The body must be a picture.')
  const image = detectImage(body)
  if (image === undefined) {
    throw new AppError('unsupported_media_type', 'A picture must be a JPEG, PNG or WebP.')
  }
  if (Math.max(image.width, image.height) > maxSide) {
    throw errors.validation(`A picture may be at most ${maxSide} pixels wide and high.`)
  }
  const bytes = withoutMetadata(body, image)
  const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  return { type: image.type, version, bytes }
}

function withoutMetadata(body: Buffer, { type, width, height }: DetectedImage): Buffer {
  try {
    const bytes = stripMetadata(body, type)
    const left = detectImage(bytes)
    if (left?.type === type && left.width === width && left.height === height) return bytes
  } catch (error) {
    if (!(error instanceof DamagedPictureError)) throw error
  }
  throw errors.validation('The picture is damaged.')
}

/**
 * Answers with a stored picture, which is the same for ever. A stranger's bytes: they are shown as the picture they
 * were found to be and as nothing else, whatever a browser thinks of them.
 */
export function sendPicture(
  reply: FastifyReply,
  { contentType, bytes }: { contentType: string; bytes: Buffer },
): FastifyReply {
  return reply
    .type(contentType)
    .header('cache-control', 'public, max-age=31536000, immutable')
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .send(bytes)
}
