import { setImmediate as nextTurn } from 'node:timers/promises'
import type {
  GuideSpecial,
  Programme,
  ProgrammeBlock,
  ProgrammeVideo,
} from '@looptide/contracts/http/channels'
import { plainText } from '@looptide/service-kit/http/plain-text'
import XMLBuilder from 'fast-xml-builder'

export interface XmltvChannel {
  id: string
  name: string
  programmes: readonly XmltvProgramme[]
  /** Specials after the programmes. */
  specials?: readonly GuideSpecial[]
}

interface XmltvProgramme {
  startsAtMs: number
  endsAtMs: number
  /** Null for a long stretch without videos. */
  video: ProgrammeVideo | null
  /** The block of the schedule, if it belongs to one. */
  block?: ProgrammeBlock | null
}

const builder = new XMLBuilder({ ignoreAttributes: false, suppressEmptyNode: true })
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tv SYSTEM "xmltv.dtd">\n'

/** Cards that last less than this together (ms) belong to the video before them. */
const MIN_CARDS_MS = 60_000

/**
 * The entries of a channel's programmes, without holes: media centres show a hole as missing data. Short idents and
 * countdowns extend the video before them, or start the one after them; longer stretches are entries of their own.
 */
export function xmltvProgrammes(programmes: readonly Programme[]): XmltvProgramme[] {
  const spans: XmltvProgramme[] = []
  for (const { startsAtMs, endsAtMs, video, block } of programmes) {
    const last = spans.at(-1)
    if (last?.video === null && video === null) last.endsAtMs = endsAtMs
    else spans.push({ startsAtMs, endsAtMs, video, block })
  }
  const entries: XmltvProgramme[] = []
  for (const span of spans) {
    const [last, next] = [entries.at(-1), spans[1]]
    const isShortCard = span.video === null && span.endsAtMs - span.startsAtMs < MIN_CARDS_MS
    if (isShortCard && last !== undefined) last.endsAtMs = span.endsAtMs
    else if (isShortCard && next !== undefined) next.startsAtMs = span.startsAtMs
    else entries.push(span)
  }
  return entries
}

/**
 * The timelines as XMLTV (https://wiki.xmltv.org/index.php/XMLTVFormat): elements in the order of its DTD, instants in
 * seconds with their offset, channel ids in the form of RFC 2838. The XML builder escapes all texts, once per video and
 * block: two airings of a video differ only in numbers and in our own ids.
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
    const add = (
      { startsAtMs, endsAtMs }: Pick<XmltvProgramme, 'startsAtMs' | 'endsAtMs'>,
      inner: string,
    ) => {
      const times = `start="${xmltvTime(startsAtMs)}" stop="${xmltvTime(endsAtMs)}"`
      parts.push(`<programme ${times} channel="${idOf(channel)}">${inner}</programme>`)
    }
    for (const programme of channel.programmes) {
      const { video, block } = programme
      if (video === null) {
        add(programme, untitledElements(block ?? { name: channel.name, description: null }))
        continue
      }
      const key = block ? `${video.id} ${channel.id} ${block.id}` : video.id
      const inner = details.get(key) ?? videoElements(video, block, site)
      details.set(key, inner)
      add(programme, inner)
    }
    for (const special of channel.specials ?? []) add(special, untitledElements(special))
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

/**
 * The elements of a `programme`. The artist is an `actor`, since the DTD has no element for artists; the name of the block
 * is a `keyword`, and with its description at the end of `desc`.
 */
function videoElements(video: ProgrammeVideo, block: ProgrammeBlock | null | undefined, site: URL): string {
  const artist = plainText(video.artistName)
  const icon = video.thumbnailUrl === null ? null : URL.parse(video.thumbnailUrl, site)?.href
  return builder.build({
    title: plainText(video.title),
    'sub-title': artist,
    desc: plainText(block ? `${video.description}\n\n${blockText(block)}` : video.description),
    credits: { actor: artist },
    category: [...new Set([plainText(video.genre), 'Music'])],
    ...(block ? { keyword: plainText(block.name) } : {}),
    length: { '@_units': 'seconds', '#text': Math.round(video.durationMs / 1000) },
    ...(icon ? { icon: { '@_src': icon } } : {}),
  })
}

/** A special whose videos are not planned yet, or a stretch without videos. */
function untitledElements({ name, description }: Pick<ProgrammeBlock, 'name' | 'description'>): string {
  return builder.build({
    title: plainText(name),
    ...(description ? { desc: plainText(description) } : {}),
    category: 'Music',
  })
}

const blockText = ({ name, description }: ProgrammeBlock): string =>
  description ? `${name}: ${description}` : name
