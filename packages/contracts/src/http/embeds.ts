import { type Static, Type } from 'typebox'
import { Nullable, strict } from '../common.ts'
import { Address, Code } from '../text-fields.ts'
import type { NowPlaying } from './now-playing.ts'

/** Maximum origins in the list of those whose pages may show embeds. They are in a header of each embed. */
export const MAX_EMBED_ORIGINS = 50

/** An origin as browsers write it: lower case, without a path. It becomes part of a header. */
export const EMBED_ORIGIN =
  '^https?://(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*|\\[[0-9a-f:]{2,39}\\])(?::[1-9][0-9]{0,4})?$'

/** Whose pages may show embeds. `origins`: null for all pages; an empty list for none but the station's own. */
export const EmbedSettings = Type.Object(
  {
    origins: Nullable(
      Type.Array(Code({ maxLength: 300, pattern: EMBED_ORIGIN }), {
        maxItems: MAX_EMBED_ORIGINS,
        uniqueItems: true,
      }),
    ),
  },
  strict,
)
export type EmbedSettings = Static<typeof EmbedSettings>
export const DEFAULT_EMBED_SETTINGS: EmbedSettings = { origins: null }

/** `now` is a strip without a picture that moves. */
export const EMBED_VIEWS = ['player', 'chat', 'now'] as const
export type EmbedView = (typeof EMBED_VIEWS)[number]

/** What the page of an embed knows before its first request. */
export interface EmbedPage {
  view: EmbedView
  /** The name of the station in links. */
  stationName: string
  youtubeBaseUrl: string
  /** Null if there is no such channel. */
  channel: { id: string; name: string; watchUrl: string; now: NowPlaying } | null
}

/** The smallest player that YouTube permits, in CSS pixels, and the height of the bar below it. */
export const EMBED_PLAYER = { minSide: 200, barHeight: 64, width: 640 } as const
/** The size of the strip. */
export const EMBED_STRIP = { minWidth: 240, width: 480, height: 112 } as const

/** The path of an embed. */
export const embedPath = (channelId: string, view: EmbedView): string =>
  `/embed/${encodeURIComponent(channelId)}${view === 'player' ? '' : `/${view}`}`

const MaxSide = Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 }))

/** GET /api/oembed. Unknown parameters are ignored, because consumers add their own. */
export const OembedQuery = Type.Object({
  url: Address({ minLength: 1, maxLength: 2048 }),
  maxwidth: MaxSide,
  maxheight: MaxSide,
  format: Type.Optional(Code({ maxLength: 16 })),
})
export type OembedQuery = Static<typeof OembedQuery>

/** oEmbed 1.0, type `rich`: https://oembed.com. */
export const Oembed = Type.Object({
  type: Type.Literal('rich'),
  version: Type.Literal('1.0'),
  title: Type.String(),
  provider_name: Type.String(),
  provider_url: Type.String(),
  cache_age: Type.Integer(),
  html: Type.String(),
  width: Type.Integer(),
  height: Type.Integer(),
})
export type Oembed = Static<typeof Oembed>
