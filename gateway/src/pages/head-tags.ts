import type { Brand } from '@looptide/contracts/brand'
import { CARD_SIZE, cardKey, isDrawable } from '../cards/card.ts'
import type { PageMetadata } from './page-metadata.ts'

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

/** Escapes any text for use in an element or a quoted attribute, on one line. */
export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

/** Cuts a text to at most `length` code points, with an ellipsis. */
export function shorten(text: string, length: number): string {
  const characters = Array.from(text)
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`
}

/** The metadata elements of a page's head: title, Open Graph (ogp.me), Twitter card, canonical link. */
export function headTags(
  metadata: PageMetadata,
  { brand, siteUrl }: { brand: Brand; siteUrl: string },
): string {
  const title = escapeHtml(shorten(metadata.title, MAX_TITLE))
  const description = escapeHtml(shorten(metadata.description, MAX_DESCRIPTION))
  const url = escapeHtml(new URL(metadata.path, siteUrl).href)
  const card = cardUrl(metadata, siteUrl)
  const image = card ?? imageOf(metadata, siteUrl)
  const property = (name: string, content: string) => `<meta property="${name}" content="${content}">`
  const meta = (name: string, content: string) => `<meta name="${name}" content="${content}">`
  return [
    `<title>${title}</title>`,
    meta('description', description),
    `<link rel="canonical" href="${url}">`,
    metadata.isEmbeddable ? oembedLink(metadata, siteUrl) : '',
    metadata.isUnlisted ? meta('robots', 'noindex') : '',
    property('og:site_name', escapeHtml(brand.name)),
    property('og:type', metadata.type),
    property('og:title', title),
    property('og:description', description),
    property('og:url', url),
    property('og:image', image),
    ...(card === undefined
      ? []
      : Object.entries(CARD_SIZE).map(([side, pixels]) => property(`og:image:${side}`, String(pixels)))),
    metadata.durationS === undefined
      ? ''
      : property('video:duration', String(Math.round(metadata.durationS))),
    meta('twitter:card', 'summary_large_image'),
    meta('twitter:title', title),
    meta('twitter:description', description),
    meta('twitter:image', image),
  ].join('')
}

/** The link by which programs find the embed of a page (https://oembed.com, §4). */
export function oembedLink({ path, title }: Pick<PageMetadata, 'path' | 'title'>, siteUrl: string): string {
  const url = new URL('/api/oembed', siteUrl)
  url.searchParams.set('url', new URL(path, siteUrl).href)
  const name = escapeHtml(shorten(title, MAX_TITLE))
  return `<link rel="alternate" type="application/json+oembed" href="${escapeHtml(url.href)}" title="${name}">`
}

/** The URL of the picture that is drawn for the page; undefined if there is none. */
function cardUrl({ card, path }: PageMetadata, siteUrl: string): string | undefined {
  if (card === undefined || !isDrawable(card)) return undefined
  const url = new URL('/api/cards', siteUrl)
  url.search = String(new URLSearchParams({ path, v: cardKey(card) }))
  return escapeHtml(url.href)
}

/** The picture's http(s) URL. Any other scheme is replaced by the station's own picture. */
function imageOf({ image }: PageMetadata, siteUrl: string): string {
  const url = URL.parse(image ?? SHARE_IMAGE, siteUrl)
  const isPicture = url !== null && (url.protocol === 'https:' || url.protocol === 'http:')
  return escapeHtml(isPicture ? url.href : new URL(SHARE_IMAGE, siteUrl).href)
}
