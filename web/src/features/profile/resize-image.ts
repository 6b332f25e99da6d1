import { AVATAR_MAX_BYTES } from '@looptide/contracts/http/users'
import { encodePicture } from '../../lib/browser/pictures.ts'

/** Pixels of the square that is sent: sharp on a television, small for a list. */
const SIDE = 512

/** The largest square in the middle of a picture. */
export function middleSquare(width: number, height: number): { x: number; y: number; side: number } {
  const side = Math.min(width, height)
  return { x: Math.round((width - side) / 2), y: Math.round((height - side) / 2), side }
}

/** Crops and resizes a picture to a small square, without its metadata. Throws if the browser cannot read the file. */
export async function toAvatar(file: Blob): Promise<Blob> {
  const picture = await createImageBitmap(file)
  const canvas = document.createElement('canvas')
  canvas.width = SIDE
  canvas.height = SIDE
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser has no canvas')
  const { x, y, side } = middleSquare(picture.width, picture.height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, x, y, side, side, 0, 0, SIDE, SIDE)
  picture.close()
  return encodePicture(canvas, AVATAR_MAX_BYTES)
}
