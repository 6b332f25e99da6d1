import { Link } from 'react-router-dom'
import { paths } from '../../lib/paths.ts'
import { timeAgo } from '../../lib/time/time-ago.ts'
import { useServerNow } from '../../lib/time/use-server-now.ts'
import { useChannelName } from '../admin/use-channels.ts'
import { nameOfProfile, useAudit, useProfiles } from './api.ts'
import { actorWithoutAccount } from './audit-facts.ts'
import { auditSentence } from './audit-sentences.ts'
import { foldAutosaves } from './fold-autosaves.ts'

const SHOWN = 10
const MINUTE_MS = 60_000

/** The last ten entries of the audit log; each leads to its entry. */
export function LatestChanges() {
  const { items } = useAudit({})
  const folded = foldAutosaves(items ?? []).slice(0, SHOWN)
  const profiles = useProfiles(folded.flatMap(({ entry }) => (entry.isPseudonymised ? [] : [entry])))
  const channelName = useChannelName()
  const names = {
    handleOf: (id: string) => profiles.get(id)?.handle ?? undefined,
    channelName,
  }
  const nowMs = useServerNow(MINUTE_MS)
  return (
    <section aria-labelledby="latest-changes" className="grid min-w-0 gap-2">
      <h3 id="latest-changes" className="text-sm font-semibold text-muted">
        Last changes
      </h3>
      <ol
        aria-label="Last changes"
        className="grid divide-y divide-line/60 rounded-lg border border-line/70 bg-panel text-sm lg:max-h-[max(16rem,calc(100dvh-26rem))] lg:overflow-y-auto lg:overscroll-contain"
      >
        {folded.map(({ entry }) => {
          const who = entry.adminUserId
            ? nameOfProfile(profiles.get(entry.adminUserId))
            : actorWithoutAccount(entry.details)
          const what = auditSentence(entry, names)
            .map((part) => (typeof part === 'string' ? part : part.text))
            .join('')
          return (
            <li key={entry.id}>
              <Link
                to={paths.audit({ id: entry.id })}
                className="flex min-w-0 items-baseline gap-3 px-3 py-1.5 hover:bg-raised"
              >
                <span className="min-w-0 flex-1 wrap-anywhere">
                  <span className="font-semibold">{who}</span> {what}
                </span>
                <time dateTime={entry.createdAt} className="shrink-0 text-xs text-muted">
                  {timeAgo(entry.createdAt, nowMs)}
                </time>
              </Link>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
