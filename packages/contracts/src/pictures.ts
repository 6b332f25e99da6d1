import { Code } from './text-fields.ts'

/** Accepted types of uploaded pictures, detected from their bytes. */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const
export type PictureType = (typeof PICTURE_TYPES)[number]

/** Digest of a picture's bytes. It is part of the picture's URL, so that a URL never changes its content. */
export const PictureVersion = Code({ pattern: '^[A-Za-z0-9_-]{22}$' })
