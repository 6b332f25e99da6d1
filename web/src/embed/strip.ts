import type { EmbedPage } from '@looptide/contracts/http/embeds'
import type { NowPlaying } from '@looptide/contracts/http/now-playing'
import { element, programmeName, stationLink } from './elements.ts'
import { followNow } from './follow-now.ts'

type Channel = NonNullable<EmbedPage['channel']>

/** The strip: picture, title and artist of what is on, and what comes next. All of it leads to the station. */
export function showStrip(
  root: HTMLElement,
  { channel, stationName }: { channel: Channel; stationName: string },
) {
  const picture = element('span', { class: 'strip-picture' })
  const title = element('h1', { class: 'strip-title' })
  const artist = element('p', { class: 'strip-artist' })
  const next = element('p', { class: 'strip-next' })
  const progress = element('span', { class: 'strip-progress', 'aria-hidden': 'true' })
  const badge = element('span', { class: 'badge' }, 'Live')
  const where = element('p', { class: 'strip-where' }, badge, element('bdi', {}, channel.name))
  const texts = element('div', { class: 'strip-texts', 'aria-live': 'polite' }, where, title, artist, next)
  const link = stationLink(channel.watchUrl, 'strip', picture, texts, progress)
  link.title = `Watch on ${stationName}`
  root.replaceChildren(link)
  const show = (now: NowPlaying) => {
    const { song, duration, elapsed } = now.now_playing
    badge.hidden = !now.is_online
    title.replaceChildren(element('bdi', {}, song.title))
    artist.replaceChildren(element('bdi', {}, song.artist))
    const { playing_next: following } = now
    next.replaceChildren(...(following === null ? [] : ['Next: ', ...programmeName(following.song)]))
    showPicture(picture, song.art)
    runProgress(
      progress,
      now.is_online ? { durationMs: duration * 1000, elapsedMs: elapsed * 1000 } : undefined,
    )
  }
  show(channel.now)
  followNow(channel.id, show, { restsHidden: true })
}

/** The programme's picture; the mark of the place while there is none, or if it does not load. */
function showPicture(place: HTMLElement, url: string): void {
  if (place.dataset.url === url) return
  place.dataset.url = url
  place.replaceChildren()
  if (url === '') return
  const image = element('img', { src: url, alt: '', referrerpolicy: 'strict-origin-when-cross-origin' })
  image.addEventListener('error', () => image.remove())
  place.append(image)
}

/** Lets the line grow with the programme, without a timer. It rests for those who want less motion (embed.css). */
function runProgress(
  line: HTMLElement,
  programme: { durationMs: number; elapsedMs: number } | undefined,
): void {
  for (const running of line.getAnimations()) running.cancel()
  if (programme === undefined || programme.durationMs <= 0) return
  const { durationMs, elapsedMs } = programme
  const growth = line.animate([{ transform: 'scaleX(0)' }, { transform: 'scaleX(1)' }], {
    duration: durationMs,
    fill: 'forwards',
  })
  growth.currentTime = elapsedMs
}
