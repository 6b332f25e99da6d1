import { THEME_ASSET_MAX_BYTES } from '@looptide/contracts/http/admin'
import { encodePicture } from '../../../lib/encode-picture.ts'

export type PictureKind = 'logo' | 'background'

/** Pixels of the longer side: a logo is sharp on a television, a background fills one. */
const MAX_SIDE: Record<PictureKind, number> = { logo: 640, background: 2560 }

/** The size that fits into a square of `maxSide`, in the same proportion; never larger than it was. */
export function fitInto(width: number, height: number, maxSide: number): { width: number; height: number } {
  const share = Math.min(1, maxSide / Math.max(width, height))
  const side = (length: number) => Math.max(1, Math.round(length * share))
  return { width: side(width), height: side(height) }
}

/**
 * A file as a picture that can be sent: no larger than it is shown, what is transparent in a logo kept so, and where
 * it was taken not in it any more. Throws when the file is no picture that this browser can read.
 */
export async function toThemePicture(file: Blob, kind: PictureKind): Promise<Blob> {
  const picture = await createImageBitmap(file)
  const { width, height } = fitInto(picture.width, picture.height, MAX_SIDE[kind])
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser has no canvas')
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, width, height)
  picture.close()
  return encodePicture(canvas, THEME_ASSET_MAX_BYTES, kind === 'logo' ? 'image/png' : 'image/jpeg')
}
