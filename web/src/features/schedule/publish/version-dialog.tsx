import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useChannels } from '../../admin/use-channels.ts'
import { useVersion } from '../api.ts'
import { ChangeList } from '../draft/change-list.tsx'
import { changesBetween } from '../model/compare.ts'
import { contentText, slotText, sourceText } from '../model/sentences.ts'
import { dateOf, startLabel } from '../model/specials.ts'
import { daysText, spanLabel } from '../model/times.ts'
import { dateText } from '../model/zoned-time.ts'

/** A published version: what it contains, and how the draft, if there is one, differs from it. */
export function VersionDialog(props: {
  channelId: string
  draft: ScheduleDocument | undefined
  version: number
  onClose: () => void
}) {
  const { draft, version, onClose } = props
  const { data, error, mutate } = useVersion(props.channelId, version)
  return (
    <Dialog title={`Version ${version}`} isOpen onClose={onClose}>
      {data ? (
        <div className="grid gap-5 text-sm">
          {draft && (
            <section aria-label="The draft compared with this version" className="grid gap-1">
              <h3 className="text-base font-semibold">The draft compared with this version</h3>
              <ChangeList changes={changesBetween(data.document, draft)} />
            </section>
          )}
          <Contents document={data.document} />
        </div>
      ) : error ? (
        <ErrorNotice text="Failed to load the version." onRetry={() => void mutate()} />
      ) : (
        <Skeleton className="h-64" />
      )}
    </Dialog>
  )
}

function Contents({ document }: { document: ScheduleDocument }) {
  const channels = useChannels().data?.items ?? []
  const channelName = (id: string) => channels.find((channel) => channel.id === id)?.name ?? id
  const sources = Object.keys(document.sources)
  const parts: { title: string; lines: string[] }[] = [
    {
      title: 'Blocks',
      lines: (document.blocks ?? []).map(
        (block) => `${block.name}: ${daysText(block.days)} ${spanLabel(block)}, ${contentText(block)}`,
      ),
    },
    {
      title: 'Specials',
      lines: (document.specials ?? []).map(
        (special) =>
          `${special.name}: ${dateText(dateOf(special))}, ${startLabel(special)}, ${contentText(special)}`,
      ),
    },
    {
      title: 'Holidays',
      lines: (document.overrides ?? []).map(
        ({ id, name, from, to, blocks }) => `${name ?? id}: ${from} to ${to}, ${blocks.length} blocks`,
      ),
    },
    {
      title: 'Clocks',
      lines: Object.entries(document.clocks ?? {}).map(
        ([name, slots]) => `${name}: ${slots.map((slot) => slotText(slot, sources)).join('; ')}`,
      ),
    },
    {
      title: 'Sources',
      lines: Object.entries(document.sources).map(
        ([name, source]) => `${name}: ${sourceText(source, channelName)}`,
      ),
    },
  ]
  return parts
    .filter(({ lines }) => lines.length > 0)
    .map(({ title, lines }) => (
      <section key={title} aria-label={title} className="grid gap-1">
        <h3 className="text-base font-semibold">{title}</h3>
        <ul className="grid gap-0.5">
          {lines.map((line) => (
            <li key={line} className="break-words text-muted">
              {line}
            </li>
          ))}
        </ul>
      </section>
    ))
}
