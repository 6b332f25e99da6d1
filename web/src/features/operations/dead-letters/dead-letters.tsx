import { DEAD_LETTER_SERVICES, type DeadLetterService } from '@looptide/contracts/http/admin'
import { useState } from 'react'
import { EmptyNotice, ErrorNotice } from '../../../ui/notice.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { type DeadLetterList, useDeadLetters } from './api.ts'
import { DeadLetterRow } from './dead-letter-row.tsx'

const CHOICES: { value: DeadLetterService | 'all'; label: string }[] = [
  { value: 'all', label: 'All services' },
  ...DEAD_LETTER_SERVICES.map((service) => ({ value: service, label: service })),
]

/** Lists events that a service failed to process, to inspect, replay or drop them. */
export function DeadLetters() {
  const { data, error, mutate } = useDeadLetters()
  const [service, setService] = useState<DeadLetterService | 'all'>('all')
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

function List(props: { list: DeadLetterList; service: DeadLetterService | 'all'; onChanged: () => void }) {
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
