import type { CardProgramme, Programme } from '@looptide/contracts/http/channels'
import { programmeAt } from '@looptide/playhead/programme'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { serverClock } from '../../lib/clients.ts'
import { shellPictureUrl } from '../../lib/shell-picture.ts'
import { useStationPictures } from '../../lib/station-pictures.ts'
import { useCardTexts } from '../../lib/theme/card-texts.ts'
import { classNames } from '../../ui/class-names.ts'
import { CountdownCard, StationCard, VideosCard } from '../../ui/programme-cards.tsx'
import { startingName, videosAfter } from './card-content.ts'
import type { LiveSession } from './player/live-session.ts'
import { shownCard } from './player/live-state.ts'
import { useLiveState } from './use-live-session.ts'
import { useSessionElements } from './use-session-elements.ts'

/**
 * The element the live session draws into. It fills its parent, is black without a picture, and has the session's
 * measurements as `data-*` attributes (see `useSessionElements`); `children` are shown over it. YouTube requires a
 * frame of at least 200×200 pixels. A frame with another colour scheme than its document is white until it has loaded,
 * so it is set to light like YouTube's. During a card the players are hidden, because YouTube forbids overlays.
 */
export function LivePicture({ session, children }: { session: LiveSession; children?: ReactNode }) {
  const { picture, host } = useSessionElements(session)
  const isCard = shownCard(useLiveState(session)) !== undefined

  return (
    <section
      ref={picture}
      aria-label="Live picture"
      data-testid="live-picture"
      className="relative size-full min-h-50 min-w-50 overflow-hidden bg-black"
    >
      <div
        ref={host}
        className={classNames(
          'absolute inset-0 [&_iframe]:size-full [&_iframe]:[color-scheme:light]',
          isCard && 'invisible',
        )}
      />
      {children}
    </section>
  )
}

/** Videos on a card "coming up next". */
const NEXT_COUNT = 3

/** A card between two videos, over the whole picture. `programmes` are those of the timeline from the card on. */
export function CardPicture({ card, programmes }: { card: CardProgramme; programmes: readonly Programme[] }) {
  const texts = useCardTexts()
  const { logoUrl } = useStationPictures()
  const next = videosAfter(programmes, card, NEXT_COUNT)
  if (card.kind === 'countdown') return <Countdown card={card} programmes={programmes} />
  if (card.ident === 'next' && next.length > 0) {
    return <VideosCard heading={texts.cardNextText} videos={next.map(({ video }) => video)} />
  }
  if (card.ident === 'previous' && card.previous) {
    return <VideosCard heading={texts.cardPreviousText} videos={[card.previous]} />
  }
  return <StationCard name={texts.cardStationName} logoUrl={logoUrl} />
}

function Countdown({ card, programmes }: { card: CardProgramme; programmes: readonly Programme[] }) {
  const { cardCountdownText, cardStationName } = useCardTexts()
  const secondsLeft = useSecondsLeft(card.endsAtMs)
  const name = startingName(programmes, card) ?? cardStationName
  return <CountdownCard heading={cardCountdownText} name={name} secondsLeft={secondsLeft} />
}

const SECOND_MS = 1_000

/** The seconds until an instant (epoch ms) by the station's clock, rounded up; changes on the second. */
function useSecondsLeft(untilMs: number): number {
  const [nowMs, setNowMs] = useState(serverClock.nowMs)
  const leftMs = Math.max(0, untilMs - nowMs)
  useEffect(() => {
    if (leftMs === 0) return
    // One millisecond later, since a timer may fire early by a fraction of one.
    const timer = setTimeout(() => setNowMs(serverClock.nowMs()), (leftMs % SECOND_MS) + 1)
    return () => clearTimeout(timer)
  }, [leftMs])
  return Math.ceil(leftMs / SECOND_MS)
}

/** Served by the station itself, like every fallback. */
const CLIP = '/test-card/horizon.mp4'

/**
 * The default video while nothing is scheduled (docs/product/viewer.md §4): a silent looping clip, dimmed for the text
 * over it and synchronised to the server's clock. Its landscape fills the picture: with the clip's title, clock and
 * progress it would look like a programme that has stopped.
 */
export function DefaultVideo() {
  return (
    <video
      src={CLIP}
      autoPlay
      loop
      muted
      playsInline
      aria-hidden="true"
      tabIndex={-1}
      data-testid="default-video"
      onLoadedMetadata={({ currentTarget }) => {
        currentTarget.currentTime = (serverClock.nowMs() / 1000) % currentTarget.duration
      }}
      className="pointer-events-none absolute inset-0 size-full origin-[50%_92%] scale-[2.1] animate-fade object-cover opacity-40"
    />
  )
}

/** The current programme's thumbnail until the player has a picture. Renders nothing if it fails to load. */
export function FirstPicture({ programmes }: { programmes: readonly Programme[] | undefined }) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  const current = programmes && programmeAt(programmes, serverClock.nowMs())
  const url = programmes === undefined ? shellPictureUrl : (current?.video?.thumbnailUrl ?? null)
  if (url === null || url === failedUrl) return null
  return (
    <img
      src={url}
      alt=""
      className="pointer-events-none absolute inset-0 size-full object-contain opacity-60"
      onError={() => setFailedUrl(url)}
    />
  )
}

const DOUBLE_CLICK_MS = 300

/**
 * A transparent layer over the picture, because an embedded frame does not pass on pointer events. A press over a
 * foreign frame removes the layer while the controls are shown, so that the frame's own controls can be used. Over our
 * own player a press shows or hides the controls.
 */
export function PictureCover(props: {
  isActive: boolean
  isForeign: boolean
  onPress: () => void
  onDoubleClick: () => void
}) {
  const { isActive, isForeign } = props
  const [isLifted, setLifted] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  if (isLifted && (!isActive || !isForeign)) setLifted(false)
  if (isLifted) return null
  return (
    <div
      aria-hidden="true"
      className="absolute inset-0 z-10"
      onClick={() => {
        clearTimeout(timer.current)
        timer.current = setTimeout(() => {
          if (isForeign) setLifted(true)
          else props.onPress()
        }, DOUBLE_CLICK_MS)
      }}
      onDoubleClick={() => {
        clearTimeout(timer.current)
        props.onDoubleClick()
      }}
    />
  )
}

/**
 * The focus position of a remote control while watching: Left and Right lead from it to the controls and back. The focus
 * ring is drawn around the whole picture.
 */
export function PictureFocus({ isActive, onPress }: { isActive: boolean; onPress: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const { activeElement } = document
    if (activeElement === null || activeElement === document.body) button.current?.focus()
  }, [])
  return (
    <button
      ref={button}
      type="button"
      data-picture-focus
      data-focus-start
      aria-label={isActive ? 'Hide controls' : 'Show controls'}
      onClick={onPress}
      className="pointer-events-none absolute inset-x-8 top-[38%] bottom-[42%] outline-none focus-visible:shadow-none"
    />
  )
}
