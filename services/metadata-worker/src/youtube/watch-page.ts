import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { parseIsoDuration } from './iso-duration.ts'
import type { Broadcast } from './outcome.ts'

/** The data of a watch page; null or undefined where it is missing. */
export interface WatchPage {
  durationMs: number | null
  description: string | null
  title: string | null
  author: string | null
  /** 'OK', 'LOGIN_REQUIRED', 'UNPLAYABLE', 'ERROR' … */
  playability: string | undefined
  playableInEmbed: boolean | undefined
  /** YouTube's explanation of why the video cannot be played; may be empty. */
  reason: string
  /** The premiere or live stream that has not ended, or whose recording YouTube still prepares. */
  broadcast: Broadcast | undefined
}

const Text = Type.Optional(Type.String())
const Flag = Type.Optional(Type.Boolean())
const PlayerResponse = Type.Object({
  playabilityStatus: Type.Optional(
    Type.Object({
      status: Text,
      reason: Text,
      messages: Type.Optional(Type.Array(Type.String())),
      playableInEmbed: Flag,
    }),
  ),
  videoDetails: Type.Optional(
    Type.Object({
      title: Text,
      author: Text,
      shortDescription: Text,
      lengthSeconds: Text,
      isUpcoming: Flag,
      isLive: Flag,
      isLiveContent: Flag,
    }),
  ),
  microformat: Type.Optional(
    Type.Object({
      playerMicroformatRenderer: Type.Optional(
        Type.Object({
          liveBroadcastDetails: Type.Optional(Type.Object({ isLiveNow: Flag, startTimestamp: Text })),
        }),
      ),
    }),
  ),
})
type PlayerResponse = Static<typeof PlayerResponse>

/** Parses the player's data in the page; the duration falls back to the markup. Never throws. */
export function parseWatchPage(html: string): WatchPage {
  const found = objectAfter(html, /ytInitialPlayerResponse["']?\]?\s*=\s*(?=\{)/)
  const response: PlayerResponse = Check(PlayerResponse, found) ? found : {}
  const { videoDetails: details, playabilityStatus: playability } = response
  const seconds = Number(details?.lengthSeconds ?? 0)
  return {
    durationMs: seconds > 0 && Number.isFinite(seconds) ? Math.round(seconds * 1000) : markupDuration(html),
    description: details?.shortDescription ?? null,
    title: details?.title ?? null,
    author: details?.author ?? null,
    playability: playability?.status,
    playableInEmbed: playability?.playableInEmbed,
    reason: [playability?.reason, ...(playability?.messages ?? [])].filter(Boolean).join(' '),
    broadcast: broadcastOf(response),
  }
}

function broadcastOf({
  videoDetails,
  playabilityStatus,
  microformat,
}: PlayerResponse): Broadcast | undefined {
  const live = microformat?.playerMicroformatRenderer?.liveBroadcastDetails
  const isLive =
    videoDetails?.isLive === true ||
    live?.isLiveNow === true ||
    (videoDetails?.isLiveContent === true && videoDetails.lengthSeconds === '0')
  const isUpcoming =
    videoDetails?.isUpcoming === true || (!isLive && playabilityStatus?.status === 'LIVE_STREAM_OFFLINE')
  if (!isUpcoming && !isLive) return undefined
  const startsAtMs = Date.parse(live?.startTimestamp ?? '')
  return { state: isUpcoming ? 'upcoming' : 'live', startsAtMs: Number.isNaN(startsAtMs) ? null : startsAtMs }
}

/** The duration of `<meta itemprop="duration" content="PT3M33S">`, with attributes in any order. */
function markupDuration(html: string): number | null {
  for (const [tag] of html.matchAll(/<meta\s[^>]{0,300}>/gi)) {
    if (!/itemprop=["']duration["']/i.test(tag)) continue
    return parseIsoDuration(/content=["']([^"']{1,40})["']/i.exec(tag)?.[1] ?? '')
  }
  return null
}

/** Parses the object literal after `marker`. It ends where its braces close, ignoring braces in strings. */
function objectAfter(html: string, marker: RegExp): unknown {
  const match = marker.exec(html)
  if (match === null) return undefined
  const start = match.index + match[0].length
  const end = closingBrace(html, start)
  if (end === -1) return undefined
  try {
    return JSON.parse(html.slice(start, end + 1))
  } catch {
    return undefined
  }
}

function closingBrace(text: string, start: number): number {
  let depth = 0
  let quoted = false
  for (let at = start; at < text.length; at += 1) {
    const char = text[at]
    if (quoted) {
      if (char === '\\') at += 1
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === '{') depth += 1
    else if (char === '}') {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return -1
}
