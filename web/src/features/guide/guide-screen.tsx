import type { GuideBlock } from '@looptide/contracts/http/guide'
import { Close, Content, Portal, Root, Title } from '@radix-ui/react-dialog'
import { type ReactNode, useRef, useState } from 'react'
import { useMediaQuery } from '../../lib/browser/use-media-query.ts'
import { useServerNow } from '../../lib/time/use-server-now.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { dialogFocus } from '../../ui/dialog-focus.ts'
import { useDismissal } from '../../ui/use-dismissal.ts'
import { useStationGuide } from './api.ts'
import { BlockPanel } from './block-panel.tsx'
import { FocusedProgramme, FocusedSkeleton } from './focused-programme.tsx'
import { type GridPosition, nearestPosition, positionAt } from './grid-focus.ts'
import { GridSkeleton, GuideGrid, useFirstHourInView } from './guide-grid.tsx'
import { dayName, dayStartMs, daysAheadOf, isOnAir } from './guide-time.ts'
import { GuideToolbar } from './guide-toolbar.tsx'
import type { ShownProgramme } from './placeholders.ts'
import { onAirOf, type ShownRow, specialsOf, useShownRows } from './shown-rows.ts'
import { SpecialsPanel } from './specials-panel.tsx'
import { SubscribePanel } from './subscribe-panel.tsx'

export interface GuideScreenProps {
  /** The channel being watched. */
  channelId: string
  onClose: () => void
  /** Watches a channel, without the guide. */
  onWatch: (channelId: string) => void
  /** Shows another channel in the picture beside the guide. */
  onTune: (channelId: string) => void
  /** Additional actions for a programme. */
  actions?: (programme: ShownProgramme) => ReactNode
}

type Panel = { channelId: string; block: GuideBlock } | 'specials' | 'subscribe'

/** The panel is beside the grid; on smaller screens it covers the grid. */
const PANEL_BESIDE = '(min-width: 64rem) and (min-height: 36rem)'

/**
 * The programmes of all channels, from the same timelines that the players follow, on the whole screen. The picture of the
 * live page goes on in a rectangle that the guide leaves free (`--guide-picture-*` in web/src/styles/app.css).
 */
export function GuideScreen(props: GuideScreenProps) {
  const dismissal = useDismissal(true, props.onClose)
  return (
    <Root open onOpenChange={(open) => open || props.onClose()}>
      <Portal>
        <Content
          aria-describedby={undefined}
          {...dialogFocus()}
          {...dismissal.content}
          className="dark-surface fixed inset-0 isolate z-50 flex overflow-clip outline-none"
        >
          {/* Everything but the picture. */}
          <div aria-hidden="true" className="clip-around-picture absolute inset-0 -z-10 bg-panel" />
          <Guide {...props} />
        </Content>
      </Portal>
    </Root>
  )
}

function Guide(props: GuideScreenProps) {
  const { channelId, onClose, onWatch } = props
  const nowMs = useGuideNow()
  const [chosenDay, setChosenDay] = useState(0)
  const guide = useStationGuide(dayStartMs(nowMs, chosenDay))
  const rows = useShownRows(guide, channelId, nowMs)
  const scroller = useRef<HTMLElement>(null)
  const [wanted, setWanted] = useState<GridPosition>()
  const [panel, setPanel] = useState<Panel>()
  const isPanelBeside = useMediaQuery(PANEL_BESIDE)
  const specials = specialsOf(rows ?? [])
  const firstMs = useFirstHourInView(scroller, rows && guide.fromMs) ?? nowMs
  const position = wanted ?? positionAt(channelId, nowMs)
  const showDay = (daysAhead: number) => {
    setChosenDay(daysAhead)
    setWanted(positionAt(position.rowId, daysAhead === 0 ? nowMs : dayStartMs(nowMs, daysAhead)))
    scroller.current?.scrollTo({ left: 0, behavior: daysAhead === chosenDay ? 'smooth' : 'instant' })
  }
  const open = (shown: ShownRow, block: GuideBlock) => {
    setPanel({ channelId: shown.row.channelId, block })
    if (isOnAir(block, nowMs) && !shown.isWatched) props.onTune(shown.row.channelId)
  }
  return (
    <>
      <div
        inert={panel !== undefined && !isPanelBeside}
        className="relative flex min-w-0 flex-1 flex-col overflow-y-auto guide-side:grid guide-side:grid-cols-[var(--guide-picture-width)_minmax(0,1fr)] guide-side:grid-rows-[auto_minmax(0,1fr)]"
      >
        <TitleBar />
        <PictureBand onPicture={onClose}>
          {rows ? (
            <Focused
              rows={rows}
              position={position}
              nowMs={nowMs}
              onWatch={onWatch}
              onDetails={(shown, block) => setPanel({ channelId: shown.row.channelId, block })}
            />
          ) : (
            <FocusedSkeleton />
          )}
        </PictureBand>
        <GuideToolbar
          nowMs={nowMs}
          daysAhead={guide.isLoadingWindow ? chosenDay : daysAheadOf(nowMs, firstMs)}
          onDay={showDay}
          onNow={() => showDay(0)}
          channelId={channelId}
          specialCount={specials.length}
          onSpecials={() => setPanel('specials')}
          onSubscribe={() => setPanel('subscribe')}
        />
        <Programmes guide={guide}>
          {rows ? (
            <GuideGrid
              rows={rows}
              fromMs={guide.fromMs}
              nowMs={nowMs}
              day={dayName(firstMs)}
              position={position}
              onMove={setWanted}
              onOpen={open}
              onWatch={onWatch}
              scroller={scroller}
            />
          ) : (
            <GridSkeleton />
          )}
        </Programmes>
      </div>
      <OpenPanel
        {...props}
        panel={panel}
        rows={rows ?? []}
        nowMs={nowMs}
        onClose={() => setPanel(undefined)}
      />
    </>
  )
}

