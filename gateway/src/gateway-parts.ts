import { gatewayBroadcastSend } from '@looptide/contracts/operations/gateway'
import { topics } from '@looptide/contracts/realtime'
import { RefusedAttemptReporter } from '@looptide/service-kit/audit/refused-attempts'
import { LiveMessages } from '@looptide/service-kit/events/live-messages'
import type { NatsConnection } from '@looptide/service-kit/events/nats-client'
import { type AccessList, LiveAccessList } from '@looptide/service-kit/identity/access-list'
import { issuerOf, JwksTokenVerifier } from '@looptide/service-kit/identity/tokens'
import type { ClientNetwork } from '@looptide/service-kit/limits/client-network'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import type { Metrics } from '@looptide/service-kit/telemetry/metrics'
import type { StationClock } from '@looptide/service-kit/time/station-clock'
import { AttendanceCounter } from './channels/attendance-counter.ts'
import { ChannelStateCache } from './channels/channel-state-cache.ts'
import { LastMessageSeqs } from './channels/last-message-seqs.ts'
import { ReactionCounter } from './channels/reaction-counter.ts'
import { ViewerCounter } from './channels/viewer-counter.ts'
import { type GatewayConfig, socketsPerNetwork } from './config.ts'
import { EventFeed } from './events/event-feed.ts'
import { SharedResponses } from './fast-path/shared-responses.ts'
import type { HealthMonitor } from './health/health-monitor.ts'
import { PersonalTokens } from './http/personal-tokens.ts'
import { NowPlayingSource } from './now-playing/now-playing-source.ts'
import { SchedulerLists } from './now-playing/scheduler-lists.ts'
import { NowPlayingStreams } from './now-playing/streams/now-playing-streams.ts'
import { Peers } from './peers/peers.ts'
import { TopicBridge } from './peers/topic-bridge.ts'
import type { ChannelDirectory } from './realtime/channel-directory.ts'
import { Hub } from './realtime/hub.ts'
import { fanOutOptions, hubLimits } from './realtime/hub-limits.ts'
import { createHubMetrics } from './realtime/hub-metrics.ts'
import { type Identity, IdentityChecker } from './realtime/identity.ts'
import { broadcastJson } from './realtime/protocol/codec.ts'
import type { RoleAttempt, RoleTopic } from './realtime/topic/topic-rules.ts'

/** The stateful parts of a gateway. */
export interface GatewayParts {
  peers: Peers
  bridge: TopicBridge
  hub: Hub
  states: ChannelStateCache
  counter: ViewerCounter
  reactions: ReactionCounter
  feed: EventFeed
  access: LiveAccessList
  shared: SharedResponses
  personalTokens: PersonalTokens
  refusals: RefusedAttemptReporter
  nowPlaying: NowPlayingSource
  streams: NowPlayingStreams
}

interface GatewayPartsDeps {
  config: GatewayConfig
  nats: NatsConnection
  logger: Logger
  metrics: Metrics
  health: HealthMonitor
  clock: StationClock
}

/** Creates the parts and connects them. Nothing is started. */
export function buildParts(deps: GatewayPartsDeps): GatewayParts {
  const { config, nats, logger, metrics, health, clock } = deps
  const { now } = clock
  const { authUrl, internalToken, eventKeys: keys } = config
  const access = new LiveAccessList({ authUrl, internalToken, nats, keys, logger, metrics, now })
  const verifier = new JwksTokenVerifier(
    `${authUrl}/auth/v1/.well-known/jwks.json`,
    issuerOf(config.siteUrl),
    now,
  )
  const states: ChannelStateCache = createChannelStates(deps, (id) => {
    const json = states.json(id)
    if (json !== null) hub.publishJson(topics.stream(id), broadcastJson('now', json))
  })
  const lastMessageSeqs: LastMessageSeqs = new LastMessageSeqs({
    chatUrl: config.upstreams.chat,
    logger,
    onFetched: (id) => hub.publish(topics.chat(id), 'snapshot', { lastSeq: lastMessageSeqs.get(id) }),
  })
  const live = new LiveMessages({ nats, logger, metrics })
  const peers = new Peers({ nats, live, monotonicMs: () => performance.now() })
  const bridge = new TopicBridge(peers)
  const refusals = new RefusedAttemptReporter({ ...config, logger, metrics })
  const hub: Hub = new Hub({
    onRefusedRole: reportRefusedTopic(refusals, access),
    identities: new IdentityChecker(verifier, access),
    channels: channelDirectory(states, lastMessageSeqs, (id) => counter.total(id)),
    isHealthy: () => health.isHealthy(),
    addReaction: (...reaction) => reactions.add(...reaction),
    peers: bridge,
    limits: hubLimits(config.rateLimitFactor, socketsPerNetwork(config)),
    fanOut: fanOutOptions(config.rateLimitFactor),
    metrics: createHubMetrics(metrics.registry),
    logger,
    now,
  })
  const counter: ViewerCounter = createViewerCounter({ hub, peers, states }, now, (id) =>
    streams.viewersChanged(id),
  )
  const reactions: ReactionCounter = createReactionCounter({ hub, peers, states }, now)
  access.onChange((change) => {
    if (change.kind === 'revoked') hub.revokeSessions(change.sessionIds)
    else if (change.kind === 'outdated') hub.outdateSessions(change.sessions)
    else if (change.kind === 'role') hub.recheckRole(change.userId)
    else {
      verifier.revokeKey(change.kid)
      hub.revokeKey(change.kid)
    }
  })
  const shared = new SharedResponses({ upstreams: config.upstreams, access, now })
  const personalTokens = new PersonalTokens({ authUrl, internalToken, access, now })
  const feed = new EventFeed({ nats, live, keys, hub, states, lastMessageSeqs, shared, logger, metrics })
  const nowPlaying = createNowPlaying(deps, { shared, states, counter })
  const streams: NowPlayingStreams = new NowPlayingStreams({
    ...{ source: nowPlaying, states, registry: metrics.registry },
    now: () => performance.now(),
  })
  const toClients = { hub, streams, nowPlaying, shared }
  return { ...toClients, peers, bridge, states, counter, reactions, access, personalTokens, refusals, feed }
}

