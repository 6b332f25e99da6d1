import type { Programme } from '@looptide/contracts/http/channels'
import { FEED_PATHS } from '@looptide/contracts/http/guide'
import { oneLine } from './history-feed.ts'
import type { ChannelFacts, Site } from './now-playing.ts'

/**
 * The channels that a player of files can play, as an extended M3U list with the address of the guide. Ids are those of the
 * XMLTV file. A channel's address leads to what is on at the moment of the request.
 */
export function iptvList(channels: readonly ChannelFacts[], { siteUrl, brandName }: Site): string {
  const site = new URL(siteUrl)
  const entries = channels.filter(playsFiles).map(({ channel: { id, name } }) => {
    const attributes = {
      'tvg-id': `${id}.${site.hostname}`,
      'tvg-name': name,
      'group-title': brandName,
    }
    const texts = Object.entries(attributes).map(([key, value]) => `${key}="${attribute(value)}"`)
    return `#EXTINF:-1 ${texts.join(' ')},${attribute(name)}\n${new URL(`/api/channels/${id}/media`, site).href}\n`
  })
  return `#EXTM3U x-tvg-url="${new URL(FEED_PATHS.xmltv, site).href}"\n${entries.join('')}`
}

/** Whether every known programme is a file or a stream. YouTube's videos play in YouTube's player only. */
function playsFiles({ programmes }: ChannelFacts): boolean {
  const videos = programmes.filter((one) => one.kind === 'video')
  return videos.length > 0 && videos.every(({ video }) => video.mediaUrl !== null)
}

/** The address of the file or stream on the air; during a card, of the next one. Undefined for other channels. */
export function mediaUrlOf(facts: ChannelFacts, siteUrl: string): string | undefined {
  const video = playsFiles(facts) ? facts.programmes.find(isVideo)?.video : undefined
  return video?.mediaUrl == null ? undefined : URL.parse(video.mediaUrl, siteUrl)?.href
}

const isVideo = (programme: Programme) => programme.kind === 'video'

/** The format has no escapes. */
const attribute = (text: string): string => oneLine(text).replaceAll('"', "'")
