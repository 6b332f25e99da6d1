import type { Player, PlayerEvent, PlayerFactory, PlayerKind } from './player.ts'
import { SyncLoop } from './sync-loop.ts'

/** A player with its sync loop. */
export interface PlayerSlot {
  kind: PlayerKind
  player: Player
  loop: SyncLoop
  /** Whether it has loaded a video before: then the next start is faster. */
  used: boolean
}

export interface Sound {
  volume: number
  muted: boolean
}

/** The players of a session, one per kind, created on demand. At most one is visible and audible. */
export class PlayerSlots {
  readonly #factories: Record<PlayerKind, PlayerFactory>
  readonly #onEvent: (event: PlayerEvent) => void
  readonly #slots = new Map<PlayerKind, PlayerSlot>()
  #host: HTMLElement | undefined
  #shown: PlayerSlot | undefined
  #sound: Sound = { volume: 0, muted: true }
  #isSilent = false

  /** `onEvent` receives events of the visible player only. */
  constructor(factories: Record<PlayerKind, PlayerFactory>, onEvent: (event: PlayerEvent) => void) {
    this.#factories = factories
    this.#onEvent = onEvent
  }

  get current(): PlayerSlot | undefined {
    return this.#shown
  }

  get isOpen(): boolean {
    return this.#host !== undefined
  }

  open(host: HTMLElement): void {
    this.#host = host
  }

  close(): void {
    for (const { player, loop } of this.#slots.values()) {
      loop.end()
      player.destroy()
    }
    this.#slots.clear()
    this.#shown = undefined
    this.#host = undefined
  }

  /** Whether a player of this kind has played before. */
  isWarm(kind: PlayerKind): boolean {
    return this.#slots.get(kind)?.used ?? false
  }

  /** The slot of a kind, created hidden, e.g. to preload a video. Undefined while closed. */
  prepareSlot(kind: PlayerKind): PlayerSlot | undefined {
    const known = this.#slots.get(kind)
    if (known || !this.#host) return known
    const player = this.#factories[kind](this.#host, (event) => {
      if (this.#shown?.kind === kind) this.#onEvent(event)
    })
    const slot = { kind, player, loop: new SyncLoop(player), used: false }
    player.setSound(this.#audible)
    this.#slots.set(kind, slot)
    return slot
  }

  /** Makes the player of a kind the visible one. */
  show(kind: PlayerKind): PlayerSlot | undefined {
    const slot = this.prepareSlot(kind)
    if (this.#shown && this.#shown !== slot) this.#shown.player.stop()
    this.#shown = slot
    return slot
  }

  stopAll(): void {
    for (const { player } of this.#slots.values()) player.stop()
  }

  /** Stops and hides the visible player, and keeps what is prepared. */
  rest(): void {
    this.#shown?.player.rest()
    this.#shown = undefined
  }

  /** Silences the players while a card is shown, also a video that has been loaded early. */
  silence(isSilent: boolean): void {
    if (this.#isSilent === isSilent) return
    this.#isSilent = isSilent
    this.setSound(this.#sound)
  }

  setSound(sound: Sound): void {
    this.#sound = sound
    for (const { player } of this.#slots.values()) player.setSound(this.#audible)
  }

  /** Silent by the volume and not muted: unmuting later would need a user gesture. */
  get #audible(): Sound {
    return this.#isSilent ? { ...this.#sound, volume: 0 } : this.#sound
  }
}
