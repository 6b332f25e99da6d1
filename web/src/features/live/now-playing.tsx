import type { Programme } from '@looptide/contracts/http/channels'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useBrand } from '../../lib/api/use-config.ts'
import { serverClock } from '../../lib/clients.ts'
import { useCardTexts } from '../../lib/theme/card-texts.ts'
import { whyText } from '../../lib/why-text.ts'
import { classNames } from '../../ui/class-names.ts'
import { cardInfo, currentCard } from './card-content.ts'
import type { LiveProgramme, LiveState } from './player/live-state.ts'

/** Title and artist of the current video, announced to screen readers on change. */
export function NowPlaying(props: {
  state: LiveState
  /** The programmes of the timeline from the current one on. */
  programmes: readonly Programme[] | undefined
  className?: string | undefined
}) {
  const { state, programmes, className } = props
  const { title, detail, note, why } = useNowPlayingTexts(state, programmes)
  return (
    <div className={classNames('min-w-0', className)} aria-live="polite">
      <h1 className="truncate text-lg font-semibold lg:text-2xl beside:text-3xl beside:tracking-tight roomy:text-2xl">
        {title}
      </h1>
      <p className="mt-0.5 truncate text-sm text-white/85 lg:text-lg roomy:text-base">
        {detail}
        <span className="mx-2" aria-hidden="true">
          ·
        </span>
        <span>{note}</span>
      </p>
      {why && <p className="mt-0.5 truncate text-xs text-white/85 lg:text-sm tv:text-base">{why}</p>}
    </div>
  )
}

function useNowPlayingTexts(state: LiveState, programmes: readonly Programme[] = []) {
  const { shortName } = useBrand()
  const texts = useCardTexts()
  const { programme, selected, substitute } = state
  const card = currentCard(programmes, state)
  if (card) return { ...cardInfo(card, programmes, texts), why: card.block?.name }
  const onAir = programmes.find(({ id }) => id === programme?.id)
  const own = selected ?? substitute
  const shown = own ?? programme?.video
  return {
    title: shown?.title ?? 'Continuous Live Stream',
    detail: shown?.artistName ?? shortName,
    note: own ? 'Playing only for you' : state.phase === 'off-air' ? 'Off the air' : '24/7 • HD Quality',
    why: onAir?.kind === 'video' && !own ? whyText(onAir) : undefined,
  }
}

/** Interval of the progress line, in ms. An animation would repaint sixty times a second for a pixel or two. */
const PROGRESS_EVERY_MS = 1000

/** A thin line that shows the progress of the programme. */
export function ProgrammeProgress({ programme }: { programme: LiveProgramme }) {
  const { startsAtMs, endsAtMs } = programme
  const line = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const update = () => {
      const share = (serverClock.nowMs() - startsAtMs) / (endsAtMs - startsAtMs)
      if (line.current !== null) line.current.style.scale = `${Math.min(1, Math.max(0, share))} 1`
    }
    update()
    const timer = setInterval(update, PROGRESS_EVERY_MS)
    return () => clearInterval(timer)
  }, [startsAtMs, endsAtMs])
  return (
    <div aria-hidden="true" className="h-0.5 overflow-hidden bg-white/20 motion-reduce:hidden">
      <div ref={line} className="h-full origin-left bg-accent" style={{ scale: '0 1' }} />
    </div>
  )
}

/** How long a title is shown over the picture after a cut. */
const ANNOUNCEMENT_MS = 4_000

/**
 * True for 4 s after the cut to another programme. Only for our own player: YouTube forbids overlays, and shows a title
 * itself.
 */
export function useAnnouncement({ programme, playerKind, selected }: LiveState): boolean {
  const [isOn, setOn] = useState(false)
  const id = playerKind === 'html5' && !selected ? programme?.id : undefined
  useEffect(() => {
    if (!id) return
    setOn(true)
    const timer = setTimeout(() => setOn(false), ANNOUNCEMENT_MS)
    return () => clearTimeout(timer)
  }, [id])
  return isOn && id !== undefined
}
