import type { Version } from '../protocol/codec.ts'
import type { ChangeBindings } from '../protocol/postgres-changes.ts'

/** The part of a socket that a topic writes to. */
export interface Subscriber {
  readonly version: Version
  /** Writes one or more whole WebSocket frames. */
  write(frames: Buffer): void
}

/** The properties of a subscriber that determine the bytes of its messages. Equal formats receive the same bytes. */
export interface GroupFormat {
  readonly version: Version
  readonly bindings: ChangeBindings | null
}

/** Encodes one message as a frame for a group; null when the group does not receive the message. */
export type FrameEncoder = (format: GroupFormat) => Buffer | null

/** A subscriber in its group. */
export interface GroupMember {
  readonly connection: Subscriber
  readonly group: SubscriberGroup
  /** Number of the group's frames that are delivered, including those published before the member was added. */
  delivered: number
}

/**
 * Subscribers of a topic that receive the same bytes, and the frames that some of them still lack. Members share the
 * buffers: a slow reader holds a reference, not a copy.
 */
export class SubscriberGroup implements GroupFormat {
  readonly version: Version
  readonly bindings: ChangeBindings | null
  readonly members = new Set<GroupMember>()
  /** Frames that at least one member lacks, oldest first. */
  readonly #frames: Buffer[] = []
  /** Number of frames published before `#frames[0]`. Every member has those. */
  #discarded = 0
  /** Number of frames that were published when the current flush pass began. Every member has them when it ends. */
  #passTarget = 0
  /** The bytes written last. The next member usually lacks the same frames. */
  #lastWrite: { from: number; to: number; bytes: Buffer } | null = null

  constructor({ version, bindings }: GroupFormat) {
    this.version = version
    this.bindings = bindings
  }

  /** Number of frames published so far. */
  get published(): number {
    return this.#discarded + this.#frames.length
  }

  get hasFrames(): boolean {
    return this.#frames.length > 0
  }

  append(frame: Buffer): void {
    this.#frames.push(frame)
  }

  /** Writes every frame that this member lacks, in one write. */
  deliver(member: GroupMember): void {
    const [from, to] = [member.delivered, this.published]
    if (from === to) return
    if (this.#lastWrite === null || this.#lastWrite.from !== from || this.#lastWrite.to !== to)
      this.#lastWrite = { from, to, bytes: concat(this.#frames.slice(from - this.#discarded)) }
    member.connection.write(this.#lastWrite.bytes)
    member.delivered = to
  }

  beginPass(): void {
    this.#passTarget = this.published
  }

  /** Discards the frames that every member has. */
  endPass(): void {
    this.#frames.splice(0, this.#passTarget - this.#discarded)
    this.#discarded = this.#passTarget
    this.#lastWrite = null
  }
}

const concat = (frames: Buffer[]): Buffer => {
  const [first] = frames
  return frames.length === 1 && first !== undefined ? first : Buffer.concat(frames)
}
