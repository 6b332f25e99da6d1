import { type Static, Type } from 'typebox'
import { Nullable, strict } from '../common.ts'
import type { EmbedView } from '../embed-code.ts'
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

/** What the page of an embed knows before its first request. */
export interface EmbedPage {
  view: EmbedView
  /** The name of the station in links. */
  stationName: string
  youtubeBaseUrl: string
  /** Null if there is no such channel. */
  channel: { id: string; name: string; watchUrl: string; now: NowPlaying } | null
}

const MaxSide = Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 }))

/** GET /api/oembed. Unknown parameters are ignored, because consumers add their own. */
export const OembedQuery = Type.Object({
  url: Address({ minLength: 1, maxLength: 2048 }),
  maxwidth: MaxSide,
  maxheight: MaxSide,
  format: Type.Optional(Code({ maxLength: 16 })),
})
export type OembedQuery = Static<typeof OembedQuery>

/**
 * GET /api/cards. `path`: path and query of a page, without what URL parsers read as another host (a backslash) or skip
 * (control characters). `v` names what the picture shows, so that caches keep no old one.
 */
export const CardQuery = Type.Object(
  {
    path: Address({ minLength: 1, maxLength: 256, pattern: '^/(?!/)[^\\\\\\u0000-\\u001f]*$' }),
    v: Type.Optional(Code({ maxLength: 16 })),
  },
  strict,
)

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
