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
 * A picture without what it says of its maker: place, camera, time, comments, thumbnails. Nothing is decoded, so the
 * picture stays exactly as it is; its orientation is kept, without which it would be turned. Throws a
 * `DamagedPictureError` where metadata cannot be told from the picture.
 */
export const stripMetadata = (bytes: Buffer, type: PictureType): Buffer => STRIP[type](bytes)
