import { createHash } from 'node:crypto'

/** A video of the fake YouTube. `state` decides the error, as in the real one. */
export interface FakeVideo {
  id: string
  title: string
  channel: string
  description: string
  durationS: number
  /** `private` and `removed` are not listed; `unembeddable` is, but plays only on YouTube. */
  state: 'public' | 'private' | 'removed' | 'unembeddable'
  /** `status` in the Data API, if it is not `public` although the video is listed. */
  privacyStatus?: 'public' | 'unlisted' | 'private'
  /** A premiere or live stream that has not ended; `scheduledStart` is RFC 3339. Its duration is unknown. */
  broadcast?: { state: 'upcoming' | 'live'; scheduledStart: string } | null
  regionBlocked?: string[]
  regionAllowed?: string[]
  /** The watch page is a consent form without data of the video, as it can be in Europe. */
  consentWall?: boolean
}

const WORDS = 'Velvet,Neon,Midnight,Golden,Paper,Electric,Silver,Summer,Broken,Distant,Crystal,Wild'.split(
  ',',
)
const NOUNS = 'Hearts,Harbour,Parade,Rivers,Radio,Skyline,Mirrors,Tigers,Garden,Echoes,Avenue,Signals'.split(
  ',',
)
const ID = /^[A-Za-z0-9_-]{11}$/

const pick = (list: readonly string[], at: number): string => list[at % list.length] ?? ''

/** Default data of a video, derived from its id; 2 to 6 minutes long. */
function inventVideo(id: string): FakeVideo {
  const bytes = createHash('sha256').update(id).digest()
  const byte = (at: number): number => bytes.readUInt8(at)
  return {
    id,
    title: `${pick(WORDS, byte(0))} ${pick(NOUNS, byte(1))}`,
    channel: `The ${pick(WORDS, byte(2))} ${pick(NOUNS, byte(3))}`,
    description: `Official music video.\nCatalogue number ${byte(4)}.`,
    durationS: 120 + ((byte(5) * 256 + byte(6)) % 241),
    state: 'public',
  }
}

/** Every 11-character id is a video unless a test changes it. */
export class FakeVideos {
  readonly #known = new Map<string, FakeVideo>()

  set(id: string, facts: Partial<Omit<FakeVideo, 'id'>>): void {
    this.#known.set(id, { ...this.#of(id), ...facts, id })
  }

  /** Undefined if the id is malformed. */
  get(id: string): FakeVideo | undefined {
    return ID.test(id) ? this.#of(id) : undefined
  }

  #of(id: string): FakeVideo {
    return this.#known.get(id) ?? inventVideo(id)
  }
}

/** 'PT1H2M3S', YouTube's format of durations. */
export function isoDuration(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return `PT${hours > 0 ? `${hours}H` : ''}${minutes > 0 ? `${minutes}M` : ''}${rest > 0 || seconds < 60 ? `${rest}S` : ''}`
}
