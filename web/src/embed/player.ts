import { EMBED_PLAYER } from '@looptide/contracts/embed-code'
import type { Programme } from '@looptide/contracts/http/channels'
import type { EmbedPage } from '@looptide/contracts/http/embeds'
import { LiveSession } from '../features/live/player/live-session.ts'
import { type LiveState, shownCard } from '../features/live/player/live-state.ts'
import { playerFactories } from '../features/live/player/players.ts'
import { writeSessionAttributes } from '../features/live/player/session-attributes.ts'
import { ChannelTimeline } from './channel-timeline.ts'
import { element } from './elements.ts'
import { followNow } from './follow-now.ts'
import { PlayerBar, write } from './player-bar.ts'

interface PlayerOptions {
  channel: NonNullable<EmbedPage['channel']>
  stationName: string
  youtubeBaseUrl: string
  isMuted: boolean
}

/** The player: the live picture in step with all viewers, and a bar below it. */
export function showPlayer(root: HTMLElement, options: PlayerOptions): void {
  const { channel } = options
  const player = new EmbedPlayer(options)
  root.replaceChildren(player.picture, player.bar.element)
  player.begin()
  followNow(channel.id, (now) => player.compare(now), { restsHidden: false })
}

class EmbedPlayer {
  readonly picture: HTMLElement
  readonly bar: PlayerBar
  readonly #options: PlayerOptions
  readonly #notice = element('p', { class: 'cover-notice', role: 'status' })
  readonly #cover = element('div', { class: 'cover' }, this.#notice)
  readonly #host = element('div', { class: 'host' })
  readonly #timeline: ChannelTimeline
  readonly #session: LiveSession
  /** A player starts itself, or was started by a press. Undefined while it has not been large enough to decide. */
  #isWanted: boolean | undefined
  #isLargeEnough = true
  #isRunning = false

