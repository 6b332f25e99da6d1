import { type BucketSize, LeakyBucket } from '../limits/leaky-bucket.ts'
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
  /** How many of its lane's frames this member has had, those before its time counted as had. */
  had: number
}

/** Members who get the very same bytes: one protocol version, one set of change bindings. */
export interface Lane {
  version: Version
  bindings: ChangeBindings | null
  members: Set<Membership>
  /** Frames that somebody may still lack, oldest first. */
  frames: Buffer[]
  /** How many frames were published before these; everybody has had them. */
  before: number
  /** How many frames had been published when the round under way began: at its end everybody has those. */
  due: number
  /** What the last member was written: most often the next one lacks the same. */
  joined: { from: number; to: number; bytes: Buffer } | null
}

/** A message as the bytes for one lane, or null when it is not for that lane. */
export type Render = (lane: Lane) => Buffer | null

export interface FanOutOptions {
  /** The rest between two rounds, in which messages wait for company, in ms. */
  windowMs: number
  /** Bytes that one topic's members here are sent because of what members say, all copies counted. */
  relay: BucketSize
  /** Monotonic clock in ms. */
  now: () => number
}

/** So long, in ms, a round keeps the process to itself before everything else has its turn. */
const SLICE_MS = 5

/**
 * One topic's members and what is on its way to them. The cost of a fan-out is the system call per
 * socket, not the bytes. So a message's frame is built once per lane, and members are served in rounds: each
 * gets, by one write, all that it lacks at that moment. A message on a quiet topic begins a round at
 * once; while the topic is busy, rounds begin `windowMs` after the end of the one before. Sockets share the buffers: a
 * slow reader holds a reference, not a copy.
 *
 * A round over tens of thousands takes tenths of a second. It goes in slices, between which the process does everything
 * else, and what is published meanwhile goes with it to those whose turn is yet to come: nobody waits for
 * longer than one round and one window, however many messages there are.
 */
export class Topic {
  readonly name: TopicName
  /** With the protocol's prefix, as clients know it. */
  readonly address: string
  readonly presence = new Presence()
  readonly #lanes = new Map<string, Lane>()
  readonly #options: FanOutOptions
  readonly #relayed: LeakyBucket
  #size = 0
  #roundEndedAtMs = Number.NEGATIVE_INFINITY
  /** Whose turn it is in the round under way. */
  #turns: Iterator<Membership> | null = null
  #nextRound: NodeJS.Timeout | undefined
  #nextSlice: NodeJS.Immediate | undefined

  constructor(name: TopicName, address: string, options: FanOutOptions) {
    this.name = name
    this.address = address
    this.#options = options
    this.#relayed = new LeakyBucket(options.now())
  }

  get size(): number {
    return this.#size
  }

  /** Takes a member in; it gets what is published from now on, nothing older. */
  join(place: Omit<Membership, 'topic' | 'lane' | 'had'>): Membership {
    const key = `${place.connection.version} ${place.bindings?.key ?? ''}`
    let lane = this.#lanes.get(key)
    if (lane === undefined) {
      lane = {
        version: place.connection.version,
        bindings: place.bindings,
        members: new Set(),
        frames: [],
        before: 0,
        due: 0,
        joined: null,
      }
      this.#lanes.set(key, lane)
    }
    const membership: Membership = { ...place, topic: this, lane, had: publishedOn(lane) }
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
    if (this.#turns === null && this.#nextRound === undefined) this.#planRound()
  }

  /** Counts a message of a member to all others, `bytes` long; false when it is not to be sent: too much was said. */
  mayRelay(bytes: number): boolean {
    return this.mayWrite(bytes * Math.max(1, this.#size))
  }

  /** Counts bytes that one member causes another, or itself, to be sent. */
  mayWrite(bytes: number): boolean {
    return this.#relayed.add(bytes, this.#options.relay, this.#options.now())
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
      lane.frames.push(frame)
      collected = true
    }
    return collected
  }

  #planRound(): void {
    const waitMs = this.#roundEndedAtMs + this.#options.windowMs - this.#options.now()
    if (waitMs <= 0) this.#round(SLICE_MS)
    else this.#nextRound = setTimeout(() => this.#round(SLICE_MS), waitMs)
  }

  /** Begins a round, in the place of one that may be under way. */
  #round(sliceMs: number): void {
    this.stop()
    for (const lane of this.#lanes.values()) lane.due = publishedOn(lane)
    this.#turns = this.members()
    this.#slice(this.#turns, sliceMs)
  }

  #slice(turns: Iterator<Membership>, sliceMs: number): void {
    const endsAtMs = this.#options.now() + sliceMs
    for (let turn = turns.next(); turn.done !== true; turn = turns.next()) {
      giveWhatIsLacking(turn.value)
      if (this.#options.now() < endsAtMs) continue
      this.#nextSlice = setImmediate(() => this.#slice(turns, sliceMs))
      return
    }
    this.#endRound()
  }

  #endRound(): void {
    this.#turns = null
    this.#roundEndedAtMs = this.#options.now()
    let isMoreToSend = false
    for (const [key, lane] of this.#lanes) {
      lane.frames.splice(0, lane.due - lane.before)
      lane.before = lane.due
      lane.joined = null
      if (lane.members.size === 0) this.#lanes.delete(key)
      else if (lane.frames.length > 0) isMoreToSend = true
    }
    if (isMoreToSend) this.#planRound()
  }

  /** Writes to everybody what they lack, without a pause. */
  flush(): void {
    const isAnythingLacking = [...this.#lanes.values()].some(({ frames }) => frames.length > 0)
    if (isAnythingLacking) this.#round(Number.POSITIVE_INFINITY)
  }

  /** Sends nothing any more. */
  stop(): void {
    clearTimeout(this.#nextRound)
    clearImmediate(this.#nextSlice)
    this.#nextRound = undefined
    this.#turns = null
  }
}

const publishedOn = (lane: Lane): number => lane.before + lane.frames.length

function giveWhatIsLacking(member: Membership): void {
  const { lane, connection } = member
  const [from, to] = [member.had, publishedOn(lane)]
  if (from === to) return
  if (lane.joined === null || lane.joined.from !== from || lane.joined.to !== to)
    lane.joined = { from, to, bytes: join(lane.frames.slice(from - lane.before)) }
  connection.write(lane.joined.bytes)
  member.had = to
}

const join = (frames: Buffer[]): Buffer => {
  const [first] = frames
  return frames.length === 1 && first !== undefined ? first : Buffer.concat(frames)
}
