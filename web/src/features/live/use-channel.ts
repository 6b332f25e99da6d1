import type { NowState, StreamStatus } from '@looptide/contracts/http/channels'
import { type ServerPushes, topics } from '@looptide/contracts/realtime'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiError } from '../../lib/api/api-error.ts'
import { realtime, serverClock } from '../../lib/clients.ts'
import type { Subscription } from '../../lib/realtime/realtime-client.ts'
import type { TopicState } from '../../lib/realtime/shared-topic.ts'
import { type ClockSampler, localNowMs, sampleClock } from '../../lib/time/server-clock.ts'
import { fetchNow, POLL_MS } from './api.ts'
import { newerTimeline, type Timeline } from './timeline-state.ts'

/** Every second poll, every 30 s, includes the health check: a separate message would cost more than its reply. */
const POLLS_PER_HEALTH_CHECK = 2
/** Time without a response until the server is shown as unavailable, in ms. The request continues. */
const RESPONSE_TIMEOUT_MS = 6000
/** With more than this loaded, a top-up is delayed at random, so that viewers do not all request at once. */
const SPREAD_ABOVE_MS = 10 * 60_000
const SPREAD_MS = 20_000

type ChannelFailure = 'unavailable' | 'missing'

export interface LiveChannel {
  /** Undefined until the first response for this channel. */
  timeline: Timeline | undefined
  viewers: number | undefined
  connection: TopicState
  /** Whether any server is healthy, as pushed over the socket; undefined before that and while the socket is down. */
  isHealthy: boolean | undefined
  /** Why the last request of the timeline failed: no response, or the channel does not exist. */
  failure: ChannelFailure | undefined
  /** Requests the timeline now. */
  refresh: () => void
  /** Clears the failure and requests the timeline. */
  retry: () => void
  /** Requests more programmes; at once if little is left. */
  topUp: () => void
}

/**
 * Follows a channel: its programmes over HTTP and the socket, the server's clock, and the viewer count. During an
 * outage the loaded programmes stay valid.
 */
export function useChannel(channelId: string): LiveChannel {
  const { timeline, failure, setFailure, setTimeline, applyState, refresh } = useTimeline(channelId)
  const [viewers, setViewers] = useState<number>()
  const [health, setHealth] = useState<boolean>()

  const connection = useStreamTopic(channelId, {
    version: timeline?.timelineVersion,
    onState: applyState,
    onStatus: (status) => setTimeline((known) => known && { ...known, status }),
    onViewers: setViewers,
    onHealth: setHealth,
    onStale: refresh,
  })

  useEffect(() => {
    setViewers(undefined)
    setFailure(undefined)
    refresh()
  }, [refresh, setFailure])
  useEffect(() => {
    if (connection === 'joined') return
    setHealth(undefined)
    const timer = setInterval(refresh, POLL_MS)
    return () => clearInterval(timer)
  }, [connection, refresh])

  const topUp = useTopUp(timeline, refresh)
  const retry = () => {
    setFailure(undefined)
    refresh()
  }
  return { timeline, viewers, connection, isHealthy: health, failure, refresh, retry, topUp }
}

/** The timeline of a channel, requested by `refresh` and replaced by newer states. */
function useTimeline(channelId: string) {
  const [timeline, setTimeline] = useState<Timeline>()
  const [failure, setFailure] = useState<ChannelFailure>()
  const applyState = useCallback((state: NowState) => {
    setTimeline((known) => newerTimeline(known, state))
    setFailure(undefined)
  }, [])

  const responseTimer = useRef<number>(undefined)
  const request = useCallback(async () => {
    const sentAtMs = localNowMs()
    clearTimeout(responseTimer.current)
    responseTimer.current = window.setTimeout(
      () => setFailure((known) => known ?? 'unavailable'),
      RESPONSE_TIMEOUT_MS,
    )
    try {
      const state = await fetchNow(channelId)
      addHttpSample(sentAtMs, state.serverNowMs)
      applyState(state)
    } catch (reason) {
      setFailure(isRefusal(reason) ? 'missing' : 'unavailable')
    } finally {
      clearTimeout(responseTimer.current)
    }
  }, [channelId, applyState])
  useEffect(() => () => clearTimeout(responseTimer.current), [request])

  return {
    /** Undefined for a state of another channel. */
    timeline: timeline?.channelId === channelId ? timeline : undefined,
    failure,
    setFailure,
    setTimeline,
    applyState,
    refresh: useCallback(() => void request(), [request]),
  }
}

