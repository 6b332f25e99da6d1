import { type BucketSize, LeakyBucket } from '../../limits/leaky-bucket.ts'
import { FlushScheduler, type FlushTiming } from './flush-scheduler.ts'
import { Presence } from './presence.ts'
import type { FrameEncoder, GroupFormat, GroupMember, SubscriberGroup } from './subscriber-group.ts'
import { SubscriberGroups } from './subscriber-groups.ts'
import type { TopicName } from './topic-name.ts'

export interface FanOutOptions extends FlushTiming {
  /** Limit on the bytes that one topic's members at this gateway receive because of what members send, copies included. */
  relay: BucketSize
}

/** One topic: its subscribers at this gateway, their presence, and the frames that wait for delivery. */
export class Topic {
  readonly name: TopicName
  /** The topic as clients send it, including the prefix `realtime:`. */
  readonly key: string
  readonly presence = new Presence()
  readonly #options: FanOutOptions
  readonly #groups = new SubscriberGroups()
  readonly #scheduler: FlushScheduler
  readonly #relayed: LeakyBucket

  constructor(name: TopicName, key: string, options: FanOutOptions) {
    this.name = name
    this.key = key
    this.#options = options
    this.#scheduler = new FlushScheduler(this.#groups, options)
    this.#relayed = new LeakyBucket(options.now())
  }

  /** Number of subscribers. */
  get size(): number {
    return this.#groups.size
  }

  /** The subscriber group for a format. */
  groupOf(format: GroupFormat): SubscriberGroup {
    return this.#groups.of(format)
  }

  /** Adds a subscriber. It receives what is published from now on. */
  add(member: GroupMember): void {
    this.#groups.add(member)
  }

  remove(member: GroupMember): void {
    this.#groups.remove(member)
  }

  /** Sends a message to every subscriber: at once on an idle topic, with the next flush pass on a busy one. */
  publish(encode: FrameEncoder): void {
    if (this.#groups.append(encode)) this.#scheduler.schedule()
  }

  /** Sends a message to every subscriber but one, after everything that was published before. */
  publishExcept(excluded: GroupMember, encode: FrameEncoder): void {
    this.flush()
    this.#groups.writeExcept(excluded, encode)
  }

  /** Counts a message of `bytes` that a member sends to all others. False when the topic's limit is reached. */
  mayRelay(bytes: number): boolean {
    return this.mayWrite(this.copiesOf(bytes))
  }

  /** Bytes that a message of `bytes` costs when every subscriber receives it. */
  copiesOf(bytes: number): number {
    return bytes * Math.max(1, this.size)
  }

  /** Counts bytes that a member causes to be sent. False when the topic's limit is reached. */
  mayWrite(bytes: number): boolean {
    return this.#relayed.add(bytes, this.#options.relay, this.#options.now())
  }

  /** Delivers all buffered frames synchronously. */
  flush(): void {
    this.#scheduler.flush()
  }

  /** Stops delivery. */
  stop(): void {
    this.#scheduler.stop()
  }
}
