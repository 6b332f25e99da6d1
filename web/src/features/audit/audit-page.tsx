import { AUDIT_EXPORT_MAX_LINES } from '@looptide/contracts/http/admin'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { saveFile } from '../../lib/browser/save-file.ts'
import { usePageTitle } from '../../lib/browser/use-page-title.ts'
import { serverClock } from '../../lib/clients.ts'
import { showFailure } from '../../lib/failures.ts'
import { paths } from '../../lib/paths.ts'
import { dateLocale } from '../../lib/time/date-locale.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { EmptyNotice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.ts'
import { AdminGate } from '../admin/admin-gate.tsx'
import { useJobs } from '../admin/jobs/api.ts'
import { JobTray } from '../admin/jobs/job-tray.tsx'
import { SkipLinks } from '../admin/skip-links.tsx'
import { useChannelName } from '../admin/use-channels.ts'
import { exportAudit, nameOfProfile, useAudit, useProfiles } from './api.ts'
import { AuditLine } from './audit-entry.tsx'
import { type AuditFilter, type FilterInput, readFilter, writeFilter } from './audit-filter.ts'
import { AuditFilters } from './audit-filters.tsx'
import type { Names } from './audit-parts.ts'
import { foldAutosaves } from './fold-autosaves.ts'

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
  const channelName = useChannelName()
  const nameOf = (id: string) => nameOfProfile(profiles.get(id))
  const setFilter = (next: FilterInput) => setParameters(writeFilter(next), { replace: true })

  return (
    <main id="main" className="mx-auto grid w-full max-w-7xl gap-6 px-4 py-6 sm:px-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Link to={paths.admin()} className={buttonClass('quiet')}>
          <Icon name="back" />
          Admin Dashboard
        </Link>
        <h1 className="mr-auto text-2xl font-semibold">Audit Log</h1>
        <SkipLinks />
        <ExportButtons filter={filter} />
      </div>
      <AuditFilters filter={filter} handleOf={handleOf} onChange={setFilter} />
      <AuditList
        log={log}
        names={{ handleOf, channelName }}
        nameOf={nameOf}
        filter={filter}
        onSelectActor={(adminUserId) => setFilter({ ...filter, adminUserId })}
      />
      <JobTray />
    </main>
  )
}

/** The users of the filter, in the shape of an entry: their names are needed even if no entry names them. */
const usersIn = ({ adminUserId, targetUserId }: AuditFilter) => ({
  adminUserId: adminUserId ?? null,
  targetUserId: targetUserId ?? null,
})

/** Up and Down move from one entry to the next, whatever of an entry has the focus; Left and Right within an entry. */
function moveInList(event: KeyboardEvent<HTMLElement>): void {
  const rows = [...event.currentTarget.children]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const controls = [...(rows[at]?.querySelectorAll<HTMLElement>('a, button') ?? [])]
  const place = controls.findIndex((control) => control === document.activeElement)
  const detailsOf = (row: Element | undefined) => row?.querySelector<HTMLElement>('[aria-expanded]')
  const ways = new Map([
    ['ArrowDown', detailsOf(rows[at + 1])],
    ['ArrowUp', detailsOf(rows[at - 1])],
    ['ArrowRight', controls[place + 1]],
    ['ArrowLeft', controls[place - 1]],
  ])
  const next = ways.get(event.key)
  if (!next) return
  // Before the first and after the last entry or control the arrows lead out of the list.
  event.preventDefault()
  next.focus()
}

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
  filter: AuditFilter
  onSelectActor: (userId: string) => void
}) {
  const { log } = props
  const nowMs = useNowMs()
  const jobs = useJobs().data?.items ?? []
  return (
    <ListPage
      list={log}
      loading="Loading audit log"
      skeleton={{ count: 16, className: 'h-11' }}
      failed="Failed to load the audit log."
      empty={
        Object.keys(props.filter).length > 0 ? (
          <EmptyNotice title="No matching entries">Clear the filter to see all entries.</EmptyNotice>
        ) : (
          <EmptyNotice title="No entries yet">Actions of administrators are recorded here.</EmptyNotice>
        )
      }
    >
      {(entries) => {
        const indexes = new Map(entries.map(({ id }, index) => [id, index]))
        return (
          <ol
            aria-label="Audit log"
            onKeyDown={moveInList}
            className="divide-y divide-line overflow-hidden rounded-lg border border-line/70 bg-panel"
          >
            {foldAutosaves(entries).map((folded) => (
              <AuditLine
                key={folded.entry.id}
                {...folded}
                nowMs={nowMs}
                names={props.names}
                nameOf={props.nameOf}
                jobs={jobs}
                later={entries.slice(0, indexes.get(folded.entry.id))}
                isOpenAtFirst={folded.entry.id === props.filter.id}
                onSelectActor={props.onSelectActor}
              />
            ))}
          </ol>
        )
      }}
    </ListPage>
  )
}

/** Export the filtered log as CSV or JSON. */
function ExportButtons({ filter }: { filter: AuditFilter }) {
  const [busyWith, setBusyWith] = useState<'csv' | 'json'>()
  const run = async (format: 'csv' | 'json') => {
    if (busyWith) return
    setBusyWith(format)
    try {
      const { file, isTruncated } = await exportAudit({ format, ...filter })
      saveFile(file, `audit.${format}`)
      const maxLines = AUDIT_EXPORT_MAX_LINES.toLocaleString(dateLocale)
      toast({
        title: 'Audit Log Exported',
        description: isTruncated
          ? `The file has only the newest ${maxLines} entries. Set an earlier end to export the rest.`
          : `Saved as audit.${format}.`,
        tone: 'success',
      })
    } catch (failure) {
      showFailure(failure, {
        title: 'Failed to export the audit log.',
        text: 'The server did not respond. Please try again.',
      })
    } finally {
      setBusyWith(undefined)
    }
  }
  return (
    <div className="flex flex-wrap gap-2">
      {(['csv', 'json'] as const).map((format) => (
        <Button key={format} aria-disabled={busyWith !== undefined} onClick={() => void run(format)}>
          {busyWith === format ? 'Exporting...' : `Export ${format.toUpperCase()}`}
        </Button>
      ))}
    </div>
  )
}
