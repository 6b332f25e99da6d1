import type { SharedJson } from './channel-facts.ts'
import {
  broadcastJson,
  type ClientFrame,
  encodeText,
  isObject,
  type JsonObject,
  type Version,
} from './codec.ts'
import type { Connection } from './connection.ts'
import type { Hub } from './hub.ts'
import { digestOf, type Identity, type TokenVerdict } from './identity.ts'
import { type ChangeBindings, parseBindings } from './postgres-changes.ts'
import { PREFIX, parseTopic, type TopicName } from './topic-name.ts'
import { ROLE_TOPICS, TOPIC_RULES } from './topic-rules.ts'
import { textFrame, textFrameAround } from './websocket-frame.ts'

/** What a join asks for. Keys we do not know, and values of the wrong type, count as absent (docs/protocols/realtime.md §4). */
interface JoinWish {
  ack: boolean
  self: boolean
  presenceEnabled: boolean
  /** Empty when none was given: one is invented for who tracks. */
  presenceKey: string
  changes: unknown
  token: string | null
}

function readWish(payload: JsonObject): JoinWish {
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

/** Takes a socket onto a topic or says why not. Never silent: a client would wait ten seconds. */
export function join(hub: Hub, connection: Connection, frame: ClientFrame): undefined | Promise<void> {
  const name = parseTopic(frame.topic)
  if (name === null) return refused(hub, connection, frame, 'unknown', 'unmatched topic')
  if (!connection.memberships.has(frame.topic) && connection.memberships.size >= hub.deps.limits.maxJoins)
    return refused(hub, connection, frame, name.kind, 'too many channels on one socket')
  const wish = readWish(frame.payload)
  const bindings = parseBindings(wish.changes, name)
  if (typeof bindings === 'string') return refused(hub, connection, frame, name.kind, bindings)
  const exists = name.kind === 'stream' || name.kind === 'chat' ? hub.deps.channels.exists(name.id) : true
  const verdict = knownVerdict(hub, connection, wish.token)
  // The usual arrival needs nobody's answer and is over before this returns.
  if (typeof exists === 'boolean' && !(verdict instanceof Promise))
    return finish(hub, connection, frame, name, wish, bindings, exists, verdict)
  return Promise.all([exists, verdict]).then(([there, known]) =>
    finish(hub, connection, frame, name, wish, bindings, there, known),
  )
}

type Verdict = TokenVerdict | null

/** At once for no token and for the one this socket showed before. */
function knownVerdict(hub: Hub, connection: Connection, token: string | null): Verdict | Promise<Verdict> {
  if (token === null) return null
  const { identities, now } = hub.deps
  const { identity } = connection
  if (identity !== null && identities.isCurrent(identity, now()) && identity.digest === digestOf(token))
    return { identity }
  return identities.check(token)
}

function refused(
  hub: Hub,
  connection: Connection,
  frame: ClientFrame,
  kind: TopicName['kind'] | 'unknown',
  reason: string,
): undefined {
  hub.deps.metrics.joins.inc({ kind, result: 'refused' })
  connection.refuse(frame, reason)
}

function finish(
  hub: Hub,
  connection: Connection,
  frame: ClientFrame,
  name: TopicName,
  wish: JoinWish,
  bindings: ChangeBindings | null,
  exists: boolean,
  verdict: Verdict,
): undefined {
  if (!connection.isOpen) return
  if (!exists) return refused(hub, connection, frame, name.kind, 'there is no such channel')
  const rule = TOPIC_RULES[name.kind]
  if (verdict === 'forged') return refused(hub, connection, frame, name.kind, 'Unauthorized: invalid token')
  const identity: Identity | null = verdict !== null && typeof verdict === 'object' ? verdict.identity : null
  if (!rule.mayEnter(name, identity, hub.deps.identities)) {
    const roleTopic = ROLE_TOPICS.find((kind) => kind === name.kind)
    if (roleTopic !== undefined && identity !== null) hub.deps.onRefusedRole(identity, roleTopic, 'join')
    return refused(hub, connection, frame, name.kind, whyNot(verdict))
  }
  const before = connection.memberships.get(frame.topic)
  if (before !== undefined) {
    hub.drop(before)
    connection.send(before.joinRef, before.joinRef, frame.topic, 'phx_close', '{}')
  }
  if (identity !== null) hub.bind(connection, identity)
  const { self, ack, presenceKey } = wish
  const joinRef = frame.joinRef ?? frame.ref
  const place = { connection, joinRef, identity, self, ack, presenceKey, bindings }
  const member = hub.enter(name, frame.topic, place, !rule.isPublic)
  const { topic } = member
  if (wish.presenceEnabled) hub.deps.peers.presenceWanted(topic)
  const presence = wish.presenceEnabled ? JSON.stringify(topic.presence.state()) : null
  if (presence !== null && !topic.mayWrite(presence.length)) {
    hub.drop(member)
    return refused(hub, connection, frame, name.kind, 'too much is said on this topic')
  }
  hub.deps.metrics.joins.inc({ kind: name.kind, result: 'ok' })
  welcome(connection, frame, bindings, presence, hub.deps.channels.snapshot(name))
}

function whyNot(verdict: Verdict): string {
  if (verdict === null) return 'Unauthorized: this topic needs an access token'
  if (verdict === 'lapsed') return 'Unauthorized: the access token has expired or its session has ended'
  if (verdict === 'unknown') return 'Unauthorized: tokens cannot be checked just now'
  return 'Unauthorized: you may not join this topic'
}

/** The reply and what follows it, in one write. */
function welcome(
  connection: Connection,
  frame: ClientFrame,
  bindings: ChangeBindings | null,
  presenceState: string | null,
  snapshot: SharedJson | null,
): void {
  const { version } = connection
  const { joinRef, ref, topic } = frame
  const push = (event: string, json: string): Buffer =>
    textFrame(encodeText(version, null, null, topic, event, json))
  const changes = JSON.stringify({ postgres_changes: bindings?.mirrored ?? [] })
  const reply = `{"status":"ok","response":${changes}}`
  const frames = [textFrame(encodeText(version, joinRef, ref, topic, 'phx_reply', reply))]
  if (presenceState !== null) frames.push(push('presence_state', presenceState))
  if (bindings !== null) {
    const channel = topic.slice(PREFIX.length)
    const message = 'Subscribed to PostgreSQL'
    frames.push(
      push('system', JSON.stringify({ extension: 'postgres_changes', status: 'ok', message, channel })),
    )
  }
  if (snapshot !== null) frames.push(...snapshotFrame(version, topic, snapshot))
  connection.writeAll(frames)
}

/** Stands for the payload while the frame around it is made: JSON text never holds it. */
const GAP = '\0'

function snapshotFrame(version: Version, topic: string, { head, shared, tail }: SharedJson): Buffer[] {
  const frame = encodeText(version, null, null, topic, 'broadcast', broadcastJson('snapshot', GAP))
  const gap = frame.indexOf(GAP)
  return textFrameAround(frame.slice(0, gap) + head, shared, tail + frame.slice(gap + GAP.length))
}
