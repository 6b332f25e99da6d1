import type { FlushSource } from './flush-scheduler.ts'
import { type FrameEncoder, type GroupFormat, type GroupMember, SubscriberGroup } from './subscriber-group.ts'

/** The subscriber groups of one topic: one for each combination of protocol version and change bindings. */
export class SubscriberGroups implements FlushSource {
  readonly #groups = new Map<string, SubscriberGroup>()
  #size = 0

  /** Number of subscribers. */
  get size(): number {
    return this.#size
  }

  /** The group for a format. It is created with its first subscriber. */
  of(format: GroupFormat): SubscriberGroup {
    const key = `${format.version} ${format.bindings?.key ?? ''}`
    let group = this.#groups.get(key)
    if (group === undefined) {
      group = new SubscriberGroup(format)
      this.#groups.set(key, group)
    }
    return group
  }

  add(member: GroupMember): void {
    member.group.members.add(member)
    this.#size += 1
  }

  /** Removes a subscriber. Frames that it lacks are not delivered. */
  remove(member: GroupMember): void {
    if (member.group.members.delete(member)) this.#size -= 1
  }

  /** Appends a message, encoded once for each group. False when no group receives it. */
  append(encode: FrameEncoder): boolean {
    let isAppended = false
    for (const group of this.#groups.values()) {
      if (group.members.size === 0) continue
      const frame = encode(group)
      if (frame === null) continue
      group.append(frame)
      isAppended = true
    }
    return isAppended
  }

  /** Writes a message to every subscriber but `excluded`, without buffering. */
  writeExcept(excluded: GroupMember, encode: FrameEncoder): void {
    for (const group of this.#groups.values()) {
      const frame = encode(group)
      if (frame === null) continue
      for (const { connection } of group.members)
        if (connection !== excluded.connection) connection.write(frame)
    }
  }

  hasFrames(): boolean {
    for (const group of this.#groups.values()) if (group.hasFrames) return true
    return false
  }

  beginPass(): Iterator<GroupMember> {
    for (const group of this.#groups.values()) group.beginPass()
    return this.#members()
  }

  endPass(): boolean {
    let hasFrames = false
    for (const [key, group] of this.#groups) {
      group.endPass()
      if (group.members.size === 0) this.#groups.delete(key)
      else if (group.hasFrames) hasFrames = true
    }
    return hasFrames
  }

  *#members(): Generator<GroupMember> {
    for (const group of this.#groups.values()) yield* group.members
  }
}
