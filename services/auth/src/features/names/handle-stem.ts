/** First part of the handle when the name has no usable characters. */
export const DEFAULT_STEM = 'viewer'
const STEM_LENGTH = 20

/**
 * The first part of a handle, made of the characters of the name that a handle can hold. It never contains the email:
 * handles are public.
 */
export function handleStem(fullName: unknown): string {
  if (typeof fullName !== 'string') return DEFAULT_STEM
  const plain = fullName
    .slice(0, 200)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, STEM_LENGTH)
    .replace(/^_+|_+$/g, '')
  return plain === '' ? DEFAULT_STEM : plain
}
