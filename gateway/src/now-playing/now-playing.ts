import { createHash } from 'node:crypto'
import type {
  AirLogEntry,
  Channel,
  Programme,
  StreamStatus,
  VideoProgramme,
} from '@looptide/contracts/http/channels'
import {
  NOW_PLAYING_HISTORY,
  type NowPlaying,
  type NowPlayingPastSong,
  type NowPlayingSong,
} from '@looptide/contracts/http/now-playing'

/** What is known of a channel at an instant. */
export interface ChannelFacts {
  channel: Pick<Channel, 'id' | 'name' | 'description'>
  status: StreamStatus
  /** From the current programme on. */
  programmes: readonly Programme[]
  viewers: number
  /** The air log, newest first. May contain the current programme. */
  history: readonly AirLogEntry[]
}

/** What all answers of a station share. */
export interface Site {
  siteUrl: string
  brandName: string
}

/** The path of the list for IPTV players. */
const IPTV_PATH = '/api/channels.m3u'

/** The text of AzuraCast for a station that plays nothing. */
const OFFLINE = 'Station Offline'

const seconds = (epochMs: number): number => Math.floor(epochMs / 1000)

/**
 * What is on, in AzuraCast's shape. Times are rounded down to seconds before they are subtracted, so that a programme ends
 * when the next one starts, and `elapsed` and `remaining` add up to `duration`.
 */
export function nowPlayingOf(facts: ChannelFacts, site: Site, nowMs: number): NowPlaying {
  const { channel, status, viewers } = facts
  const programmes = facts.programmes.filter(({ endsAtMs }) => endsAtMs > nowMs)
  const [current] = programmes[0] !== undefined && programmes[0].startsAtMs <= nowMs ? programmes : []
  const next = programmes.filter((one) => one.kind === 'video').find((one) => one !== current)
  return {
    station: stationOf(channel, site),
    listeners: { total: viewers, unique: viewers, current: viewers },
    live: liveOf(current, site),
    now_playing: currentOf(current, facts, site, nowMs),
    playing_next: next === undefined ? null : nextOf(next, site),
    song_history: facts.history
      .filter(({ startedAtMs }) => startedAtMs < (current?.startsAtMs ?? nowMs))
      .slice(0, NOW_PLAYING_HISTORY)
      .map((entry) => pastOf(entry, site)),
    is_online: status === 'live' && current !== undefined,
    cache: 'hit',
  }
}

/** A positive 31-bit number (FNV-1a), because a station of AzuraCast has one. */
export function stationNumber(channelId: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(channelId)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 1) + 1
}

/** The page on which people watch a channel. */
export const watchUrl = (channelId: string, siteUrl: string): string =>
  new URL(`/live?channel=${channelId}`, siteUrl).href

function stationOf({ id, name, description }: ChannelFacts['channel'], { siteUrl }: Site) {
  const page = watchUrl(id, siteUrl)
  return {
    id: stationNumber(id),
    name,
    shortcode: id,
    description: description ?? '',
    frontend: 'remote',
    backend: 'none',
    timezone: 'UTC',
    listen_url: page,
    url: new URL('/', siteUrl).href,
    public_player_url: page,
    playlist_pls_url: '',
    playlist_m3u_url: new URL(IPTV_PATH, siteUrl).href,
    is_public: true,
    requests_enabled: false,
    mounts: [],
    remotes: [],
    hls_enabled: false,
    hls_is_default: false,
    hls_url: null,
    hls_listeners: 0,
  } satisfies NowPlaying['station']
}

function liveOf(current: Programme | undefined, { siteUrl }: Site): NowPlaying['live'] {
  if (current?.kind !== 'video' || current.isLive !== true)
    return { is_live: false, streamer_name: '', broadcast_start: null, art: null }
  const art = artOf(current.video.thumbnailUrl, siteUrl)
  return {
    is_live: true,
    streamer_name: current.video.artistName,
    broadcast_start: seconds(current.startsAtMs),
    art: art === '' ? null : art,
  }
}

