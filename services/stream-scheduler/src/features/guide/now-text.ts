import type { Programme } from '@looptide/contracts/http/channels'
import { programmeAt } from '@looptide/playhead/programme'
import { errors } from '@looptide/service-kit/errors'
import type { KnownChannel, KnownProgramme, TimelineMemory } from '../../timeline/timeline-memory.ts'

/** How far `now` looks ahead (ms): what a player can go on with by itself when it hears nothing. */
export const NOW_WINDOW_MS = 7_200_000
/** Most programmes one answer carries, however short they are. */
const MOST_NOW = 500
export const MOST_GUIDE = 2000

interface Answer {
  body: string
  etag: string
}

/** The channel, from memory or, should this process not know it yet, from the database. */
export async function knownChannel(memory: TimelineMemory, id: string): Promise<KnownChannel> {
  const known = memory.get(id)
  if (known !== undefined) return known
  await memory.refresh([id])
  const read = memory.get(id)
  if (read === undefined) throw errors.notFound('This channel')
  return read
}

/** Programmes that overlap [fromMs, toMs), at most `most`. */
export function programmesBetween(
  programmes: readonly KnownProgramme[],
  fromMs: number,
  toMs: number,
  most: number,
): KnownProgramme[] {
  const first = firstEndingAfter(programmes, fromMs)
  const shown: KnownProgramme[] = []
  for (let index = first; index < programmes.length && shown.length < most; index += 1) {
    const programme = programmes[index]
    if (programme === undefined || programme.startsAtMs >= toMs) break
    shown.push(programme)
  }
  return shown
}

function firstEndingAfter(programmes: readonly KnownProgramme[], atMs: number): number {
  const onAir = programmeAt(programmes, atMs)
  const first = programmes[0]
  if (onAir !== undefined && first !== undefined) return onAir.seq - first.seq
  return first !== undefined && first.startsAtMs > atMs ? 0 : programmes.length
}

/**
 * `now` as JSON text, made once for all who ask until a programme ends or the future changes: only the clock in
 * it differs from one answer to the next.
 */
export class NowTexts {
  readonly #memory: TimelineMemory
  readonly #texts = new Map<string, { version: number; firstId: string; lastId: string; text: string }>()

  constructor(memory: TimelineMemory) {
    this.#memory = memory
  }

  async answer(id: string, nowMs: number): Promise<Answer> {
    const channel = await knownChannel(this.#memory, id)
    const { facts } = channel
    const window = programmesBetween(channel.programmes, nowMs, nowMs + NOW_WINDOW_MS, MOST_NOW)
    const firstId = window[0]?.id ?? ''
    const lastId = window.at(-1)?.id ?? ''
    const head = `{"channelId":${JSON.stringify(id)},"status":"${facts.status}","timelineVersion":${facts.timelineVersion}`
    const programmes = this.#programmes(channel, firstId, lastId, window)
    return {
      body: `${head},"serverNowMs":${nowMs},"programmes":${programmes}}`,
      etag: `W/"${facts.timelineVersion}-${facts.status}-${firstId}-${lastId}"`,
    }
  }

  #programmes(
    channel: KnownChannel,
    firstId: string,
    lastId: string,
    window: readonly KnownProgramme[],
  ): string {
    const { id, timelineVersion } = channel.facts
    const kept = this.#texts.get(id)
    if (kept?.firstId === firstId && kept.lastId === lastId && kept.version === timelineVersion) {
      return kept.text
    }
    const text = JSON.stringify(window.map((programme): Programme => this.#memory.present(id, programme)))
    this.#texts.set(id, { version: timelineVersion, firstId, lastId, text })
    return text
  }
}
