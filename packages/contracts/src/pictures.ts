import { Type } from 'typebox'

/** The kinds of picture that may be uploaded, by their own bytes. */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const
export type PictureType = (typeof PICTURE_TYPES)[number]

/** A digest of a picture's bytes, which is in its address: one address never shows two pictures. */
export const PictureVersion = Type.String({ pattern: '^[A-Za-z0-9_-]{22}$' })
