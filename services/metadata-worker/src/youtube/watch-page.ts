import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { parseIsoDuration } from './iso-duration.ts'

/** What a watch page tells; null and undefined where it doesn't. */
export interface WatchPage {
  durationMs: number | null
  description: string | null
  title: string | null
  author: string | null
  /** 'OK', 'LOGIN_REQUIRED', 'UNPLAYABLE', 'ERROR' … */
  playability: string | undefined
  playableInEmbed: boolean | undefined
  /** What YouTube says about why it can't be played. */
  reason: string
}

const Text = Type.Optional(Type.String())
const PlayerResponse = Type.Object({
  playabilityStatus: Type.Optional(
    Type.Object({
      status: Text,
      reason: Text,
      messages: Type.Optional(Type.Array(Type.String())),
      playableInEmbed: Type.Optional(Type.Boolean()),
    }),
  ),
  videoDetails: Type.Optional(
    Type.Object({ title: Text, author: Text, shortDescription: Text, lengthSeconds: Text }),
  ),
})

/** Reads what the page's player is given, or at least the length in its markup. Never throws. */
export function parseWatchPage(html: string): WatchPage {
  const found = objectAfter(html, /ytInitialPlayerResponse["']?\]?\s*=\s*(?=\{)/)
  const response = Check(PlayerResponse, found) ? found : {}
  const { videoDetails: details, playabilityStatus: playability } = response
  const seconds = Number(details?.lengthSeconds ?? 0)
  return {
    durationMs: seconds > 0 && Number.isFinite(seconds) ? Math.round(seconds * 1000) : markedDuration(html),
    description: details?.shortDescription ?? null,
    title: details?.title ?? null,
    author: details?.author ?? null,
    playability: playability?.status,
    playableInEmbed: playability?.playableInEmbed,
    reason: [playability?.reason, ...(playability?.messages ?? [])].filter(Boolean).join(' '),
  }
}

/** `<meta itemprop="duration" content="PT3M33S">`, whatever the order of its attributes. */
function markedDuration(html: string): number | null {
  for (const [tag] of html.matchAll(/<meta\s[^>]{0,300}>/gi)) {
    if (!/itemprop=["']duration["']/i.test(tag)) continue
    return parseIsoDuration(/content=["']([^"']{1,40})["']/i.exec(tag)?.[1] ?? '')
  }
  return null
}

/** The object literal that stands behind `marker`: its end is where its braces close, outside of texts. */
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
    const sign = text[at]
    if (quoted) {
      if (sign === '\\') at += 1
      else if (sign === '"') quoted = false
    } else if (sign === '"') quoted = true
    else if (sign === '{') depth += 1
    else if (sign === '}') {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return -1
}
