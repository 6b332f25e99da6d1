import { useRef, useState } from 'react'
import { ApiError } from '../../../lib/api/api-error.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { EmptyNotice, ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { lazyDialog } from '../../admin/lazy-part.ts'
import type { OpenEditor } from '../draft/use-schedule-editor.ts'
import { useLog, type VersionedLog } from './api.ts'
import type { BegunChange } from './change-dialog.tsx'
import { EditList } from './edit-list.tsx'
import { findProgrammes } from './log-rows.ts'
import { LogTable } from './log-table.tsx'
import { undoEdit } from './use-planned-change.ts'

const ChangeDialog = lazyDialog(async () => (await import('./change-dialog.tsx')).ChangeDialog)

/** The published next 24 hours of a channel, in which single programmes are changed. */
export function LogTab({ editor }: { editor: OpenEditor }) {
  const { channel, published } = editor
  if (published === undefined) return <LogSkeleton />
  if (published.document === null) {
    return (
      <EmptyNotice title={`${channel.name} has no schedule on the air`}>
        <p>It repeats its playlist. Once the schedule is published, the next 24 hours are listed here.</p>
      </EmptyNotice>
    )
  }
  return <PublishedLog channelId={channel.id} document={published.document} />
}

type Published = NonNullable<NonNullable<OpenEditor['published']>['document']>

function PublishedLog({ channelId, document }: { channelId: string; document: Published }) {
  const { data: log, error, mutate } = useLog(channelId)
  if (error instanceof ApiError && error.code === 'unprocessable') {
    return <EmptyNotice title="No log">{error.message}</EmptyNotice>
  }
  if (log) return <LogView channelId={channelId} log={log} document={document} />
  if (error) return <ErrorNotice text="Failed to load the log." onRetry={() => void mutate()} />
  return <LogSkeleton />
}

function LogView(props: { channelId: string; log: VersionedLog; document: Published }) {
  const { channelId, log, document } = props
  const { timeZone } = document
  const [text, setText] = useState('')
  const [begun, setBegun] = useState<{ change: BegunChange; startsAt?: string }>()
  const section = useRef<HTMLElement>(null)
  const playNext = useRef<HTMLButtonElement>(null)
  const shown = findProgrammes(log.programmes, text, timeZone)
  const close = () => setBegun(undefined)
  /** Returns the focus to the place in the log from which a dialog was opened. An edit may put another programme there. */
  const returnFocus = (startsAt: string | undefined) => {
    const find = (selector: string) => section.current?.querySelector<HTMLElement>(selector)
    const row =
      startsAt === undefined
        ? playNext.current
        : (find(`[data-start="${startsAt}"] button`) ??
          find('[data-start] button[tabindex="0"]') ??
          playNext.current)
    row?.focus({ preventScroll: true })
  }
  return (
    <section
      ref={section}
      aria-label="Log"
      className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1fr)_20rem]"
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <div className="flex flex-wrap items-end gap-3">
          <div className="w-full sm:w-72">
            <TextField
              label="Find in the log"
              type="search"
              placeholder="Title, artist, block or time"
              autoComplete="off"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </div>
          <p role="status" className="mr-auto min-w-0 flex-1 basis-40 pb-1 text-sm text-muted">
            {shown.length === 1 ? '1 programme' : `${shown.length} programmes`} of the next 24 hours. Times
            are local times of {timeZone}.
          </p>
          <Button
            ref={playNext}
            tone="primary"
            icon="plus"
            onClick={() => setBegun({ change: { open: { action: 'insert', before: null } } })}
          >
            Play next...
          </Button>
        </div>
        {shown.length === 0 ? (
          <EmptyNotice title="No matching programmes" />
        ) : (
          <LogTable
            shown={shown}
            all={log.programmes}
            edits={log.edits}
            document={document}
            onBegin={(change, startsAt) => setBegun({ change, startsAt })}
            onUndo={(editId) => void undoEdit(channelId, editId)}
          />
        )}
      </div>
      <EditList edits={log.edits} timeZone={timeZone} onUndo={(editId) => undoEdit(channelId, editId)} />
      {begun && (
        <ChangeDialog
          channelId={channelId}
          log={log}
          timeZone={timeZone}
          begun={begun.change}
          onClose={close}
          onClosed={() => returnFocus(begun.startsAt)}
        />
      )}
    </section>
  )
}

function LogSkeleton() {
  return (
    <div role="status" aria-label="Loading log" className="grid gap-2">
      {Array.from({ length: 10 }, (_, index) => (
        <Skeleton key={String(index)} className="h-11" />
      ))}
    </div>
  )
}
