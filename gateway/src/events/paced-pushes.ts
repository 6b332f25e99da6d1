import type { Push } from '@looptide/contracts/event'
import { topics } from '@looptide/contracts/realtime'

/** Where pushes go. */
interface PushTarget {
  hasMembers(topic: string): boolean
  /** Sends the pushes in one write to each member. */
  publishTogether(topic: string, pushes: readonly Push[]): void
}

/** Topics of people who run the station. An import or an edit of the library causes thousands of pushes on them. */
const PACED_TOPICS: ReadonlySet<string> = new Set([topics.admin, topics.audit, topics.moderation])
/** Time between two writes to the members of a topic, in ms. */
const INTERVAL_MS = 1000
/** More pushes of one kind than this are one message. */
const MAX_SINGLE_PUSHES = 20

interface PacedTopic {
  /** What is sent with the next write, in order. By the key of each push; a push without a key has an own one. */
  waiting: Map<unknown, Push>
  sentAtMs: number
  timer?: NodeJS.Timeout
}

/**
 * Writes to each member of a topic of the dashboard at most once a second: a push on an idle topic at once, those that
 * follow together, a second later. Of pushes with the same key the last is sent. Other topics receive pushes at once.
 */
export class PacedPushes {
  readonly #target: PushTarget
  readonly #topics = new Map<string, PacedTopic>()

  constructor(target: PushTarget) {
    this.#target = target
  }

  push(push: Push): void {
    if (!this.#target.hasMembers(push.topic)) return
    if (!PACED_TOPICS.has(push.topic)) {
      this.#target.publishTogether(push.topic, [push])
      return
    }
    const topic = this.#topicOf(push.topic)
    const key = push.key ?? Symbol()
    // Deleted first, so that the last state comes after what happened before it.
    topic.waiting.delete(key)
    topic.waiting.set(key, push)
    topic.timer ??= this.#schedule(push.topic, topic)
  }

  stop(): void {
    for (const { timer } of this.#topics.values()) clearTimeout(timer)
    this.#topics.clear()
  }

  #topicOf(name: string): PacedTopic {
    const known = this.#topics.get(name)
    if (known !== undefined) return known
    const topic: PacedTopic = { waiting: new Map(), sentAtMs: Number.NEGATIVE_INFINITY }
    this.#topics.set(name, topic)
    return topic
  }

  /** An event can have several pushes for a topic, so that also the first write waits until all of them are there. */
  #schedule(name: string, topic: PacedTopic): NodeJS.Timeout {
    const waitMs = Math.max(0, topic.sentAtMs + INTERVAL_MS - performance.now())
    return setTimeout(() => {
      delete topic.timer
      topic.sentAtMs = performance.now()
      const pushes = [...topic.waiting.values()]
      topic.waiting.clear()
      this.#target.publishTogether(name, joined(pushes))
    }, waitMs).unref()
  }
}

/** The pushes in order; those of a kind that has many as one message, in the place of the last of them. */
function joined(pushes: readonly Push[]): Push[] {
  const kinds = Map.groupBy(pushes, ({ event }) => event)
  return pushes.flatMap((push) => {
    const same = kinds.get(push.event) ?? []
    if (same.length <= MAX_SINGLE_PUSHES) return [push]
    return push === same.at(-1) ? [summary(push, same)] : []
  })
}

function summary({ topic, event }: Push, same: readonly Push[]): Push {
  return event === 'video'
    ? // Clients request again what they show: 500 videos are 300 KiB.
      { topic, event: 'videos', payload: { count: same.length } }
    : { topic, event: 'batch', payload: { event, payloads: same.map(({ payload }) => payload) } }
}
