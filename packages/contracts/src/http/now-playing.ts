import { type Static, Type } from 'typebox'
import { ChannelId, Nullable, strict, Uuid } from '../common.ts'

/**
 * What is on, in the shape of AzuraCast's API (`Api_NowPlaying` in its OpenAPI document), so that its clients work with this
 * station. A station of AzuraCast is a channel here, a song a video, a listener a viewer. Times are epoch seconds. What
 * AzuraCast does not have is in `custom_fields`. What this station does not have has AzuraCast's value for "none".
 */
const EpochSeconds = Type.Integer({ minimum: 0 })
const Seconds = Type.Integer({ minimum: 0 })
const Count = Type.Integer({ minimum: 0 })

/** The ids of this station. `video_id` is null for a card and for the time off the air. */
const SongFields = Type.Object({
  channel_id: ChannelId,
  programme_id: Nullable(Type.String()),
  video_id: Nullable(Uuid),
})

/** `id`: 32 hexadecimal digits, the id of the video. `art`: an absolute URL, empty if there is none. */
const Song = Type.Object({
  id: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  art: Type.String(),
  custom_fields: SongFields,
  text: Type.String(),
  artist: Type.String(),
  title: Type.String(),
  album: Type.Literal(''),
  genre: Type.String(),
  isrc: Type.Literal(''),
  lyrics: Type.Literal(''),
})
export type NowPlayingSong = Static<typeof Song>

/** `sh_id`: the programme's number in its channel, 0 off the air. `playlist`: the block of the schedule, else the source. */
const played = {
  sh_id: Count,
  played_at: EpochSeconds,
  duration: Seconds,
  playlist: Type.String(),
  streamer: Type.String(),
  is_request: Type.Literal(false),
  song: Song,
}
const CurrentSong = Type.Object({ ...played, elapsed: Seconds, remaining: Seconds })
const PastSong = Type.Object(played)
export type NowPlayingPastSong = Static<typeof PastSong>
const NextSong = Type.Object({
  cued_at: EpochSeconds,
  played_at: EpochSeconds,
  duration: Seconds,
  playlist: Type.String(),
  is_request: Type.Literal(false),
  song: Song,
})

/** `id`: a number derived from the channel's id, which is `shortcode`. Paths accept both. `listen_url`: for people. */
const Station = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  name: Type.String(),
  shortcode: ChannelId,
  description: Type.String(),
  frontend: Type.Literal('remote'),
  backend: Type.Literal('none'),
  timezone: Type.Literal('UTC'),
  listen_url: Type.String(),
  url: Type.String(),
  public_player_url: Type.String(),
  playlist_pls_url: Type.Literal(''),
  playlist_m3u_url: Type.String(),
  is_public: Type.Literal(true),
  requests_enabled: Type.Literal(false),
  mounts: Type.Array(Type.Unknown(), { maxItems: 0 }),
  remotes: Type.Array(Type.Unknown(), { maxItems: 0 }),
  hls_enabled: Type.Literal(false),
  hls_is_default: Type.Literal(false),
  hls_url: Type.Null(),
  hls_listeners: Type.Literal(0),
})

/** Number of past programmes in an answer, as of a new station of AzuraCast. */
export const NOW_PLAYING_HISTORY = 5

export const NowPlaying = Type.Object({
  station: Station,
  listeners: Type.Object({ total: Count, unique: Count, current: Count }),
  live: Type.Object({
    is_live: Type.Boolean(),
    streamer_name: Type.String(),
    broadcast_start: Nullable(EpochSeconds),
    art: Nullable(Type.String()),
  }),
  now_playing: CurrentSong,
  playing_next: Nullable(NextSong),
  song_history: Type.Array(PastSong, { maxItems: NOW_PLAYING_HISTORY }),
  is_online: Type.Boolean(),
  cache: Type.Literal('hit'),
})
export type NowPlaying = Static<typeof NowPlaying>
export const NowPlayingList = Type.Array(NowPlaying)

/** The channel's id, or its number in `station.id`. */
export const NowPlayingParams = Type.Object({ channelId: ChannelId }, strict)
export const NowPlayingStreamQuery = Type.Object({ channel: ChannelId }, strict)
