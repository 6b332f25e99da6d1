import { type ClockEstimate, type ClockSample, estimateOffset, keepSamples } from '@looptide/playhead/clock'

/** A monotonic local clock in epoch ms, unlike `Date.now()`. */
export const localNowMs = (): number => performance.timeOrigin + performance.now()

export interface ServerClock {
  /** The server's time (epoch ms); the local time until the first sample. */
  nowMs(): number
  /** Offset and accuracy of the estimate; undefined before the first sample. */
  estimate(): ClockEstimate | undefined
  addSample(sample: ClockSample): void
  /** Discards all samples: after the machine slept, or with another server. */
  reset(): void
  /** Calls back whenever the estimate changes. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void
}

/** Estimates the server's clock. Samples come from the socket, or from `serverNowMs` of HTTP responses. */
export function createServerClock(localNow: () => number = localNowMs): ServerClock {
  let samples: ClockSample[] = []
  let estimate: ClockEstimate | undefined
  const listeners = new Set<() => void>()

  const set = (next: ClockSample[]) => {
    samples = next
    estimate = estimateOffset(samples)
    for (const listener of listeners) listener()
  }

  return {
    nowMs: () => localNow() + (estimate?.offsetMs ?? 0),
    estimate: () => estimate,
    addSample: (sample) => set(keepSamples([...samples, sample])),
    reset: () => set([]),
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Sends clock requests over the stream topic and turns their replies into samples. */
export interface ClockSampler {
  /** Call it with each `clock` push of the stream topic. */
  onReply(push: { sentAtMs: number; serverNowMs: number }): void
  /** Call these when a poll is sent and with each reply: it contains the server's time as well. */
  onPollSent(): void
  onPollReply(push: { serverNowMs: number }): void
  stop(): void
}

/** Requests sent right after joining: enough for one fast round trip. */
const BURST = 6
const BURST_GAP_MS = 250
/** A request without a reply is given up after this many newer ones. */
const MAX_PENDING = 4

/**
 * Takes clock samples over a joined channel: a burst of requests at once, afterwards the polls, every 15 s. Two quartz
 * clocks drift by a few milliseconds in that time at most. A reply counts only for a pending request, so that a late or
 * forged one has no effect. Poll replies arrive in the order of the polls.
 */
export function sampleClock(
  clock: ServerClock,
  sendRequest: (request: { sentAtMs: number }) => void,
  localNow: () => number = localNowMs,
): ClockSampler {
  let pending: number[] = []
  let pendingPolls: number[] = []
  let sent = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const next = () => {
    const sentAtMs = localNow()
    pending = [...pending, sentAtMs].slice(-MAX_PENDING)
    sent += 1
    sendRequest({ sentAtMs })
    if (sent < BURST) timer = setTimeout(next, BURST_GAP_MS)
  }
  next()

  return {
    onReply: ({ sentAtMs, serverNowMs }) => {
      if (!pending.includes(sentAtMs)) return
      pending = pending.filter((each) => each !== sentAtMs)
      clock.addSample({ sentAtMs, serverNowMs, receivedAtMs: localNow() })
    },
    onPollSent: () => {
      pendingPolls = [...pendingPolls, localNow()]
    },
    onPollReply: ({ serverNowMs }) => {
      const [sentAtMs, ...rest] = pendingPolls
      pendingPolls = rest
      if (sentAtMs !== undefined) clock.addSample({ sentAtMs, serverNowMs, receivedAtMs: localNow() })
    },
    stop: () => clearTimeout(timer),
  }
}
