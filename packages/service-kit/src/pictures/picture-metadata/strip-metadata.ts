import type { PictureType } from '@looptide/contracts/pictures'
import { stripJpeg } from './jpeg.ts'
import { stripPng } from './png.ts'
import { stripWebp } from './webp.ts'

const STRIP: Record<PictureType, (bytes: Buffer) => Buffer> = {
  'image/jpeg': stripJpeg,
  'image/png': stripPng,
  'image/webp': stripWebp,
}

/**
 * Removes a picture's metadata: location, camera, time, comments, thumbnails. The image data is not decoded and stays
 * unchanged. The orientation is kept, because the picture would be shown rotated without it. Throws a
 * `DamagedPictureError` if the metadata cannot be identified. Not `sharp`, which decodes the picture in native code.
 */
export const stripMetadata = (bytes: Buffer, type: PictureType): Buffer => STRIP[type](bytes)