  constructor(options: PlayerOptions) {
    this.#options = options
    const { channel, stationName, youtubeBaseUrl, isMuted } = options
    this.bar = new PlayerBar(channel, stationName)
    this.picture = element(
      'section',
      { class: 'picture', 'aria-label': 'Live picture' },
      this.#cover,
      this.#host,
    )
    this.#timeline = new ChannelTimeline(channel.id, (programmes) => this.#session.setTimeline(programmes))
    this.#session = new LiveSession({
      serverNowMs: () => this.#timeline.nowMs(),
      players: playerFactories(youtubeBaseUrl),
      onProgrammesNeeded: () => void this.#timeline.refresh(),
      findSubstitutes: ({ id }) => this.#timeline.substitutes(id),
      // Reports count for the station's own page: what fails here may be due to the page around.
      onUnplayable: () => undefined,
      onUnreachable: () => undefined,
      onDuration: () => undefined,
    })
    this.#session.setAudioAllowed(true)
    this.#session.setMuted(isMuted)
  }

  begin(): void {
    writeSessionAttributes(this.picture, this.#session)
    this.#session.state.subscribe(() => this.#render())
    void this.#timeline.refresh()
    document.addEventListener('visibilitychange', () => this.#session.refresh())
    new ResizeObserver(() => this.#measure()).observe(this.picture)
    this.#measure()
  }

  /** Loads the timeline if it does not say what the station announces. */
  compare(now: Parameters<ChannelTimeline['agreesWith']>[0]): void {
    if (!this.#timeline.agreesWith(now)) void this.#timeline.refresh()
  }

  #measure(): void {
    const { clientWidth, clientHeight } = this.picture
    this.#isLargeEnough = Math.min(clientWidth, clientHeight) >= EMBED_PLAYER.minSide
    if (this.#isLargeEnough) this.#isWanted ??= mayStartItself()
    const runs = this.#isLargeEnough && this.#isWanted === true
    if (runs && !this.#isRunning) this.#session.start(this.#host)
    if (!runs && this.#isRunning) this.#session.stop()
    this.#isRunning = runs
    this.#render()
  }

  #play(): void {
    this.#isWanted = true
    this.#measure()
    this.#session.tuneIn()
  }

  #render(): void {
    const state = this.#session.state.get()
    const card = shownCard(state)
    const programme = this.#timeline.programmes.find(({ id }) => id === state.programme?.id)
    this.#host.classList.toggle('rests', card !== undefined || state.phase === 'off-air')
    this.#showCover(programme)
    write(this.#notice, [this.#noticeText(state, card !== undefined)])
    this.bar.show({ ...this.#names(state), note: problemText(state), action: this.#action(state) })
  }

  /** The picture behind the player, which is seen while nothing plays. */
  #showCover(programme: Programme | undefined): void {
    const known = programme?.kind === 'video' ? programme.video.thumbnailUrl : undefined
    const url = known === undefined ? this.#options.channel.now.now_playing.song.art : (known ?? '')
    this.#cover.style.setProperty('--picture', url === '' ? 'none' : `url(${JSON.stringify(url)})`)
  }

  #names(state: LiveState): { title: string; artist: string } {
    const shown = state.substitute ?? state.programme?.video ?? state.upNext[0]?.video
    if (shown) return { title: shown.title, artist: shown.artistName }
    const { title, artist } = this.#options.channel.now.now_playing.song
    return { title, artist }
  }

  #noticeText(state: LiveState, isCard: boolean): string {
    const { minSide } = EMBED_PLAYER
    if (!this.#isLargeEnough) return `This player needs at least ${minSide} × ${minSide} pixels.`
    if (!this.#isWanted) return ''
    if (isCard) return `Coming up on ${this.#options.channel.name}`
    if (state.phase === 'off-air') return 'This channel is off the air.'
    return state.phase === 'connecting' ? 'Connecting...' : ''
  }

  #action(state: LiveState): { label: string; run: () => void } | undefined {
    const session = this.#session
    if (!this.#isLargeEnough) return undefined
    if (!this.#isWanted || state.phase === 'blocked') return { label: 'Play', run: () => this.#play() }
    if (state.phase === 'unreachable') return { label: 'Try again', run: () => session.retryNow() }
    if (state.soundBlocked) return { label: 'Unmute', run: () => session.tuneIn() }
    return state.muted
      ? { label: 'Unmute', run: () => session.setMuted(false) }
      : { label: 'Mute', run: () => session.setMuted(true) }
  }
}

/** What is said instead of the artist while there is no picture. */
function problemText({ phase, error, playerKind }: LiveState): string | undefined {
  if (phase !== 'unreachable' && !(phase === 'loading-next' && error)) return undefined
  if (phase === 'unreachable')
    return playerKind === 'youtube' ? 'YouTube cannot be reached.' : 'The video could not be loaded.'
  return 'This video cannot be played here.'
}

/** The mark on the document of an embed that started by itself. */
const MARK = 'data-starts-itself'
/** Frames of the whole page that are looked at. */
const MAX_FRAMES = 200

/**
 * Whether the player may start by itself: YouTube permits one such player on a page. Embeds of one station are of one
 * origin, so they see each other's marks, without storage and without messages. Looking and marking happens at once.
 */
function mayStartItself(): boolean {
  const { documentElement } = document
  const isFirst = !allFrames(window.top ?? window).some((frame) => frame !== window && isMarked(frame))
  if (isFirst) documentElement.setAttribute(MARK, '')
  return isFirst
}

/** The frame and all below it. */
function allFrames(top: Window): Window[] {
  const found = [top]
  for (let index = 0; index < found.length && found.length < MAX_FRAMES; index += 1) {
    const parent = found[index]
    for (let child = 0; parent !== undefined && child < parent.length; child += 1) {
      const frame = parent[child]
      if (frame !== undefined) found.push(frame)
    }
  }
  return found
}

/** A frame of another origin does not let us look. */
function isMarked(frame: Window): boolean {
  try {
    return frame.document.documentElement.hasAttribute(MARK)
  } catch {
    return false
  }
}
