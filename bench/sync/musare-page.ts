/// <reference lib="dom" />
import type { NowState } from '@looptide/contracts/http/channels'
import type { Page } from '@playwright/test'

/**
 * A page that plays the same channel by Musare's rule: it compares every 150 ms, plays at 1.05, 1.1 or 1.2 beyond
 * 25, 50 or 200 ms, and seeks beyond 2 s. It reads the station's clock exactly and reports its state like our
 * player.
 */
export async function openMusarePage(page: Page, stationUrl: string, channelId: string): Promise<void> {
  // Any small file of the station: the page's clips come from the same origin.
  await page.goto(`${stationUrl}/test-card/index.json`)
  const now: NowState = await (await fetch(`${stationUrl}/api/channels/${channelId}/now`)).json()
  await page.evaluate((programmes) => {
    const picture = document.createElement('div')
    const video = document.createElement('video')
    Object.assign(picture.style, { width: '100%', height: '100%' })
    Object.assign(video.style, { width: '100%', height: '100%' })
    video.muted = true
    picture.append(video)
    document.body.replaceChildren(picture)
    const wall = () => performance.timeOrigin + performance.now()
    let shown: (typeof programmes)[number] | undefined
    let seeks = 0
    let rateChanges = 0
    const show = (programme: (typeof programmes)[number]) => {
      shown = programme
      video.src = programme.video?.mediaUrl ?? ''
      video.currentTime = (wall() - programme.startsAtMs) / 1000
      void video.play()
    }
    const setRate = (rate: number) => {
      if (Math.abs(video.playbackRate - rate) < 0.001) return
      video.playbackRate = rate
      rateChanges += 1
    }
    const compare = () => {
      const atMs = wall()
      const programme = programmes.find(({ startsAtMs, endsAtMs }) => startsAtMs <= atMs && atMs < endsAtMs)
      if (programme !== undefined && programme !== shown) show(programme)
      const playing = shown !== undefined && video.readyState >= 3 && !video.paused && !video.seeking
      if (shown !== undefined && playing) {
        const driftMs = video.currentTime * 1000 - (atMs - shown.startsAtMs)
        const size = Math.abs(driftMs)
        if (size > 2000) {
          video.currentTime = (atMs - shown.startsAtMs) / 1000
          seeks += 1
          setRate(1)
        } else setRate(1 - Math.sign(driftMs) * (size > 200 ? 0.2 : size > 50 ? 0.1 : size > 25 ? 0.05 : 0))
      }
      Object.assign(picture.dataset, {
        state: playing ? 'playing' : 'loading',
        player: 'html5',
        programmeId: shown?.id ?? '',
        positionMs: String(video.currentTime * 1000),
        wallMs: String(atMs),
        seeks: String(seeks),
        rateChanges: String(rateChanges),
      })
    }
    setInterval(compare, 150)
  }, now.programmes)
}
