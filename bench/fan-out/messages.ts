/** Messages of the benchmark. All have the same length, so that the number is at a fixed place. */
export const CHANNEL = 'default'
export const CHAT_TOPIC = `realtime:chat:${CHANNEL}`
export const STREAM_TOPIC = `realtime:stream:${CHANNEL}`

const SEQ_DIGITS = 10
const TEXT = 'x'.repeat(80)

/** The payload of message number `seq`. */
export const payloadJson = (seq: number): string =>
  `{"seq":"${String(seq).padStart(SEQ_DIGITS, '0')}","message":"${TEXT}"}`

/** The text of the whole frame, equal for both servers. */
export const frameText = (payload: string): string =>
  `[null,null,"${CHAT_TOPIC}","broadcast",{"type":"broadcast","event":"message","payload":${payload}}]`

export const FRAME_BYTES = frameText(payloadJson(0)).length
const SEQ_OFFSET = frameText(payloadJson(0)).indexOf('0000000000')

/** The number of the message whose text begins at `start`. */
export const seqAt = (bytes: Uint8Array, start: number): number =>
  digitsAt(bytes, start + SEQ_OFFSET, SEQ_DIGITS)

/** The number whose `digits` decimal digits begin at `from`. Unlike `toString`, it calls no native code. */
export function digitsAt(bytes: Uint8Array, from: number, digits: number): number {
  let value = 0
  for (let at = from; at < from + digits; at += 1) value = value * 10 + (bytes[at] ?? 48) - 48
  return value
}

/** Snapshot of a stream topic: two hours of four-minute programmes. */
export function snapshotText(): string {
  const programmes = Array.from({ length: 31 }, (_, seq) => ({
    id: `018f0000-0000-7000-8000-0000000000${10 + seq}`,
    channelId: CHANNEL,
    seq,
    videoId: `018f0000-0000-7000-8000-0000000001${10 + seq}`,
    startsAtMs: 1_795_000_000_000 + seq * 240_000,
    endsAtMs: 1_795_000_240_000 + seq * 240_000,
    video: {
      id: `018f0000-0000-7000-8000-0000000001${10 + seq}`,
      title: 'A song with a title of common length',
      artistName: 'An Artist',
      genre: 'Pop',
      description: 'Directed by an artist, filmed outdoors.',
      duration: '4:00',
      durationMs: 240_000,
      thumbnailUrl: 'https://i.ytimg.com/vi/dQw4w9WgXcQ/hqdefault.jpg',
      youtubeId: 'dQw4w9WgXcQ',
      mediaUrl: null,
    },
  }))
  return JSON.stringify({ channelId: CHANNEL, status: 'live', timelineVersion: 1, programmes, viewers: 1 })
}
