import type { GuideBlock } from '@looptide/contracts/http/guide'
import { type ReactNode, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { useConfig } from '../../lib/api/use-config.ts'
import { paths } from '../../lib/paths.ts'
import { useServerNow } from '../../lib/time/use-server-now.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useStationGuide } from './api.ts'
import { BlockDialog } from './block-dialog.tsx'
import { GuideGrid } from './guide-grid.tsx'
import type { ShownRow } from './guide-row.tsx'
import { currentHourMs } from './guide-time.ts'
import { placeholderBlocks, placeholderRow, type ShownProgramme } from './placeholders.ts'
import { type ShownSpecial, SpecialsDialog } from './specials-dialog.tsx'
import { SubscribeDialog } from './subscribe-dialog.tsx'

/** docs/product/viewer.md §2: the name of the default channel's row. */
const DEFAULT_ROW_TITLE = '24/7 Live Stream'

export interface GuideDialogProps {
  /** The channel being watched. */
  channelId: string
  onClose: () => void
  onWatch: (channelId: string) => void
  /** Additional actions for a programme. */
  actions?: (programme: ShownProgramme) => ReactNode
}

/** The programmes of all channels in the next 24 hours, from the same timelines that the players follow. */
export function GuideDialog(props: GuideDialogProps) {
  const nowMs = useGuideNow()
  const guide = useStationGuide(currentHourMs(nowMs))
  const rows = useShownRows(guide, props.channelId)
  const scroller = useRef<HTMLElement>(null)
  const [opened, setOpened] = useState<{ channelId: string; block: GuideBlock }>()
  const [panel, setPanel] = useState<'specials' | 'subscribe' | null>(null)
  const specials = specialsOf(rows ?? [])
  const openedRow = rows?.find(({ row }) => row.channelId === opened?.channelId)
  return (
    <Dialog title="TV Guide" isOpen onClose={props.onClose} width="full">
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2.5">
        <Button onClick={() => scroller.current?.scrollTo({ left: 0, behavior: 'smooth' })}>Now</Button>
        <Link to={paths.history({ channel: props.channelId })} className={buttonClass('plain')}>
          What was on
        </Link>
        {specials.length > 0 && (
          <Button tone="plain" onClick={() => setPanel('specials')}>
            Coming up ({specials.length})
          </Button>
        )}
        <Button tone="plain" onClick={() => setPanel('subscribe')}>
          Subscribe
        </Button>
        {guide.hasFailed && <Failed onRetry={guide.refresh} />}
      </div>
      {rows ? (
        <GuideGrid
          rows={rows}
          fromMs={guide.fromMs}
          nowMs={nowMs}
          watchedId={props.channelId}
          onOpen={({ row }, block) => setOpened({ channelId: row.channelId, block })}
          onWatch={props.onWatch}
          scroller={scroller}
        />
      ) : (
        <GridSkeleton />
      )}
      {guide.hasMore && (
        <div className="grid justify-items-center border-t border-line p-2.5">
          <Button onClick={guide.loadMore}>More channels</Button>
        </div>
      )}
      {opened && openedRow && (
        <BlockDialog
          shown={openedRow}
          block={openedRow.blocks.find(({ id }) => id === opened.block.id) ?? opened.block}
          nowMs={nowMs}
          onWatch={() => props.onWatch(opened.channelId)}
          onClose={() => setOpened(undefined)}
          actions={(programme) => props.actions?.(programme)}
        />
      )}
      {panel === 'specials' && (
        <SpecialsDialog specials={specials} nowMs={nowMs} onClose={() => setPanel(null)} />
      )}
      {panel === 'subscribe' && (
        <SubscribeDialog
          channels={(rows ?? []).map(({ row, title }) => ({ id: row.channelId, title }))}
          onClose={() => setPanel(null)}
        />
      )}
    </Dialog>
  )
}

/** The specials of all channels, by time. */
const specialsOf = (rows: readonly ShownRow[]): ShownSpecial[] =>
  rows
    .flatMap(({ row, title }) =>
      row.specials.map((special) => ({ channelId: row.channelId, channelTitle: title, special })),
    )
    .toSorted((a, b) => a.special.startsAtMs - b.special.startsAtMs)

/** The rows with their names, and placeholders for missing programmes of the default channel (docs/product/viewer.md §4). */
function useShownRows(guide: ReturnType<typeof useStationGuide>, watchedId: string): ShownRow[] | undefined {
  const { defaultChannelId, brand } = useConfig()
  const { rows, hasFailed, fromMs } = guide
  if (!rows && !hasFailed) return undefined
  const known = rows && rows.length > 0 ? rows : [placeholderRow(defaultChannelId, fromMs, brand.shortName)]
  return known.map((row) => {
    const isDefault = row.channelId === defaultChannelId
    const isEmpty = isDefault && row.blocks.length === 0
    return {
      row,
      title: isDefault ? DEFAULT_ROW_TITLE : row.name,
      isWatched: row.channelId === watchedId,
      blocks: isEmpty ? placeholderBlocks(fromMs, brand.shortName) : row.blocks,
    }
  })
}

function Failed({ onRetry }: { onRetry: () => void }) {
  return (
    <p role="alert" className="ml-auto flex items-center gap-3 text-sm text-muted">
      The guide could not be loaded.
      <Button onClick={onRetry}>Try again</Button>
    </p>
  )
}

function GridSkeleton() {
  return (
    <div
      role="status"
      aria-label="Loading guide"
      className="grid min-h-0 flex-1 content-start overflow-hidden"
    >
      <div className="h-10 border-b border-line" />
      {Array.from({ length: 4 }, (_, row) => (
        <div key={String(row)} className="grid gap-2 border-b border-line/60 p-2 sm:flex">
          <Skeleton className="h-9 sm:h-20 sm:w-48 sm:shrink-0" />
          <div className="flex gap-1">
            {Array.from({ length: 6 }, (_, cell) => (
              <Skeleton key={String(cell)} className="h-20 w-52 shrink-0 sm:w-60" />
            ))}
          </div>
        </div>
      ))}
    </div>
  )
}

const TICK_MS = 5_000

/** The server's time, updated every five seconds: the now line moves by less than a pixel. */
const useGuideNow = (): number => useServerNow(TICK_MS)