function currentOf(
  current: Programme | undefined,
  { channel }: ChannelFacts,
  site: Site,
  nowMs: number,
): NowPlaying['now_playing'] {
  const common = { streamer: '', is_request: false } as const
  if (current === undefined) {
    const song = cardSong(channel.id, null, { artist: '', title: OFFLINE })
    return { ...common, sh_id: 0, played_at: 0, duration: 0, playlist: '', song, elapsed: 0, remaining: 0 }
  }
  const played_at = seconds(current.startsAtMs)
  const duration = seconds(current.endsAtMs) - played_at
  const elapsed = Math.min(Math.max(seconds(nowMs) - played_at, 0), duration)
  return {
    ...common,
    sh_id: current.seq,
    played_at,
    duration,
    playlist: playlistOf(current),
    streamer: current.kind === 'video' && current.isLive === true ? current.video.artistName : '',
    song:
      current.kind === 'video'
        ? videoSong(current, site)
        : cardSong(channel.id, current.id, {
            artist: site.brandName,
            title: current.block?.name ?? channel.name,
          }),
    elapsed,
    remaining: duration - elapsed,
  }
}

function nextOf(next: VideoProgramme, site: Site): NowPlaying['playing_next'] {
  const played_at = seconds(next.startsAtMs)
  const duration = seconds(next.endsAtMs) - played_at
  const playlist = playlistOf(next)
  return {
    cued_at: played_at,
    played_at,
    duration,
    playlist,
    is_request: false,
    song: videoSong(next, site),
  }
}

function pastOf(entry: AirLogEntry, { siteUrl }: Site): NowPlayingPastSong {
  const { id, channelId, videoId, title, artistName: artist, startedAtMs, endedAtMs, thumbnailUrl } = entry
  const played_at = seconds(startedAtMs)
  return {
    sh_id: Number(id.slice(id.lastIndexOf('.') + 1)),
    played_at,
    duration: seconds(endedAtMs) - played_at,
    playlist: '',
    streamer: '',
    is_request: false,
    song: {
      id: videoId.replaceAll('-', ''),
      art: artOf(thumbnailUrl, siteUrl),
      custom_fields: { channel_id: channelId, programme_id: id, video_id: videoId },
      ...textsOf({ artist, title, genre: '' }),
    },
  }
}

const playlistOf = (programme: Programme): string =>
  programme.block?.name ?? (programme.kind === 'video' ? programme.reason?.source : undefined) ?? ''

function videoSong({ id, channelId, videoId, video }: VideoProgramme, { siteUrl }: Site): NowPlayingSong {
  const { title, artistName: artist, genre, thumbnailUrl } = video
  return {
    id: videoId.replaceAll('-', ''),
    art: artOf(thumbnailUrl, siteUrl),
    custom_fields: { channel_id: channelId, programme_id: id, video_id: videoId },
    ...textsOf({ artist, title, genre }),
  }
}

/** A card, or nothing, as a song. AzuraCast's ids are digests of the text. */
function cardSong(
  channel_id: string,
  programme_id: string | null,
  song: { artist: string; title: string },
): NowPlayingSong {
  const texts = textsOf({ ...song, genre: '' })
  return {
    id: createHash('md5').update(texts.text).digest('hex'),
    art: '',
    custom_fields: { channel_id, programme_id, video_id: null },
    ...texts,
  }
}

const textsOf = ({ artist, title, genre }: { artist: string; title: string; genre: string }) => ({
  text: artist === '' ? title : `${artist} - ${title}`,
  ...{ artist, title, album: '' as const, genre, isrc: '' as const, lyrics: '' as const },
})

/** An absolute URL; empty if there is no picture. */
const artOf = (thumbnailUrl: string | null, siteUrl: string): string =>
  thumbnailUrl === null ? '' : (URL.parse(thumbnailUrl, siteUrl)?.href ?? '')
