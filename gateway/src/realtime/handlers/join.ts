import type { Snapshot } from '../channel-directory.ts'
import { digestOf, type Identity, type TokenResult } from '../identity.ts'
import { type ClientFrame, isObject, type JsonObject } from '../protocol/codec.ts'
import { type ChangeBindings, parseBindings } from '../protocol/postgres-changes.ts'
import type { ChannelSocket } from '../topic/membership.ts'
import { parseTopic, type TopicName } from '../topic/topic-name.ts'
import { findRoleTopic, TOPIC_RULES } from '../topic/topic-rules.ts'
import type { HandlerContext, HandlerResult } from './handler-context.ts'
import { sendJoinReply } from './join-reply.ts'
import { CLIENT_LIMIT_REACHED, TOPIC_LIMIT_REACHED } from './relay-budget.ts'

/** A join whose topic and parameters are valid. */
interface JoinRequest {
  connection: ChannelSocket
  frame: ClientFrame
  name: TopicName
  params: JoinParams
  bindings: ChangeBindings | null
}

/** Topics whose version one socket keeps. The oldest is forgotten first. */
const MAX_SENT_VERSIONS = 100

/** The result of checking the join's token; null without a token. */
type JoinToken = TokenResult | null

/** Handles `phx_join`. Every join gets a reply: without one, a client waits ten seconds. */
export function join(context: HandlerContext, connection: ChannelSocket, frame: ClientFrame): HandlerResult {
  const name = parseTopic(frame.topic)
  if (name === null) return refuse(context, connection, frame, 'unknown', 'unmatched topic')
  const { channels, limits } = context.deps
  if (!connection.memberships.has(frame.topic) && connection.memberships.size >= limits.maxJoins)
    return refuse(context, connection, frame, name.kind, 'too many channels on one socket')
  const params = readJoinParams(frame.payload)
  const bindings = parseBindings(params.changes, name)
  if (typeof bindings === 'string') return refuse(context, connection, frame, name.kind, bindings)
  const request = { connection, frame, name, params, bindings }
  const exists = name.kind === 'stream' || name.kind === 'chat' ? channels.exists(name.id) : true
  const token = checkToken(context, connection, params.token)
  // The common join is answered from memory and completes before this function returns.
  if (typeof exists === 'boolean' && !(token instanceof Promise))
    return finishJoin(context, request, exists, token)
  return Promise.all([exists, token]).then(([isFound, result]) =>
    finishJoin(context, request, isFound, result),
  )
}

/** Synchronous without a token and for the token that this socket presented before. */
function checkToken(
  { deps }: HandlerContext,
  { identity, apiKey }: ChannelSocket,
  token: string | null,
): JoinToken | Promise<JoinToken> {
  if (token === null) return null
  const { identities, now } = deps
  if (identity !== null && identities.isCurrent(identity, now()) && identity.digest === digestOf(token))
    return { identity }
  return identities.checkPresented(token, apiKey)
}

function refuse(
  { deps }: HandlerContext,
  connection: ChannelSocket,
  frame: ClientFrame,
  kind: TopicName['kind'] | 'unknown',
  reason: string,
): undefined {
  deps.metrics.joins.inc({ kind, result: 'refused' })
  connection.refuse(frame, reason)
}

function finishJoin(
  context: HandlerContext,
  request: JoinRequest,
  exists: boolean,
  token: JoinToken,
): undefined {
  const { connection, frame, name } = request
  if (!connection.isOpen) return
  const refusal = exists ? checkPermission(context, request, token) : 'channel not found'
  if (refusal !== null) return refuse(context, connection, frame, name.kind, refusal)
  const previous = connection.memberships.get(frame.topic)
  if (previous !== undefined) {
    context.removeMember(previous)
    connection.send(previous.joinRef, previous.joinRef, frame.topic, 'phx_close', '{}')
  }
  addAndReply(context, request, identityOf(token))
}

const identityOf = (token: JoinToken): Identity | null =>
  token !== null && typeof token === 'object' ? token.identity : null

