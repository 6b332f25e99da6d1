import type { AirLogEntry, Programme } from '@looptide/contracts/http/channels'
import { FEED_PATHS } from '@looptide/contracts/http/guide'
import { plainText } from '@looptide/service-kit/http/plain-text'
import { escapeHtml } from '../pages/head-tags.ts'
import { type ChannelFacts, type Site, watchUrl } from './now-playing.ts'

/** What a feed of past programmes is made of. */
export interface HistoryFeed {
  channel: ChannelFacts['channel']
  /** Programmes that have ended, newest first. */
  entries: readonly AirLogEntry[]
}

interface Item {
  id: string
  url: string
  title: string
  artist: string
  image: string | undefined
  startedAt: Date
}

/** The feed as RSS 2.0 (https://www.rssboard.org/rss-specification). */
export function historyRss({ channel, entries }: HistoryFeed, site: Site): string {
  const self = new URL(`/api/channels/${channel.id}/history.rss`, site.siteUrl).href
  const items = entries.map((entry) => {
    const { id, url, title, startedAt } = itemOf(entry, site)
    return element(
      'item',
      element('title', xmlText(title)) +
        element('link', xmlText(url)) +
        `<guid isPermaLink="false">${xmlText(id)}</guid>` +
        element('pubDate', startedAt.toUTCString()),
    )
  })
  const head =
    element('title', xmlText(titleOf(channel, site))) +
    element('link', xmlText(watchUrl(channel.id, site.siteUrl))) +
    element('description', xmlText(descriptionOf(channel, site))) +
    `<atom:link href="${xmlText(self)}" rel="self" type="application/rss+xml"/>`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">${element('channel', `${head}\n${items.join('\n')}\n`)}</rss>\n`
}

/** The feed as JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/). */
export function historyJson({ channel, entries }: HistoryFeed, site: Site): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: titleOf(channel, site),
    description: descriptionOf(channel, site),
    home_page_url: watchUrl(channel.id, site.siteUrl),
    feed_url: new URL(`/api/channels/${channel.id}/history.json`, site.siteUrl).href,
    items: entries.map((entry) => {
      const { id, url, title, artist, image, startedAt } = itemOf(entry, site)
      const texts = { title, content_text: title, authors: [{ name: artist }] }
      return { id, url, ...texts, image, date_published: startedAt.toISOString() }
    }),
  })
}

const titleOf = ({ name }: HistoryFeed['channel'], { brandName }: Site): string =>
  oneLine(`What was on: ${name} · ${brandName}`)

const descriptionOf = ({ name, description }: HistoryFeed['channel'], { brandName }: Site): string =>
  oneLine(description ?? `The last programmes of ${name} on ${brandName}.`)

/** A video that is no longer public has no page of its own. */
function itemOf(entry: AirLogEntry, { siteUrl }: Site): Item {
  const { id, channelId, videoId, title, artistName, startedAtMs, thumbnailUrl, isListed } = entry
  const artist = oneLine(artistName)
  return {
    // Ids of feeds are unique in the world (RFC 4151).
    id: `tag:${new URL(siteUrl).hostname},2026:${id}`,
    url: isListed ? new URL(`/videos/${videoId}`, siteUrl).href : watchUrl(channelId, siteUrl),
    title: artist === '' ? oneLine(title) : `${artist} – ${oneLine(title)}`,
    artist,
    image: thumbnailUrl === null ? undefined : URL.parse(thumbnailUrl, siteUrl)?.href,
    startedAt: new Date(startedAtMs),
  }
}

/** Without control characters, and without those that change the direction of the text around them. */
const oneLine = (text: string): string => plainText(text).replace(/\s+/g, ' ').trim()

const xmlText = (text: string): string => escapeHtml(text)

const element = (name: string, content: string): string => `<${name}>${content}</${name}>`

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
