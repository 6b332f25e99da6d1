import type { Brand } from '@looptide/contracts/brand'
import type { PageFacts } from './page-facts.ts'

const MAX_TITLE = 200
const MAX_DESCRIPTION = 300
/** The station's own picture for link previews, 1200 × 630. */
const SHARE_IMAGE = '/share.jpg'

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as it may stand in an element or a quoted attribute, in one line: whatever it is, it stays text. */
export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

/** At most `length` characters, cut between characters as people see them. */
export function shorten(text: string, length: number): string {
  const characters = Array.from(text)
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`
}

/** The elements of a page's head that tell what it is about: Open Graph (ogp.me), Twitter cards, canonical link. */
export function headTags(facts: PageFacts, { brand, siteUrl }: { brand: Brand; siteUrl: string }): string {
  const title = escapeHtml(shorten(facts.title, MAX_TITLE))
  const description = escapeHtml(shorten(facts.description, MAX_DESCRIPTION))
  const url = escapeHtml(new URL(facts.path, siteUrl).href)
  const image = imageOf(facts, siteUrl)
  const property = (name: string, content: string) => `<meta property="${name}" content="${content}">`
  const name = (name: string, content: string) => `<meta name="${name}" content="${content}">`
  return [
    `<title>${title}</title>`,
    name('description', description),
    `<link rel="canonical" href="${url}">`,
    facts.isUnlisted ? name('robots', 'noindex') : '',
    property('og:site_name', escapeHtml(brand.name)),
    property('og:type', facts.type),
    property('og:title', title),
    property('og:description', description),
    property('og:url', url),
    property('og:image', image),
    facts.durationS === undefined ? '' : property('video:duration', String(Math.round(facts.durationS))),
    name('twitter:card', 'summary_large_image'),
    name('twitter:title', title),
    name('twitter:description', description),
    name('twitter:image', image),
  ].join('')
}

/** Pictures come over http(s) or from us; anything else is nobody's picture. */
function imageOf({ image }: PageFacts, siteUrl: string): string {
  const url = URL.parse(image ?? SHARE_IMAGE, siteUrl)
  const isPicture = url !== null && (url.protocol === 'https:' || url.protocol === 'http:')
  return escapeHtml(isPicture ? url.href : new URL(SHARE_IMAGE, siteUrl).href)
}
