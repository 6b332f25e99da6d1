import type { Channel } from '@looptide/contracts/http/channels'
import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { Suspense, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { PartBoundary } from '../../lib/browser/part-boundary.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { ScrollingTabs } from '../../ui/scrolling-tabs.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ConflictNotice } from '../admin/drafts/conflict-notice.tsx'
import { OtherEditors } from '../admin/drafts/other-editors.tsx'
import { lazyPart } from '../admin/lazy-part.ts'
import { useEditorName } from '../audit/api.ts'
import { CalendarTab } from './calendar/calendar-tab.tsx'
import { ClocksTab } from './clocks/clocks-tab.tsx'
import { ChangeList } from './draft/change-list.tsx'
import { EditorBar } from './draft/editor-bar.tsx'
import { ProblemSummary } from './draft/problem-summary.tsx'
import { unsavedKey } from './draft/unsaved-schedule.ts'
import {
  type OpenEditor,
  type ScheduleEditor,
  useProblems,
  useScheduleEditor,
} from './draft/use-schedule-editor.ts'
import { TimeZoneField } from './fields/time-zone-field.tsx'
import { newSchedule } from './model/new-schedule.ts'
import type { Tab } from './model/problem-place.ts'
import { browserZone } from './model/zoned-time.ts'
import { PreviewTab } from './preview/preview-tab.tsx'
import { VersionList } from './publish/version-list.tsx'
import { RulesTab } from './rules/rules-tab.tsx'
import { SourcesTab } from './sources/sources-tab.tsx'
import { WeekTab } from './week/week-tab.tsx'

const LogTab = lazyPart(async () => (await import('./log/log-tab.tsx')).LogTab)

const TABS: readonly { id: Tab; label: string }[] = [
  { id: 'week', label: 'Week' },
  { id: 'calendar', label: 'Calendar' },
  { id: 'clocks', label: 'Clocks' },
  { id: 'sources', label: 'Sources' },
  { id: 'rules', label: 'Rules' },
  { id: 'preview', label: 'Preview' },
  { id: 'versions', label: 'Versions' },
  { id: 'log', label: 'Log' },
]

/** The schedule of one channel in one of its states: loading, failed, not started, or open in the editor. */
export function ChannelSchedule({ channel }: { channel: Channel }) {
  const editor = useScheduleEditor(channel)
  const { document } = editor
  if (editor.error) {
    return <ErrorNotice text="Failed to load the schedule." onRetry={editor.reload} />
  }
  if (editor.isLoading) return <LoadingSchedule what="schedule" />
  if (document === undefined)
    return <ScheduleStart channel={channel} mayPublish={!editor.needsApproval} onStart={editor.start} />
  return <Editor editor={{ ...editor, document }} />
}

const LoadingSchedule = ({ what }: { what: 'schedule' | 'log' }) => (
  <div role="status" aria-label={`Loading ${what}`}>
    <Skeleton className="h-[36rem]" />
  </div>
)

