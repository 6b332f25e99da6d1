/** `now` is a strip without a picture that moves. */
export const EMBED_VIEWS = ['player', 'chat', 'now'] as const
export type EmbedView = (typeof EMBED_VIEWS)[number]

/** The smallest player that YouTube permits, in CSS pixels, and the height of the bar below it. */
export const EMBED_PLAYER = { minSide: 200, barHeight: 64 } as const
/** The narrowest strip, in CSS pixels. */
export const MIN_STRIP_WIDTH = 240
/** Usual sizes, in CSS pixels. */
export const EMBED_SIZES: Readonly<Record<EmbedView, { width: number; height: number }>> = {
  player: { width: 640, height: 360 + EMBED_PLAYER.barHeight },
  chat: { width: 400, height: 600 },
  now: { width: 480, height: 112 },
}

/** The path of an embed. */
export const embedPath = (channelId: string, view: EmbedView): string =>
  `/embed/${encodeURIComponent(channelId)}${view === 'player' ? '' : `/${view}`}`

interface EmbedFrame {
  url: string
  title: string
  width: number
  height: number
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string): string =>
  text.toWellFormed().replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')

/**
 * The HTML that shows an embed on another page. YouTube's player needs the referrer (without it: error 153), and the
 * permissions to start and to fill the screen.
 */
export const embedCode = ({ url, title, width, height }: EmbedFrame): string =>
  `<iframe src="${escaped(url)}" title="${escaped(title)}" width="${width}" height="${height}" style="border:0;max-width:100%" ` +
  'allow="autoplay; encrypted-media; fullscreen; picture-in-picture" referrerpolicy="strict-origin-when-cross-origin" loading="lazy"></iframe>'
