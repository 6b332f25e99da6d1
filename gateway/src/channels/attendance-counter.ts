import type { ViewerCounts } from '@looptide/contracts/events'
import type { ViewerChange } from '../realtime/topic/membership.ts'

type Attendance = NonNullable<ViewerCounts['attendance']>[number]

interface AttendanceDeps {
  /** Id of the programme that is on the air on a channel; undefined if there is none, or it is not known. */
  programmeOf: (channelId: string) => string | undefined
  /** Is called for each join and leave that counts, for metrics. */
  onCounted: (what: 'joins' | 'leaves') => void
  /** Wall clock, epoch ms. */
  now: () => number
}

/** A viewer has left a channel at `atMs` (epoch ms), during a programme if there was one. */
interface Leave {
  channelId: string
  programmeId: string | undefined
  atMs: number
}

/** A viewer who joins again within this time after a leave has only lost the connection, in ms. */
const REJOIN_MS = 10_000
/** Numbers that have not changed for this time are no longer reported, in ms: three full reports contain the last ones. */
const KEPT_MS = 40_000

/**
 * Counts the joins and leaves of viewers during each airing at this gateway. A viewer is a socket, as in the number of viewers.
 * A leave counts in the airing in which it happens, unless the same account (without one, the same network) joins the
 * channel again within {@link REJOIN_MS}; then neither counts. A connection that returns to another gateway counts as a leave
 * and a join.
 */
export class AttendanceCounter {
  readonly #deps: AttendanceDeps
  /** By channel and number of the airing. */
  readonly #airings = new Map<string, Attendance & { changedAtMs: number }>()
  /** Leaves that a join may cancel, by channel and viewer, the oldest first. */
  readonly #leaves = new Map<string, Leave[]>()

  constructor(deps: AttendanceDeps) {
    this.#deps = deps
  }

  /** Takes a viewer who has joined or left a channel. */
  add({ kind, channelId, viewer }: ViewerChange): void {
    const atMs = this.#deps.now()
    const programmeId = this.#deps.programmeOf(channelId)
    const key = `${channelId} ${viewer}`
    const leaves = this.#leaves.get(key) ?? []
    if (kind === 'leave') {
      // In place: the sockets of a large network may all leave at once.
      leaves.push({ channelId, programmeId, atMs })
      this.#leaves.set(key, leaves)
    } else if (isRecent(leaves.at(-1), atMs)) {
      leaves.pop()
      if (leaves.length === 0) this.#leaves.delete(key)
    } else this.#count('joins', { channelId, programmeId, atMs })
  }

  /** The numbers of the airings that are on or have just ended. */
  report(): Attendance[] {
    const nowMs = this.#deps.now()
    for (const [key, leaves] of this.#leaves) {
      for (const leave of leaves)
        if (!isRecent(leave, nowMs)) this.#count('leaves', { ...leave, atMs: nowMs })
      const recent = leaves.filter((leave) => isRecent(leave, nowMs))
      if (recent.length === 0) this.#leaves.delete(key)
      else this.#leaves.set(key, recent)
    }
    for (const [key, { channelId, seq, changedAtMs }] of this.#airings) {
      const isOn = seqOf(this.#deps.programmeOf(channelId)) === seq
      if (!isOn && changedAtMs <= nowMs - KEPT_MS) this.#airings.delete(key)
    }
    return [...this.#airings.values()].map(({ changedAtMs: _, ...attendance }) => attendance)
  }

  #count(what: 'joins' | 'leaves', { channelId, programmeId, atMs }: Leave): void {
    this.#deps.onCounted(what)
    const seq = seqOf(programmeId)
    if (seq === undefined) return
    const key = `${channelId} ${seq}`
    const known = this.#airings.get(key) ?? { channelId, seq, joins: 0, leaves: 0, changedAtMs: atMs }
    this.#airings.set(key, { ...known, [what]: known[what] + 1, changedAtMs: atMs })
  }
}

const isRecent = (leave: Leave | undefined, nowMs: number): boolean =>
  leave !== undefined && leave.atMs > nowMs - REJOIN_MS

/** The number in the air log of a programme `<channel>.<seq>.<version>`: it stays when the programme is cut short. */
function seqOf(programmeId: string | undefined): number | undefined {
  const seq = Number(programmeId?.split('.')[1])
  return Number.isSafeInteger(seq) ? seq : undefined
}
