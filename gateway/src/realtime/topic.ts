import type { Version } from './codec.ts'
import type { Connection } from './connection.ts'
import type { Identity } from './identity.ts'
import type { ChangeBindings } from './postgres-changes.ts'
import { Presence } from './presence.ts'
import type { TopicName } from './topic-name.ts'

/** A socket's place on a topic, from its join to its leave. */
export interface Membership {
  connection: Connection
  topic: Topic
  joinRef: string | null
  identity: Identity | null
  /** The sender gets its own broadcasts too. */
  self: boolean
  /** Broadcasts are acknowledged. */
  ack: boolean
  presenceKey: string
  bindings: ChangeBindings | null
  lane: Lane
  /** How many frames of the open window were there before this member came: not meant for it. */
  missed: number
}

/** Members who get the very same bytes: one protocol version, one set of change bindings. */
export interface Lane {
  version: Version
  bindings: ChangeBindings | null
  members: Set<Membership>
  /** Frames of the open window. */
  pending: Buffer[]
}

/** A message as the bytes for one lane, or null when it is not for that lane. */
export type Render = (lane: Lane) => Buffer | null

export interface FanOutOptions {
  /** Longest time a message waits for company, in ms. */
  windowMs: number
  /** Monotonic clock in ms. */
  now: () => number
}

/**
 * One topic's members and what is on its way to them. The cost of a fan-out is the system call per
 * socket, not the bytes. So a message's frame is built once per lane; a message on a quiet topic goes
 * out at once; while the topic is busy, what comes within `windowMs` is joined into one buffer and
 * written once per socket. All sockets share that buffer: a slow reader holds a reference, not a copy.
 * A flush is followed by at least as long a rest, so that a topic of tens of thousands leaves half of the
 * process to the others: with its size grows the window, not the work.
 */
export class Topic {
  readonly name: TopicName
  /** With the protocol's prefix, as clients know it. */
  readonly address: string
  readonly presence = new Presence()
  readonly #lanes = new Map<string, Lane>()
  readonly #options: FanOutOptions
  #size = 0
  #flushedAtMs = Number.NEGATIVE_INFINITY
  /** How long the last flush took: a write per socket. */
  #flushMs = 0
  #timer: NodeJS.Timeout | undefined

  constructor(name: TopicName, address: string, options: FanOutOptions) {
    this.name = name
    this.address = address
    this.#options = options
  }

  get size(): number {
    return this.#size
  }

  /** Takes a member in; it gets what is published from now on, nothing older. */
  join(place: Omit<Membership, 'topic' | 'lane' | 'missed'>): Membership {
    const key = `${place.connection.version} ${place.bindings?.key ?? ''}`
    let lane = this.#lanes.get(key)
    if (lane === undefined) {
      lane = {
        version: place.connection.version,
        bindings: place.bindings,
        members: new Set(),
        pending: [],
      }
      this.#lanes.set(key, lane)
    }
    const membership: Membership = { ...place, topic: this, lane, missed: lane.pending.length }
    lane.members.add(membership)
    this.#size += 1
    return membership
  }

  /** Lets a member go. What is on its way to it is not sent any more. */
  leave(membership: Membership): void {
    if (membership.lane.members.delete(membership)) this.#size -= 1
  }

  *members(): Generator<Membership> {
    for (const lane of this.#lanes.values()) yield* lane.members
  }

  /** Sends to every member, at once when the topic has been quiet, else with the window's other messages. */
  publish(render: Render): void {
    if (!this.#collect(render)) return
    if (this.#timer !== undefined) return
    const windowMs = Math.max(this.#options.windowMs, this.#flushMs)
    const wait = this.#flushedAtMs + windowMs - this.#options.now()
    if (wait <= 0) this.flush()
    else this.#timer = setTimeout(() => this.flush(), wait)
  }

  /** Sends to every member but one, in order with what else is on its way. */
  publishExcept(except: Membership, render: Render): void {
    this.flush()
    for (const lane of this.#lanes.values()) {
      const frame = render(lane)
      if (frame === null) continue
      for (const { connection } of lane.members) if (connection !== except.connection) connection.write(frame)
    }
  }

  #collect(render: Render): boolean {
    let collected = false
    for (const lane of this.#lanes.values()) {
      if (lane.members.size === 0) continue
      const frame = render(lane)
      if (frame === null) continue
      lane.pending.push(frame)
      collected = true
    }
    return collected
  }

  /** Writes the open window's frames. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const startedAtMs = this.#options.now()
    for (const [key, lane] of this.#lanes) {
      if (lane.members.size === 0) this.#lanes.delete(key)
      else if (lane.pending.length > 0) flushLane(lane)
    }
    this.#flushedAtMs = this.#options.now()
    this.#flushMs = this.#flushedAtMs - startedAtMs
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}

function flushLane(lane: Lane): void {
  const frames = lane.pending
  lane.pending = []
  const whole = joined(frames)
  for (const member of lane.members) {
    if (member.missed === 0) member.connection.write(whole)
    else if (member.missed < frames.length) member.connection.write(joined(frames.slice(member.missed)))
    member.missed = 0
  }
}

const joined = (frames: Buffer[]): Buffer => {
  const [first] = frames
  return frames.length === 1 && first !== undefined ? first : Buffer.concat(frames)
}
