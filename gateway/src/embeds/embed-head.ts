import type { Brand } from '@looptide/contracts/brand'
import { type EmbedView, embedPath } from '@looptide/contracts/embed-code'
import { watchUrl } from '../now-playing/now-playing.ts'
import { escapeHtml, oembedLink } from '../pages/head-tags.ts'

interface Site {
  brand: Brand
  siteUrl: string
}

interface Embedded {
  view: EmbedView
  channel: { id: string; name: string } | undefined
}

/** The elements of the head of an embed. Search engines list the live page instead. */
export function embedHead({ view, channel }: Embedded, { brand, siteUrl }: Site): string {
  if (channel === undefined)
    return `<title>${escapeHtml(brand.name)}</title><meta name="robots" content="noindex">`
  const { id, name } = channel
  return [
    `<title>${escapeHtml(`${name} · ${brand.name}`)}</title>`,
    '<meta name="robots" content="noindex">',
    `<link rel="canonical" href="${escapeHtml(watchUrl(id, siteUrl))}">`,
    oembedLink({ path: embedPath(id, view), title: `${name} · ${brand.name}` }, siteUrl),
  ].join('')
}
