import type { Player, PlayerEvent, PlayerFactory, PlayerKind } from './player.ts'
import { SyncLoop } from './sync-loop.ts'

/** A player that has been made, with the loop that keeps it in time. */
export type Seat = {
  kind: PlayerKind
  player: Player
  loop: SyncLoop
  /** It has loaded something before: the next start is quicker. */
  used: boolean
}

export type Sound = { volume: number; muted: boolean }

/** The players of one stage, each made when first needed. At most one is seen and heard; the others rest. */
export class Seats {
  private readonly factories: Record<PlayerKind, PlayerFactory>
  private readonly onEvent: (event: PlayerEvent) => void
  private readonly made = new Map<PlayerKind, Seat>()
  private host: HTMLElement | undefined
  private shown: Seat | undefined
  private sound: Sound = { volume: 0, muted: true }

  /** `onEvent` hears the shown player only. */
  constructor(factories: Record<PlayerKind, PlayerFactory>, onEvent: (event: PlayerEvent) => void) {
    this.factories = factories
    this.onEvent = onEvent
  }

  get current(): Seat | undefined {
    return this.shown
  }

  get isOpen(): boolean {
    return this.host !== undefined
  }

  open(host: HTMLElement): void {
    this.host = host
  }

  close(): void {
    for (const { player } of this.made.values()) player.destroy()
    this.made.clear()
    this.shown = undefined
    this.host = undefined
  }

  /** Whether a player of this kind has played already. */
  isWarm(kind: PlayerKind): boolean {
    return this.made.get(kind)?.used ?? false
  }

  /** The player of a kind, unseen: to prepare something. Undefined while closed. */
  backstage(kind: PlayerKind): Seat | undefined {
    const known = this.made.get(kind)
    if (known || !this.host) return known
    const player = this.factories[kind](this.host, (event) => {
      if (this.shown?.kind === kind) this.onEvent(event)
    })
    const seat = { kind, player, loop: new SyncLoop(player), used: false }
    player.setSound(this.sound)
    this.made.set(kind, seat)
    return seat
  }

  /** The player of a kind, from now on the one that is seen. */
  onStage(kind: PlayerKind): Seat | undefined {
    const seat = this.backstage(kind)
    if (this.shown && this.shown !== seat) this.shown.player.stop()
    this.shown = seat
    return seat
  }

  rest(): void {
    for (const { player } of this.made.values()) player.stop()
  }

  setSound(sound: Sound): void {
    this.sound = sound
    for (const { player } of this.made.values()) player.setSound(sound)
  }
}
