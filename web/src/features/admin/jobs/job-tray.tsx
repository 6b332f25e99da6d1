import { useLiveJobs, useStarters } from './api.ts'
import { isUnfinished } from './job-results.ts'
import { JobRow } from './job-row.tsx'

/**
 * The changes of many videos that are waiting or running, of all admins, at the lower edge of an admin page. It is the
 * last element of the page, so that it covers nothing at its end; on a low window it stays there. The server makes the changes: leaving the page does
 * not stop them.
 */
export function JobTray() {
  const unfinished = useLiveJobs().filter(isUnfinished).toReversed()
  const starters = useStarters(unfinished)
  if (unfinished.length === 0) return null
  return (
    <section
      aria-label="Changes in progress"
      data-passing
      className="sticky bottom-[calc(0.5rem+var(--tab-bar))] z-30 max-h-[40dvh] w-full max-w-lg self-end justify-self-end overflow-y-auto overscroll-contain rounded-lg border border-line bg-panel px-4 py-1 shadow-lift [@media(max-height:30rem)]:static"
    >
      <ul className="divide-y divide-line/60">
        {unfinished.map((job) => (
          <JobRow key={job.id} job={job} starter={starters.get(job.startedBy ?? '')} />
        ))}
      </ul>
    </section>
  )
}
