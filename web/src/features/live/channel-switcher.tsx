import type { Channel } from '@looptide/contracts/http/channels'
import type { GuideRow, GuideTrack } from '@looptide/contracts/http/guide'
import { formatArtistSummary } from '@looptide/playhead/artist-summary'
import { useServerNow } from '../../lib/time/use-server-now.ts'
import { ChannelLogo } from '../../ui/channel-logo.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useGuideRows } from './api.ts'
import { NowAndNext } from './now-and-next.tsx'

/** How often what is on now and next is determined again, in ms. */
const TICK_MS = 5_000

/** A dialog to choose one of the active channels, with what is on each now and next. */
export function ChannelSwitcher(props: {
  channels: readonly Channel[]
  currentId: string
  onSwitch: (channelId: string) => void
  onClose: () => void
}) {
  const rows = useGuideRows()
  const nowMs = useServerNow(TICK_MS)
  return (
    <Dialog title="Channels" isOpen onClose={props.onClose} width="medium">
      <ol className="grid gap-2">
        {props.channels.map((channel, index) => {
          const isCurrent = channel.id === props.currentId
          const row = rows?.find(({ channelId }) => channelId === channel.id)
          return (
            <li key={channel.id}>
              <button
                type="button"
                aria-current={isCurrent ? 'true' : undefined}
                onClick={() => props.onSwitch(channel.id)}
                className={classNames(
                  'lift flex w-full gap-4 rounded-md border px-4 py-3 text-left hover:bg-raised',
                  isCurrent ? 'border-accent bg-raised' : 'border-line',
                )}
              >
                <span
                  aria-hidden="true"
                  className="grid shrink-0 content-start justify-items-center gap-1 text-sm font-semibold tabular-nums"
                >
                  <ChannelLogo name={channel.name} url={channel.logoUrl} />
                  {index + 1}
                </span>
                <span className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] content-start gap-1">
                  <span className="font-semibold">
                    {channel.name}
                    {isCurrent && <span className="ml-2 text-sm font-normal text-muted">watching</span>}
                  </span>
                  {channel.description && (
                    <span className="truncate text-sm text-muted">{channel.description}</span>
                  )}
                  {row && <RowContent row={row} nowMs={nowMs} />}
                </span>
              </button>
            </li>
          )
        })}
      </ol>
    </Dialog>
  )
}

function RowContent({ row, nowMs }: { row: GuideRow; nowMs: number }) {
  if (row.status === 'idle') return <span className="text-sm text-muted">Off the air</span>
  return <NowAndNext {...nowAndNextOf(row, nowMs)} />
}

/** What is on now and next, from the row of a channel in the guide. */
export function nowAndNextOf(row: GuideRow, nowMs: number) {
  const now = row.nowAndNext.find((track) => track.startsAtMs <= nowMs && nowMs < track.endsAtMs)
  return { now, next: nextOf(row, now?.endsAtMs ?? nowMs) }
}

/** The video from `fromMs` on, or after a long one the block of the guide that follows. */
function nextOf({ nowAndNext, blocks }: GuideRow, fromMs: number): GuideTrack | undefined {
  const track = nowAndNext.find(({ startsAtMs }) => startsAtMs >= fromMs)
  if (track) return track
  const block = blocks.find(({ startsAtMs }) => startsAtMs >= fromMs)
  if (!block) return undefined
  const artists = formatArtistSummary(block)
  const title = block.block?.name ?? block.title
  return { ...block, title: title ?? artists, artistName: title === null ? '' : artists }
}