/** Null when the join is allowed, else the reason of the refusal. An invalid token is refused on every topic. */
function checkPermission(
  { deps }: HandlerContext,
  { connection, name }: JoinRequest,
  token: JoinToken,
): string | null {
  if (token === 'invalid') return 'Unauthorized: invalid token'
  const identity = identityOf(token)
  if (TOPIC_RULES[name.kind].mayJoin(name, identity, deps.identities)) return null
  const roleTopic = findRoleTopic(name)
  if (roleTopic !== undefined && identity !== null)
    deps.onRefusedRole(identity, connection.client, roleTopic, 'join')
  if (token === null) return 'Unauthorized: this topic needs an access token'
  if (token === 'expired') return 'Unauthorized: the access token has expired or its session has ended'
  if (token === 'unknown') return 'Unauthorized: access tokens cannot be verified at the moment'
  return 'Unauthorized: you may not join this topic'
}

function addAndReply(
  context: HandlerContext,
  { connection, frame, name, params, bindings }: JoinRequest,
  identity: Identity | null,
): undefined {
  const { deps } = context
  if (identity !== null) context.bindSession(connection, identity)
  const { self, ack, presenceKey, presenceEnabled } = params
  const joinRef = frame.joinRef ?? frame.ref
  const member = context.addMember(
    name,
    frame.topic,
    { connection, joinRef, identity, self, ack, presenceKey, bindings },
    !TOPIC_RULES[name.kind].isPublic,
  )
  const { topic } = member
  if (presenceEnabled) deps.peers.requestPresence(topic)
  const presenceState = presenceEnabled ? JSON.stringify(topic.presence.state()) : null
  if (presenceState !== null) {
    const isWithin = connection.mayReceive(presenceState.length)
    if (!isWithin || !topic.mayWrite(presenceState.length)) {
      context.removeMember(member)
      const reason = isWithin ? TOPIC_LIMIT_REACHED : CLIENT_LIMIT_REACHED
      return refuse(context, connection, frame, name.kind, reason)
    }
  }
  deps.metrics.joins.inc({ kind: name.kind, result: 'ok' })
  const snapshot = snapshotFor(connection, topic.key, deps.channels.snapshot(name))
  sendJoinReply(connection, frame, { bindings, presenceState, snapshot })
}

/**
 * The snapshot without its large member, if the socket was sent this version of it before, or may be sent no more at the
 * moment. The client recognises the version, or requests the state over HTTP.
 */
function snapshotFor(
  connection: ChannelSocket,
  topicKey: string,
  snapshot: Snapshot | null,
): Snapshot | null {
  if (snapshot === null || snapshot.shared === null) return snapshot
  const { version, bytes } = snapshot.shared
  const { sentVersions } = connection
  if (sentVersions.get(topicKey) === version || !connection.mayReceive(bytes.length))
    return { ...snapshot, shared: null }
  const [oldest] = sentVersions.keys()
  if (sentVersions.size >= MAX_SENT_VERSIONS && oldest !== undefined) sentVersions.delete(oldest)
  sentVersions.set(topicKey, version)
  return snapshot
}

/** The parameters of a `phx_join`. Unknown keys, and values of the wrong type, count as absent. */
interface JoinParams {
  ack: boolean
  self: boolean
  presenceEnabled: boolean
  /** Empty when none was given. A key is generated when the member tracks its presence. */
  presenceKey: string
  /** The requested `postgres_changes` bindings, not validated. */
  changes: unknown
  token: string | null
}

function readJoinParams(payload: JsonObject): JoinParams {
  const config = isObject(payload.config) ? payload.config : {}
  const broadcast = isObject(config.broadcast) ? config.broadcast : {}
  const presence = isObject(config.presence) ? config.presence : {}
  const { key } = presence
  const { access_token: token } = payload
  return {
    ack: broadcast.ack === true,
    self: broadcast.self === true,
    presenceEnabled: presence.enabled === true,
    presenceKey: typeof key === 'string' && key.length <= 255 ? key : '',
    changes: config.postgres_changes,
    token: typeof token === 'string' && token !== '' ? token : null,
  }
}
