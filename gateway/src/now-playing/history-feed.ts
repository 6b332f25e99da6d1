import type { AirLogEntry } from '@looptide/contracts/http/channels'
import { plainText } from '@looptide/service-kit/http/plain-text'
import { escapeHtml } from '../pages/head-tags.ts'
import type { ChannelFacts, Site } from './now-playing.ts'
import { watchUrl } from './now-playing.ts'

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
export const oneLine = (text: string): string => plainText(text).replace(/\s+/g, ' ').trim()

const xmlText = (text: string): string => escapeHtml(text)

const element = (name: string, content: string): string => `<${name}>${content}</${name}>`
