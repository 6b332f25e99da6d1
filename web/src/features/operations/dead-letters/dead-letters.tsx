import { SERVICES, type ServiceName } from '@looptide/contracts/service-names'
import { useState } from 'react'
import { ApiError } from '../../../lib/api/api-error.ts'
import { api, serverClock } from '../../../lib/clients.ts'
import { type FailedTexts, useAction } from '../../../lib/failures.ts'
import { dateLocale } from '../../../lib/time/date-locale.ts'
import { timeAgo } from '../../../lib/time/time-ago.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyNotice, ErrorNotice } from '../../../ui/notice.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { useConfirm } from '../../../ui/use-confirm.tsx'
import { type DeadLetterList, type ServiceDeadLetter, useDeadLetters } from './api.ts'

const CHOICES: { value: ServiceName | 'all'; label: string }[] = [
  { value: 'all', label: 'All services' },
  ...SERVICES.map((service) => ({ value: service, label: service })),
]

/** Lists events that a service failed to process, to inspect, replay or drop them. */
export function DeadLetters() {
  const { data, error, mutate } = useDeadLetters()
  const [service, setService] = useState<ServiceName | 'all'>('all')
  return (
    <section aria-labelledby="dead-letters" className="grid gap-4">
      <div className="flex flex-wrap items-end gap-4">
        <h3 id="dead-letters" className="mr-auto text-lg font-semibold">
          Dead letters
        </h3>
        {data !== undefined && data.items.length > 0 && (
          <SelectField label="Service" choices={CHOICES} value={service} onChange={setService} />
        )}
      </div>
      {data ? (
        <List list={data} service={service} onChanged={() => void mutate()} />
      ) : error ? (
        <ErrorNotice text="Failed to load dead letters." onRetry={() => void mutate()} />
      ) : (
        <div role="status" aria-label="Loading dead letters" className="grid gap-2">
          <Skeleton className="h-20" />
          <Skeleton className="h-20" />
        </div>
      )}
    </section>
  )
}

function List(props: { list: DeadLetterList; service: ServiceName | 'all'; onChanged: () => void }) {
  const { items, unavailable, truncated } = props.list
  const shown = items.filter(({ service }) => props.service === 'all' || service === props.service)
  return (
    <>
      {unavailable.length > 0 && (
        <p role="alert" className="text-sm font-medium">
          ⚠ No response from {unavailable.join(', ')}. Its dead letters are not listed.
        </p>
      )}
      {shown.length === 0 ? (
        <EmptyNotice title="No dead letters">
          <p>Events that a service could not process after several attempts appear here.</p>
        </EmptyNotice>
      ) : (
        <ul className="max-h-[40rem] divide-y divide-line overflow-y-auto overscroll-contain rounded-lg border border-line/70 bg-panel">
          {shown.map((deadLetter) => (
            <DeadLetterRow
              key={`${deadLetter.service} ${deadLetter.id}`}
              deadLetter={deadLetter}
              onChanged={props.onChanged}
            />
          ))}
        </ul>
      )}
      {truncated.length > 0 && (
        <p className="text-sm text-muted">Only the newest 100 of {truncated.join(', ')} are listed.</p>
      )}
    </>
  )
}

/** One dead letter: the event, its error, and buttons to replay or drop it. */
function DeadLetterRow(props: { deadLetter: ServiceDeadLetter; onChanged: () => void }) {
  const { deadLetter } = props
  const { isBusy, replay, drop } = useDeadLetterActions(deadLetter, props.onChanged)
  const { confirm, confirmation } = useConfirm()
  const confirmDrop = () =>
    confirm({
      title: 'Drop this event?',
      confirmLabel: 'Drop',
      text: (
        <p>
          {deadLetter.service} will never process this {deadLetter.subject} event. This cannot be undone.
        </p>
      ),
      onConfirm: drop,
    })

  return (
    <li className="grid gap-2 p-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <p className="font-medium [overflow-wrap:anywhere]">{deadLetter.subject}</p>
          <p className="text-sm [overflow-wrap:anywhere]">⚠ {deadLetter.error}</p>
          <p className="text-sm text-muted">
            {deadLetter.service} • failed{' '}
            <time
              dateTime={deadLetter.failedAt}
              title={new Date(deadLetter.failedAt).toLocaleString(dateLocale)}
            >
              {timeAgo(deadLetter.failedAt, serverClock.nowMs())}
            </time>
            {deadLetter.replayedAt !== null &&
              ` • replayed ${timeAgo(deadLetter.replayedAt, serverClock.nowMs())}`}
          </p>
        </div>
        <div className="flex gap-2">
          <Button isBusy={isBusy} onClick={() => void replay()}>
            Replay
          </Button>
          <Button isBusy={isBusy} onClick={confirmDrop}>
            Drop
          </Button>
        </div>
      </div>
      <details>
        <summary className="w-fit cursor-pointer rounded-sm py-2 text-sm font-medium">Show event</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard. */}
        <pre tabIndex={0} className="max-h-80 overflow-auto rounded-md bg-deep p-3 text-xs">
          {JSON.stringify(deadLetter.envelope, null, 2)}
        </pre>
      </details>
      {confirmation}
    </li>
  )
}

function useDeadLetterActions(deadLetter: ServiceDeadLetter, onChanged: () => void) {
  const { isBusy, run } = useAction()
  const change = async (action: () => Promise<unknown>, done: string, failed: FailedTexts) => {
    const attempt = () =>
      action().catch((failure: unknown) => {
        // Another admin has already replayed or dropped it: reload the list.
        if (failure instanceof ApiError && failure.code === 'not_found') onChanged()
        throw failure
      })
    if (!(await run(attempt, failed))) return
    toast({ title: done, description: `${deadLetter.subject} (${deadLetter.service})`, tone: 'success' })
    onChanged()
  }
  const { service } = deadLetter
  const params = { id: Number(deadLetter.id) }
  return {
    isBusy,
    replay: () =>
      change(
        () => api.call(`POST /api/dead-letters/${service}/:id/replay`, { params }),
        'Dead letter replayed',
        {
          title: 'Replay failed',
          text: 'The event could not be replayed. Please try again.',
        },
      ),
    drop: () =>
      change(() => api.call(`DELETE /api/dead-letters/${service}/:id`, { params }), 'Dead letter dropped', {
        title: 'Drop failed',
        text: 'The event could not be dropped. Please try again.',
      }),
  }
}
