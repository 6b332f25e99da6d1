import type { NowState, StreamStatus } from '@looptide/contracts/http/channels'
import { type ServerPushes, topics } from '@looptide/contracts/realtime'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiError } from '../../lib/api-error.ts'
import { realtime, serverClock } from '../../lib/clients.ts'
import type { Subscription, TopicState } from '../../lib/realtime-client.ts'
import { type ClockSampler, localNowMs, sampleClock } from '../../lib/server-clock.ts'
import { fetchNow, POLL_MS } from './api.ts'
import { newerTimeline, type Timeline } from './timeline-state.ts'

/** Every second poll is the health check, every 30 s, as well: a message of its own would cost more than its answer. */
const POLLS_PER_HEALTH_CHECK = 2
/** Without an answer for this long the page says that the server is unavailable, and goes on waiting. */
const SILENCE_MS = 6000
/** With this much of the future in hand a top-up can wait a little, so that viewers do not all ask at once. */
const UNHURRIED_MS = 10 * 60_000
const SPREAD_MS = 20_000

export type ChannelFailure = 'unavailable' | 'missing'

export type LiveChannel = {
  /** Undefined until the first answer of this channel. */
  timeline: Timeline | undefined
  viewers: number | undefined
  connection: TopicState
  /** Whether any server does well, as the socket has told; undefined before it has, and while it is down. */
  isHealthy: boolean | undefined
  /** Why the last try to get the timeline failed: nobody answered, or there is no such channel. */
  failure: ChannelFailure | undefined
  /** Asks for the timeline now. */
  refresh: () => void
  /** The same after a failure, as if nothing had been tried before. */
  retry: () => void
  /** Asks for more of the future; at once if little is left. */
  topUp: () => void
}

/**
 * Follows a channel: its window of programmes over HTTP and the socket, the server's clock, viewers. An outage
 * changes nothing that is known: the window in hand goes on being true.
 */
export function useChannel(channelId: string): LiveChannel {
  const [timeline, setTimeline] = useState<Timeline>()
  const [viewers, setViewers] = useState<number>()
  const [failure, setFailure] = useState<ChannelFailure>()
  const [health, setHealth] = useState<boolean>()
  const current = timeline?.channelId === channelId ? timeline : undefined

  const take = useCallback((state: NowState) => {
    setTimeline((known) => newerTimeline(known, state))
    setFailure(undefined)
  }, [])

  const silence = useRef<number>(undefined)
  const refresh = useCallback(async () => {
    const sentAtMs = localNowMs()
    clearTimeout(silence.current)
    silence.current = window.setTimeout(() => setFailure((known) => known ?? 'unavailable'), SILENCE_MS)
    try {
      const state = await fetchNow(channelId)
      feedClock(sentAtMs, state.serverNowMs)
      take(state)
    } catch (reason) {
      setFailure(isRefusal(reason) ? 'missing' : 'unavailable')
    } finally {
      clearTimeout(silence.current)
    }
  }, [channelId, take])

  const connection = useStreamTopic(channelId, {
    version: current?.timelineVersion,
    onState: take,
    onStatus: (status) => setTimeline((known) => known && { ...known, status }),
    onViewers: setViewers,
    onHealth: setHealth,
    onStale: () => void refresh(),
  })

  useEffect(() => {
    setViewers(undefined)
    setFailure(undefined)
    void refresh()
    return () => clearTimeout(silence.current)
  }, [refresh])
  useEffect(() => {
    if (connection === 'joined') return
    setHealth(undefined)
    const timer = setInterval(() => void refresh(), POLL_MS)
    return () => clearInterval(timer)
  }, [connection, refresh])

  const topUp = useTopUp(current, () => void refresh())
  const retry = () => {
    setFailure(undefined)
    void refresh()
  }
  return {
    timeline: current,
    viewers,
    connection,
    isHealthy: health,
    failure,
    refresh: () => void refresh(),
    retry,
    topUp,
  }
}

/** An unknown channel, or an address that cannot be one. */
const isRefusal = (reason: unknown): boolean =>
  reason instanceof ApiError && (reason.status === 404 || reason.status === 400)

/**
 * An HTTP answer tells the time as well, but a cached one tells an old time: it serves only until the socket has
 * told better.
 */
function feedClock(sentAtMs: number, serverNowMs: number): void {
  if (serverClock.estimate()) return
  serverClock.addSample({ sentAtMs, serverNowMs, receivedAtMs: localNowMs() })
}

type StreamTopic = {
  version: number | undefined
  onState: (state: NowState) => void
  onStatus: (status: StreamStatus) => void
  onViewers: (count: number) => void
  onHealth: (isHealthy: boolean) => void
  /** The future this page knows is not the true one any more. */
  onStale: () => void
}

/** The channel's topic: state, viewers, clock questions and the poll, which is a tiny one while joined. */
function useStreamTopic(channelId: string, topic: StreamTopic): TopicState {
  const [connection, setConnection] = useState<TopicState>('joining')
  const onState = useEffectEvent(topic.onState)
  const onStatus = useEffectEvent(topic.onStatus)
  const onViewers = useEffectEvent(topic.onViewers)
  const onPoll = useEffectEvent(({ timelineVersion, healthy }: ServerPushes['stream']['poll']) => {
    if (timelineVersion !== undefined && timelineVersion !== topic.version) topic.onStale()
    if (healthy !== undefined) topic.onHealth(healthy)
  })
  const knownVersion = useEffectEvent(() => topic.version ?? 0)

  useEffect(() => {
    let sampler: ClockSampler | undefined
    let poll: ReturnType<typeof setInterval> | undefined
    const rest = () => {
      sampler?.stop()
      clearInterval(poll)
    }
    const subscription: Subscription<'stream'> = realtime.subscribe('stream', topics.stream(channelId), {
      pushes: {
        snapshot: (state) => {
          onState(state)
          onViewers(state.viewers)
        },
        now: (state) => onState(state),
        status: ({ status }) => onStatus(status),
        viewers: ({ count }) => onViewers(count),
        clock: (push) => sampler?.onReply(push),
        poll: (push) => {
          sampler?.onPollReply(push)
          onPoll(push)
        },
      },
      onState: (state) => {
        setConnection(state)
        rest()
        if (state !== 'joined') return
        sampler = sampleClock(serverClock, (question) => subscription.send('clock', question))
        let polls = 0
        poll = setInterval(() => {
          const health = polls % POLLS_PER_HEALTH_CHECK === 0 ? { health: true } : {}
          polls += 1
          if (subscription.send('poll', { timelineVersion: knownVersion(), ...health })) sampler?.onPollSent()
        }, POLL_MS)
      },
    })
    return () => {
      rest()
      subscription.leave()
      setConnection('joining')
    }
  }, [channelId])

  return connection
}

/** Asks for more of the future: at once when little is left, else some time within the next 20 s. */
function useTopUp(timeline: Timeline | undefined, refresh: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const run = useEffectEvent(refresh)
  useEffect(() => () => clearTimeout(timer.current), [])
  return () => {
    clearTimeout(timer.current)
    const leftMs = (timeline?.programmes.at(-1)?.endsAtMs ?? 0) - serverClock.nowMs()
    const waitMs = leftMs > UNHURRIED_MS ? Math.random() * SPREAD_MS : 0
    timer.current = setTimeout(run, waitMs)
  }
}
