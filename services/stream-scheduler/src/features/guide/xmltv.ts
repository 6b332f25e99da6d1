import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ProgrammeVideo } from '@looptide/contracts/http/channels'
import XMLBuilder from 'fast-xml-builder'
import { plainText } from './plain-text.ts'

export interface XmltvChannel {
  id: string
  name: string
  programmes: readonly { startsAtMs: number; endsAtMs: number; video: ProgrammeVideo }[]
}

const builder = new XMLBuilder({ ignoreAttributes: false, suppressEmptyNode: true })
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tv SYSTEM "xmltv.dtd">\n'

/**
 * The timelines as XMLTV (https://wiki.xmltv.org/index.php/XMLTVFormat): elements in the order of its DTD, instants in
 * seconds with their offset, channel ids in the form of RFC 2838. The XML builder escapes all texts, once per video: two
 * airings of a video differ only in numbers and in our own ids.
 *
 * @param siteUrl public URL of the station; URLs in the file start with it
 */
export async function xmltv(channels: readonly XmltvChannel[], siteUrl: string): Promise<string> {
  const site = new URL(siteUrl)
  const idOf = ({ id }: XmltvChannel): string => `${id}.${site.hostname}`
  const parts = channels.map((channel) => channelElement(channel, idOf(channel), site))
  const details = new Map<string, string>()
  for (const channel of channels) {
    await nextTurn()
    for (const { startsAtMs, endsAtMs, video } of channel.programmes) {
      const inner = details.get(video.id) ?? videoElements(video, site)
      details.set(video.id, inner)
      const times = `start="${xmltvTime(startsAtMs)}" stop="${xmltvTime(endsAtMs)}"`
      parts.push(`<programme ${times} channel="${idOf(channel)}">${inner}</programme>`)
    }
  }
  const source = `source-info-url="${site.origin}" generator-info-name="Looptide"`
  return `${HEAD}<tv ${source}>\n${parts.join('\n')}\n</tv>\n`
}

/** `20261121140305 +0000`. */
export function xmltvTime(epochMs: number): string {
  const digits = new Date(epochMs).toISOString().replace(/\D/g, '')
  return `${digits.slice(0, 14)} +0000`
}

function channelElement(channel: XmltvChannel, id: string, site: URL): string {
  return builder.build({
    channel: { '@_id': id, 'display-name': plainText(channel.name), url: liveUrl(channel.id, site) },
  })
}

function liveUrl(channelId: string, site: URL): string {
  return new URL(`/live?channel=${channelId}`, site).href
}

/** The elements of a `programme`. The artist is an `actor`, since the DTD has no element for artists. */
function videoElements(video: ProgrammeVideo, site: URL): string {
  const artist = plainText(video.artistName)
  const icon = video.thumbnailUrl === null ? null : URL.parse(video.thumbnailUrl, site)?.href
  return builder.build({
    title: plainText(video.title),
    'sub-title': artist,
    desc: plainText(video.description),
    credits: { actor: artist },
    category: [...new Set([plainText(video.genre), 'Music'])],
    length: { '@_units': 'seconds', '#text': Math.round(video.durationMs / 1000) },
    ...(icon ? { icon: { '@_src': icon } } : {}),
  })
}
