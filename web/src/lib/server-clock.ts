import { type ClockEstimate, type ClockSample, estimateOffset, keepSamples } from '@looptide/playhead/clock'

/** A local clock in epoch ms that never jumps, unlike `Date.now()`. */
export const localNowMs = (): number => performance.timeOrigin + performance.now()

export type ServerClock = {
  /** The server's time now (epoch ms); the local clock's until the first sample. */
  nowMs(): number
  /** How well the server's time is known; undefined before the first sample. */
  estimate(): ClockEstimate | undefined
  addSample(sample: ClockSample): void
  /** Forgets what was measured: after the machine slept, or on another server. */
  reset(): void
  /** Calls back whenever the estimate changes; returns how to stop. */
  onChange(listener: () => void): () => void
}

/** The server's clock as seen from here. Samples come from the socket, or from `serverNowMs` of HTTP answers. */
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

/** How the clock asks: `ask` sends one question; the answer comes back through `answered`. */
export type ClockSampler = {
  /** To be called with each `clock` push of the stream topic. */
  answered(push: { sentAtMs: number; serverNowMs: number }): void
  /** To be called as a poll is sent, and with each of its answers: they tell the time as well. */
  polled(): void
  pollAnswered(push: { serverNowMs: number }): void
  stop(): void
}

/** Right after joining: enough quick questions to catch one fast round trip. */
const BURST = 6
const BURST_GAP_MS = 250
/** A question that is still open when so many newer ones have been asked has been lost. */
const OPEN_AT_MOST = 4

/**
 * Keeps the clock fed over a joined channel: a burst of questions at once, afterwards by the polls, every 15 s; two
 * ordinary quartz clocks drift by a few milliseconds within that time at most. An answer counts only for a question
 * that is open, so that a late or made-up one changes nothing. Each poll is answered, in the order of asking.
 */
export function sampleClock(
  clock: ServerClock,
  ask: (question: { sentAtMs: number }) => void,
  localNow: () => number = localNowMs,
): ClockSampler {
  let open: number[] = []
  let openPolls: number[] = []
  let asked = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const next = () => {
    const sentAtMs = localNow()
    open = [...open, sentAtMs].slice(-OPEN_AT_MOST)
    asked += 1
    ask({ sentAtMs })
    if (asked < BURST) timer = setTimeout(next, BURST_GAP_MS)
  }
  next()

  return {
    answered: ({ sentAtMs, serverNowMs }) => {
      if (!open.includes(sentAtMs)) return
      open = open.filter((known) => known !== sentAtMs)
      clock.addSample({ sentAtMs, serverNowMs, receivedAtMs: localNow() })
    },
    polled: () => {
      openPolls = [...openPolls, localNow()]
    },
    pollAnswered: ({ serverNowMs }) => {
      const [sentAtMs, ...rest] = openPolls
      openPolls = rest
      if (sentAtMs !== undefined) clock.addSample({ sentAtMs, serverNowMs, receivedAtMs: localNow() })
    },
    stop: () => clearTimeout(timer),
  }
}