/** An unknown or invalid channel id. */
const isRefusal = (reason: unknown): boolean =>
  reason instanceof ApiError && (reason.status === 404 || reason.status === 400)

/**
 * Adds the time of an HTTP response as the first clock sample. A cached response has an old time, so it is used only
 * until the socket has provided samples.
 */
function addHttpSample(sentAtMs: number, serverNowMs: number): void {
  if (serverClock.estimate()) return
  serverClock.addSample({ sentAtMs, serverNowMs, receivedAtMs: localNowMs() })
}

interface StreamTopic {
  version: number | undefined
  onState: (state: NowState) => void
  onStatus: (status: StreamStatus) => void
  onViewers: (count: number) => void
  onHealth: (isHealthy: boolean) => void
  /** Called when the loaded programmes are out of date. */
  onStale: () => void
}

/** Subscribes to the channel's topic: state, viewer count, clock requests and polls, which are small while joined. */
function useStreamTopic(channelId: string, topic: StreamTopic): TopicState {
  const [connection, setConnection] = useState<TopicState>('joining')
  const onState = useEffectEvent(topic.onState)
  const onStatus = useEffectEvent(topic.onStatus)
  const onViewers = useEffectEvent(topic.onViewers)
  const onPoll = useEffectEvent(({ timelineVersion, healthy }: ServerPushes['stream']['poll']) => {
    if (timelineVersion !== undefined && timelineVersion !== topic.version) topic.onStale()
    if (healthy !== undefined) topic.onHealth(healthy)
  })
  const onVersion = useEffectEvent(({ timelineVersion, status }: Omit<NowState, 'programmes'>) => {
    if (timelineVersion === topic.version) topic.onStatus(status)
    else topic.onStale()
  })
  const knownVersion = useEffectEvent(() => topic.version ?? 0)

  useEffect(() => {
    let sampler: ClockSampler | undefined
    let poll: ReturnType<typeof setInterval> | undefined
    const stopSampling = () => {
      sampler?.stop()
      clearInterval(poll)
    }
    const subscription: Subscription<'stream'> = realtime.subscribe('stream', topics.stream(channelId), {
      pushes: {
        snapshot: ({ programmes, viewers, ...state }) => {
          if (programmes) onState({ ...state, programmes })
          else onVersion(state)
          onViewers(viewers)
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
        stopSampling()
        if (state !== 'joined') return
        sampler = sampleClock(serverClock, (request) => subscription.send('clock', request))
        let polls = 0
        poll = setInterval(() => {
          const health = polls % POLLS_PER_HEALTH_CHECK === 0 ? { health: true } : {}
          polls += 1
          if (subscription.send('poll', { timelineVersion: knownVersion(), ...health })) sampler?.onPollSent()
        }, POLL_MS)
      },
    })
    return () => {
      stopSampling()
      subscription.leave()
      setConnection('joining')
    }
  }, [channelId])

  return connection
}

/** Requests more programmes: at once if little is left, else at a random time within 20 s. */
function useTopUp(timeline: Timeline | undefined, refresh: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const run = useEffectEvent(refresh)
  useEffect(() => () => clearTimeout(timer.current), [])
  return () => {
    clearTimeout(timer.current)
    const leftMs = (timeline?.programmes.at(-1)?.endsAtMs ?? 0) - serverClock.nowMs()
    const waitMs = leftMs > SPREAD_ABOVE_MS ? Math.random() * SPREAD_MS : 0
    timer.current = setTimeout(run, waitMs)
  }
}