/** Close, and the title where it has a line of its own; else the toolbar shows it. */
function TitleBar() {
  return (
    <>
      <header className="absolute top-1 right-1 z-10 guide-wide:top-2 guide-wide:right-2">
        <Close asChild>
          <IconButton icon="close" label="Close" />
        </Close>
      </header>
      <Title className="absolute top-0 left-4 flex h-(--guide-bar) items-center text-xl font-semibold guide-side:sr-only guide-wide:sr-only">
        TV Guide
      </Title>
    </>
  )
}

/** The grid, with the message that it could not be loaded, and a button for more channels. */
function Programmes(props: { guide: ReturnType<typeof useStationGuide>; children: ReactNode }) {
  const { hasFailed, refresh, hasMore, loadMore } = props.guide
  return (
    <div className="flex min-h-40 flex-1 flex-col border-t border-line">
      {hasFailed && <Failed onRetry={refresh} />}
      {props.children}
      {hasMore && (
        <div className="grid justify-items-center border-t border-line p-2.5">
          <Button onClick={loadMore}>More channels</Button>
        </div>
      )}
    </div>
  )
}

/** The place of the picture, which pressing it leads back to, and what is shown beside or below it. */
function PictureBand({ onPicture, children }: { onPicture: () => void; children: ReactNode }) {
  return (
    <div className="relative h-[calc(var(--guide-picture-top)+var(--guide-picture-height))] shrink-0 guide-side:row-span-2 guide-side:h-auto guide-side:min-h-0 guide-side:overflow-clip guide-side:border-r guide-side:border-line guide-wide:h-[calc(2*var(--guide-picture-top)+var(--guide-picture-height))]">
      <button
        type="button"
        aria-label="Back to the picture"
        onClick={onPicture}
        className="absolute top-(--guide-picture-top) left-(--guide-picture-left) hidden h-(--guide-picture-height) w-(--guide-picture-width) focus-visible:-outline-offset-3 guide-picture:block"
      />
      <div className="hidden h-full guide-side:block guide-side:px-4 guide-side:pt-[calc(var(--guide-picture-height)+0.5rem)] guide-side:pb-3 guide-wide:block guide-wide:py-(--guide-picture-top) guide-wide:pr-16 guide-wide:pl-[calc(var(--guide-picture-left)+var(--guide-picture-width)+1.5rem)]">
        {children}
      </div>
    </div>
  )
}

/** The programme at the focused position; for a channel what is on there now. */
function Focused(props: {
  rows: readonly ShownRow[]
  position: GridPosition
  nowMs: number
  onWatch: (channelId: string) => void
  onDetails: (shown: ShownRow, block: GuideBlock) => void
}) {
  const { rows, nowMs } = props
  const gridRows = rows.map(({ row, blocks }) => ({ id: row.channelId, blocks }))
  const place = nearestPosition(gridRows, props.position)
  const shown = rows.find(({ row }) => row.channelId === place?.rowId)
  if (!shown) return null
  const block = shown.blocks.find(({ id }) => id === place?.blockId) ?? onAirOf(shown, nowMs).block
  return (
    <FocusedProgramme
      shown={shown}
      block={block}
      nowMs={nowMs}
      onWatch={() => props.onWatch(shown.row.channelId)}
      onDetails={(one) => props.onDetails(shown, one)}
    />
  )
}

function OpenPanel(
  props: Pick<GuideScreenProps, 'onWatch' | 'actions' | 'onClose'> & {
    panel: Panel | undefined
    rows: readonly ShownRow[]
    nowMs: number
  },
) {
  const { panel, rows, nowMs, onClose } = props
  if (panel === undefined) return null
  if (panel === 'specials')
    return <SpecialsPanel specials={specialsOf(rows)} nowMs={nowMs} onClose={onClose} />
  if (panel === 'subscribe') {
    const channels = rows.map(({ row, title }) => ({ id: row.channelId, title }))
    return <SubscribePanel channels={channels} onClose={onClose} />
  }
  const shown = rows.find(({ row }) => row.channelId === panel.channelId)
  if (!shown) return null
  const { id } = panel.block
  return (
    <BlockPanel
      key={`${panel.channelId} ${id}`}
      shown={shown}
      block={shown.blocks.find((block) => block.id === id) ?? panel.block}
      nowMs={nowMs}
      onWatch={() => props.onWatch(panel.channelId)}
      onClose={onClose}
      actions={(programme) => props.actions?.(programme)}
    />
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  return (
    <p
      role="alert"
      className="flex flex-wrap items-center gap-3 border-b border-line px-4 py-2 text-base guide-wide:px-5 tv:text-xl"
    >
      The guide could not be loaded.
      <Button onClick={onRetry}>Try again</Button>
    </p>
  )
}

const TICK_MS = 5_000

/** The server's time, updated every five seconds: the now line moves by less than a pixel. */
const useGuideNow = (): number => useServerNow(TICK_MS)
