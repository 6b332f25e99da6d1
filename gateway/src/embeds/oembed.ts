import type { Brand } from '@looptide/contracts/brand'
import {
  EMBED_PLAYER,
  EMBED_SIZES,
  type EmbedView,
  embedCode,
  embedPath,
  MIN_STRIP_WIDTH,
} from '@looptide/contracts/embed-code'
import { lookQuery, readLook } from '@looptide/contracts/embed-look'
import type { Oembed, OembedQuery } from '@looptide/contracts/http/embeds'

interface Site {
  brand: Brand
  siteUrl: string
}

/** What an address of the station shows in an embed. */
export interface OembedTarget {
  channelId: string
  view: EmbedView
  /** The query of the embed that chooses its look, as `lookQuery` writes it. */
  look: string
}

interface Size {
  width: number
  height: number
}

const EMBED_PAGE = /^\/embed\/([^/]+)(?:\/(chat|now))?$/
const DEFAULT_CHANNEL = 'default'
/** Time for which consumers keep an answer, in seconds. */
const CACHE_AGE_S = 86_400

/** What to embed for an address; undefined for one of another site or page. */
export function oembedTarget(address: string, siteUrl: string): OembedTarget | undefined {
  const url = URL.parse(address)
  if (url === null || url.origin !== new URL(siteUrl).origin) return undefined
  if (url.pathname === '/live')
    return { channelId: url.searchParams.get('channel') ?? DEFAULT_CHANNEL, view: 'player', look: '' }
  const [, encoded, view] = EMBED_PAGE.exec(url.pathname) ?? []
  const channelId = decoded(encoded)
  if (channelId === undefined) return undefined
  return {
    channelId,
    view: view === 'chat' || view === 'now' ? view : 'player',
    look: lookQuery(readLook(url.search)),
  }
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/**
 * The view and size that fit: a player keeps 16:9 and YouTube's minimum; where it does not fit, the strip is shown instead.
 * Undefined if that does not fit either.
 */
export function oembedSize(
  view: EmbedView,
  { maxwidth = Number.POSITIVE_INFINITY, maxheight = Number.POSITIVE_INFINITY }: Partial<OembedQuery>,
): (Size & { view: EmbedView }) | undefined {
  const width = Math.min(EMBED_SIZES[view].width, maxwidth)
  const { minSide, barHeight } = EMBED_PLAYER
  if (view === 'chat') {
    const height = Math.min(EMBED_SIZES.chat.height, maxheight)
    return Math.min(width, height) < minSide ? undefined : { view, width, height }
  }
  const picture = Math.min(Math.max(Math.round((width * 9) / 16), minSide), maxheight - barHeight)
  if (view === 'player' && Math.min(width, picture) >= minSide)
    return { view, width, height: picture + barHeight }
  const strip = EMBED_SIZES.now
  if (maxwidth < MIN_STRIP_WIDTH || maxheight < strip.height) return undefined
  return { view: 'now', width: Math.min(strip.width, maxwidth), height: strip.height }
}

/** The answer for a channel. */
export function oembedOf(
  channel: { id: string; name: string },
  { view, look, width, height }: Size & Pick<OembedTarget, 'view' | 'look'>,
  { brand, siteUrl }: Site,
): Oembed {
  const title = `${channel.name} · ${brand.name}`
  const url = new URL(embedPath(channel.id, view) + look, siteUrl).href
  return {
    type: 'rich',
    version: '1.0',
    title,
    provider_name: brand.name,
    provider_url: new URL('/', siteUrl).href,
    cache_age: CACHE_AGE_S,
    html: embedCode({ url, title, width, height }),
    width,
    height,
  }
}
