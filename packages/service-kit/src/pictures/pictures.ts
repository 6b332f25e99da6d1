import { createHash } from 'node:crypto'
import type { PictureType } from '@looptide/contracts/pictures'
import type { FastifyReply } from 'fastify'
import { AppError, errors } from '../http/errors.ts'
import { type DetectedImage, detectImage } from './detect-image.ts'
import { DamagedPictureError } from './picture-metadata/damaged-picture-error.ts'
import { stripMetadata } from './picture-metadata/strip-metadata.ts'

/** A validated uploaded picture without its metadata. */
export interface Picture {
  type: PictureType
  /** Digest of the bytes, part of the picture's URL. */
  version: string
  bytes: Buffer
}

/**
 * Validates an uploaded picture and removes its metadata; `maxSide` in pixels. Throws `validation_failed` (no bytes, too
 * many pixels, damaged) or `unsupported_media_type` (not a JPEG, PNG or WebP).
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
    const stripped = detectImage(bytes)
    if (stripped?.type === type && stripped.width === width && stripped.height === height) return bytes
  } catch (error) {
    if (!(error instanceof DamagedPictureError)) throw error
  }
  throw errors.validation('The picture is damaged.')
}

/**
 * Sends a stored picture, which never changes. The bytes come from users: the headers ensure that browsers treat them as
 * a picture of this type only.
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
