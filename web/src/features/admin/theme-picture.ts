import { THEME_ASSET_MAX_BYTES } from '@looptide/contracts/http/themes'
import { encodePicture } from '../../lib/browser/pictures.ts'

export type ThemeImageKind = 'logo' | 'background'

/** Longest side in px: enough for a sharp logo on a TV, and for a background that fills one. */
const MAX_SIDE: Record<ThemeImageKind, number> = { logo: 640, background: 2560 }

/** Scales a size down to fit into a square of `maxSide`, keeping the aspect ratio. */
export function fitInto(width: number, height: number, maxSide: number): { width: number; height: number } {
  const scale = Math.min(1, maxSide / Math.max(width, height))
  const side = (length: number) => Math.max(1, Math.round(length * scale))
  return { width: side(width), height: side(height) }
}

/**
 * Re-encodes an image file for upload: scaled down to its display size, without metadata such as the location, and with
 * a logo's transparency. Throws if the browser cannot decode the file.
 */
export async function toThemeImage(file: Blob, kind: ThemeImageKind): Promise<Blob> {
  const image = await createImageBitmap(file)
  const { width, height } = fitInto(image.width, image.height, MAX_SIDE[kind])
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser has no canvas')
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, width, height)
  image.close()
  return encodePicture(canvas, THEME_ASSET_MAX_BYTES, kind === 'logo' ? 'image/png' : 'image/jpeg')
}
