import { useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { usePageTitle } from '../../lib/browser/use-page-title.ts'
import { serverClock } from '../../lib/clients.ts'
import { paths } from '../../lib/paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { EmptyNotice } from '../../ui/notice.tsx'
import { AdminGate } from '../admin/admin-gate.tsx'
import { useChannels } from '../admin/use-channels.ts'
import { useAudit, useProfiles } from './api.ts'
import { AuditLine } from './audit-entry.tsx'
import { type AuditFilter, type FilterInput, readFilter, writeFilter } from './audit-filter.ts'
import { AuditFilters } from './audit-filters.tsx'
import type { Names } from './audit-sentences.ts'
import { ExportButtons } from './export-buttons.tsx'

/** The audit log: who did what, to whom, when, and what changed. For admins. */
export function AuditPage() {
  usePageTitle('Audit Log')
  return (
    <AdminGate place="admin dashboard" permission="audit:read">
      <AuditLog />
    </AdminGate>
  )
}

function AuditLog() {
  const [parameters, setParameters] = useSearchParams()
  const filter = readFilter(parameters)
  const log = useAudit(filter)
  const withPersons = (log.items ?? []).filter(({ isPseudonymised }) => !isPseudonymised)
  const profiles = useProfiles([...withPersons, usersIn(filter)])
  const handleOf = (id: string) => profiles.get(id)?.handle ?? undefined
  const channels = new Map(useChannels().data?.items.map(({ id, name }) => [id, name]))
  const channelName = (id: string) => channels.get(id)
  const nameOf = (id: string) => handleOf(id) ?? profiles.get(id)?.artistName ?? 'Unknown user'
  const setFilter = (next: FilterInput) => setParameters(writeFilter(next), { replace: true })

  return (
    <main id="main" className="mx-auto grid w-full max-w-7xl gap-6 px-4 py-6 sm:px-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Link to={paths.admin()} className={buttonClass('quiet')}>
          <Icon name="back" />
          Admin Dashboard
        </Link>
        <h1 className="mr-auto text-2xl font-semibold">Audit Log</h1>
        <ExportButtons filter={filter} />
      </div>
      <AuditFilters filter={filter} handleOf={handleOf} onChange={setFilter} />
      <AuditList
        log={log}
        names={{ handleOf, channelName }}
        nameOf={nameOf}
        isFiltered={Object.keys(filter).length > 0}
        onSelectActor={(adminUserId) => setFilter({ ...filter, adminUserId })}
      />
    </main>
  )
}

/** The users of the filter, in the shape of an entry: their names are needed even if no entry names them. */
const usersIn = ({ adminUserId, targetUserId }: AuditFilter) => ({
  adminUserId: adminUserId ?? null,
  targetUserId: targetUserId ?? null,
})

const MINUTE_MS = 60_000

/** The server time (epoch ms), updated every minute. */
function useNowMs(): number {
  const [nowMs, setNowMs] = useState(() => serverClock.nowMs())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(serverClock.nowMs()), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return nowMs
}

function AuditList(props: {
  log: ReturnType<typeof useAudit>
  names: Names
  nameOf: (userId: string) => string
  isFiltered: boolean
  onSelectActor: (userId: string) => void
}) {
  const { log } = props
  const nowMs = useNowMs()
  return (
    <ListPage
      list={log}
      loading="Loading audit log"
      skeleton={{ count: 8, className: 'h-20' }}
      failed="Failed to load the audit log."
      empty={
        props.isFiltered ? (
          <EmptyNotice title="No matching entries">Clear the filter to see all entries.</EmptyNotice>
        ) : (
          <EmptyNotice title="No entries yet">Actions of administrators are recorded here.</EmptyNotice>
        )
      }
    >
      {(entries) => (
        <ol
          aria-label="Audit log"
          className="divide-y divide-line overflow-hidden rounded-lg border border-line/70 bg-panel"
        >
          {entries.map((entry) => (
            <AuditLine
              key={entry.id}
              entry={entry}
              nowMs={nowMs}
              names={props.names}
              nameOf={props.nameOf}
              onSelectActor={props.onSelectActor}
            />
          ))}
        </ol>
      )}
    </ListPage>
  )
}
