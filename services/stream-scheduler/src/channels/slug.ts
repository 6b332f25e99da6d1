const MAX_LENGTH = 48

/**
 * A channel's id from its name: `Rock & Soul` → `rock-soul`. A name without Latin letters or digits gives `channel`. Not
 * `@sindresorhus/slugify`, whose transliterations give other ids.
 */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '')
  return slug === '' ? 'channel' : slug
}

/** Path segments below `/api/channels` that are not channel ids. */
const RESERVED = new Set(['playback-problems', 'quarantine'])

/** `slug`, or the first of `slug-2`, `slug-3` … that is not in use. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug) && !RESERVED.has(slug)) return slug
  let number = 2
  while (taken.has(`${slug}-${number}`)) number += 1
  return `${slug}-${number}`
}