/** The channel states, which also set the gateway's clock from the scheduler's responses. */
function createChannelStates(
  { config, logger, clock }: GatewayPartsDeps,
  onChange: (channelId: string) => void,
): ChannelStateCache {
  return new ChannelStateCache({
    schedulerUrl: config.upstreams['stream-scheduler'],
    logger,
    now: clock.now,
    onTime: (serverNowMs, requestedAtMs) => {
      const errorMs = clock.adjust(serverNowMs, requestedAtMs)
      if (errorMs !== 0) logger.warn({ errorMs }, 'clock corrected from scheduler')
    },
    onChange,
  })
}

/** What the hub reads about channels, from the gateway's memory. */
const channelDirectory = (
  states: ChannelStateCache,
  lastMessageSeqs: LastMessageSeqs,
  viewersOf: (channelId: string) => number,
): ChannelDirectory => ({
  exists: (channelId) => states.exists(channelId),
  snapshot: ({ kind, id }) => {
    if (kind === 'stream') return states.snapshot(id, `,"viewers":${viewersOf(id)}`)
    const lastSeq = kind === 'chat' ? lastMessageSeqs.get(id) : null
    return lastSeq === null ? null : { head: `{"lastSeq":${lastSeq}`, shared: null, tail: '}' }
  },
  timeline: (channelId) => {
    const state = states.get(channelId)
    return state === null ? null : { timelineVersion: state.timelineVersion, status: state.status }
  },
})

function createNowPlaying(
  { config, clock: { now } }: GatewayPartsDeps,
  { shared, states, counter }: Pick<GatewayParts, 'shared' | 'states' | 'counter'>,
): NowPlayingSource {
  return new NowPlayingSource({
    site: { siteUrl: config.siteUrl, brandName: config.brand.name },
    lists: new SchedulerLists({ shared, now }),
    ...{ states, counter, now },
  })
}

function createViewerCounter(
  { hub, peers, states }: Pick<GatewayParts, 'hub' | 'peers' | 'states'>,
  now: () => number,
  onPublished: (channelId: string) => void,
): ViewerCounter {
  const attendance = new AttendanceCounter({
    programmeOf: (id) => states.programmes(id)[0]?.id,
    onCounted: (change) => hub.deps.metrics.viewers.inc({ change }),
    now,
  })
  const counter = new ViewerCounter({
    ...{ peers, attendance, now },
    local: { all: () => hub.viewers(), of: (id) => hub.viewersOf(id) },
    publish: (counts) => {
      for (const [channelId, count] of counts) {
        hub.publish(topics.stream(channelId), 'viewers', { count })
        onPublished(channelId)
      }
      // One push for all channels: the control room shows every channel.
      hub.publish(topics.admin, 'viewers', { counts: Object.fromEntries(counts) })
    },
  })
  hub.onViewersChange((change) => {
    // Viewers of a gateway that ends have not left: they reconnect to another one.
    if (change.kind === 'join' || !hub.isDraining) attendance.add(change)
    counter.changed(change.channelId)
  })
  return counter
}

const createReactionCounter = (
  { hub, peers, states }: Pick<GatewayParts, 'hub' | 'peers' | 'states'>,
  now: () => number,
): ReactionCounter =>
  new ReactionCounter({
    ...{ peers, now },
    airingOf: (id) => states.programmes(id)[0]?.id,
    publish: (id, reactions) => hub.publish(topics.stream(id), 'reactions', { ...reactions }),
  })

/** Reports to the audit log that a signed-in user was refused a topic because of their role. */
const reportRefusedTopic =
  (refusals: RefusedAttemptReporter, access: AccessList) =>
  ({ userId, isAnonymous }: Identity, client: ClientNetwork, topic: RoleTopic, attempt: RoleAttempt): void =>
    refusals.report({
      userId,
      role: access.roleOf(userId),
      operation: `realtime.${topic}.${attempt}`,
      route: attempt === 'join' ? `phx_join realtime:${topic}` : gatewayBroadcastSend.call,
      params: {},
      targetUserId: null,
      requestId: '',
      lacks: 'role',
      anonymousFrom: isAnonymous ? client : null,
    })
