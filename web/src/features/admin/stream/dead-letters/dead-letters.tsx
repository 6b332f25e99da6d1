import { DEAD_LETTER_SERVICES, type DeadLetterService } from '@looptide/contracts/http/admin'
import { useState } from 'react'
import { EmptyNotice, ErrorNotice } from '../../../../ui/notice.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { Skeleton } from '../../../../ui/skeleton.tsx'
import { type Letters, useDeadLetters } from './api.ts'
import { LetterRow } from './letter-row.tsx'

const CHOICES: { value: DeadLetterService | 'all'; label: string }[] = [
  { value: 'all', label: 'All services' },
  ...DEAD_LETTER_SERVICES.map((service) => ({ value: service, label: service })),
]

/** Events that a service gave up: to look at, to try once more, or to drop. */
export function DeadLetters() {
  const { data, error, mutate } = useDeadLetters()
  const [service, setService] = useState<DeadLetterService | 'all'>('all')
  return (
    <section aria-labelledby="dead-letters" className="grid gap-4">
      <div className="flex flex-wrap items-end gap-4">
        <h3 id="dead-letters" className="mr-auto text-lg font-semibold">
          Dead letters
        </h3>
        {data !== undefined && data.letters.length > 0 && (
          <SelectField label="Service" choices={CHOICES} value={service} onChange={setService} />
        )}
      </div>
      {data ? (
        <List found={data} service={service} onChanged={() => void mutate()} />
      ) : error ? (
        <ErrorNotice text="The dead letters cannot be listed right now." onRetry={() => void mutate()} />
      ) : (
        <div role="status" aria-label="Loading the dead letters" className="grid gap-2">
          <Skeleton className="h-20" />
          <Skeleton className="h-20" />
        </div>
      )}
    </section>
  )
}

function List(props: { found: Letters; service: DeadLetterService | 'all'; onChanged: () => void }) {
  const { letters, silent, more } = props.found
  const shown = letters.filter(({ service }) => props.service === 'all' || service === props.service)
  return (
    <>
      {silent.length > 0 && (
        <p role="alert" className="text-sm font-medium">
          ⚠ No answer from {silent.join(', ')}: what waits there is not listed.
        </p>
      )}
      {shown.length === 0 ? (
        <EmptyNotice title="No dead letters">
          <p>An event that a service cannot take after several tries waits here.</p>
        </EmptyNotice>
      ) : (
        <ul className="max-h-[40rem] divide-y divide-line overflow-y-auto overscroll-contain rounded-lg border border-line/70 bg-panel">
          {shown.map((letter) => (
            <LetterRow key={`${letter.service} ${letter.id}`} letter={letter} onChanged={props.onChanged} />
          ))}
        </ul>
      )}
      {more.length > 0 && (
        <p className="text-sm text-muted">
          Only the newest hundred of {more.join(', ')} are listed; older ones follow as these are dealt with.
        </p>
      )}
    </>
  )
}