function Editor({ editor }: { editor: OpenEditor }) {
  const { channel, document } = editor
  const problems = useProblems(channel.id, document)
  const [parameters, setParameters] = useSearchParams()
  const tab = TABS.find(({ id }) => id === parameters.get('tab'))?.id ?? 'week'
  const open = (next: Tab) => {
    setParameters(
      (known) => {
        known.set('tab', next)
        return known
      },
      { replace: true, preventScrollReset: true },
    )
  }
  const tabs = useRef<HTMLDivElement>(null)
  const props = { editor, problems: problems ?? [] }
  const content: Record<Tab, React.ReactNode> = {
    week: <WeekTab {...props} />,
    calendar: <CalendarTab {...props} />,
    clocks: <ClocksTab {...props} />,
    sources: <SourcesTab {...props} />,
    rules: <RulesTab {...props} />,
    preview: <PreviewTab editor={editor} />,
    log: (
      <PartBoundary onFailure={() => open('week')}>
        <Suspense fallback={<LoadingSchedule what="log" />}>
          <LogTab editor={editor} />
        </Suspense>
      </PartBoundary>
    ),
    versions: (
      <VersionList
        channel={channel}
        document={document}
        isInUse={Boolean(editor.published?.document)}
        mayPublish={!editor.needsApproval}
        empty={
          <EmptyNotice title="No versions yet">
            Each publication is kept here and can be restored.
          </EmptyNotice>
        }
      />
    ),
  }
  return (
    <>
      {editor.conflict ? (
        <ScheduleConflict conflict={editor.conflict} />
      ) : (
        <EditorBar editor={editor} problemCount={problems?.length ?? 0} />
      )}
      <OtherEditors draftKey={unsavedKey(channel.id)} what="this schedule" />
      <ProblemSummary
        {...props}
        onOpen={open}
        onSolved={() => tabs.current?.focus({ preventScroll: true })}
      />
      <div ref={tabs} tabIndex={-1} className="min-w-0 outline-none">
        <ScrollingTabs<Tab>
          label="Schedule"
          value={tab}
          onChange={open}
          tabs={TABS.map(({ id, label }) => ({
            id,
            label,
            content: id === tab && (
              <>
                <h2 className="sr-only">{label}</h2>
                {content[id]}
              </>
            ),
          }))}
        />
      </div>
    </>
  )
}

/** Shows what another admin has changed in the draft while this editor has unsaved changes. */
function ScheduleConflict({ conflict }: { conflict: NonNullable<ScheduleEditor['conflict']> }) {
  return (
    <ConflictNotice
      title="Another admin has changed this schedule."
      changedBy={useEditorName(conflict.savedBy)}
      onMerge={conflict.merge}
      onOverwrite={conflict.overwrite}
    >
      <ChangeList changes={conflict.changes} />
    </ConflictNotice>
  )
}

/** Shown for a channel without a schedule: what a schedule is, two ways to start one, and earlier versions. */
function ScheduleStart(props: {
  channel: Channel
  mayPublish: boolean
  onStart: (document: ScheduleDocument) => void
}) {
  const [timeZone, setTimeZone] = useState(browserZone)
  return (
    <section
      aria-labelledby="schedule-start"
      className="mx-auto grid w-full max-w-3xl gap-6 rounded-lg border border-line/70 bg-panel p-6 sm:p-8"
    >
      <div className="grid gap-3">
        <h2 id="schedule-start" className="text-xl font-semibold">
          <bdi>{props.channel.name}</bdi> repeats its playlist
        </h2>
        <p className="text-muted">
          With a schedule, the channel plays different videos at different times: calm songs at night, a show
          on Friday at 20:00, no song twice within an hour. You build it as a draft and can preview any day.
          Viewers do not see it until you publish.
        </p>
        <ul className="grid list-disc gap-1 pl-5 text-sm text-muted">
          <li>A block is a part of the week, such as every night from 23:00 to 05:00.</li>
          <li>A source says which videos it plays: a playlist, or a library search.</li>
          <li>A clock mixes several sources, for example three new songs and one classic.</li>
        </ul>
      </div>
      <div className="max-w-sm">
        <TimeZoneField value={timeZone} onChange={setTimeZone} />
      </div>
      <div className="flex flex-wrap gap-3">
        <Button tone="primary" onClick={() => props.onStart(newSchedule('playlist', timeZone))}>
          Start a schedule
        </Button>
        <Button onClick={() => props.onStart(newSchedule('day-and-night', timeZone))}>
          Start with day and night
        </Button>
      </div>
      <p className="text-sm text-muted">
        “Start a schedule” plays the channel’s own playlist all day. “Start with day and night” adds two
        blocks that you can edit.
      </p>
      <VersionList
        channel={props.channel}
        document={undefined}
        isInUse={false}
        mayPublish={props.mayPublish}
        empty={null}
      />
    </section>
  )
}
