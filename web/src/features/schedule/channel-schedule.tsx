import type { Channel } from '@looptide/contracts/http/channels'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { OtherEditors } from '../admin/drafts/other-editors.tsx'
import { CalendarTab } from './calendar/calendar-tab.tsx'
import { ClocksTab } from './clocks/clocks-tab.tsx'
import { EditorBar } from './draft/editor-bar.tsx'
import { ProblemSummary } from './draft/problem-summary.tsx'
import { ScheduleConflict } from './draft/schedule-conflict.tsx'
import { ScheduleStart } from './draft/schedule-start.tsx'
import { unsavedKey } from './draft/unsaved-schedule.ts'
import { type OpenEditor, useProblems, useScheduleEditor } from './draft/use-schedule-editor.ts'
import type { Tab } from './model/problem-place.ts'
import { PreviewTab } from './preview/preview-tab.tsx'
import { VersionList } from './publish/version-list.tsx'
import { RulesTab } from './rules/rules-tab.tsx'
import { SourcesTab } from './sources/sources-tab.tsx'
import { WeekTab } from './week/week-tab.tsx'

const TABS: readonly { id: Tab; label: string }[] = [
  { id: 'week', label: 'Week' },
  { id: 'calendar', label: 'Calendar' },
  { id: 'clocks', label: 'Clocks' },
  { id: 'sources', label: 'Sources' },
  { id: 'rules', label: 'Rules' },
  { id: 'preview', label: 'Preview' },
  { id: 'versions', label: 'Versions' },
]

/** The schedule of one channel in one of its states: loading, failed, not started, or open in the editor. */
export function ChannelSchedule({ channel }: { channel: Channel }) {
  const editor = useScheduleEditor(channel)
  const { document } = editor
  if (editor.error) {
    return <ErrorNotice text="Failed to load the schedule." onRetry={editor.reload} />
  }
  if (editor.isLoading) {
    return (
      <div role="status" aria-label="Loading schedule">
        <Skeleton className="h-[36rem]" />
      </div>
    )
  }
  if (document === undefined) return <ScheduleStart channel={channel} onStart={editor.start} />
  return <Editor editor={{ ...editor, document }} />
}

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
  useEffect(() => {
    const selected = tabs.current?.querySelector(`[aria-selected="true"][id$="-${tab}"]`)
    selected?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [tab])
  const props = { editor, problems: problems ?? [] }
  const content: Record<Tab, React.ReactNode> = {
    week: <WeekTab {...props} />,
    calendar: <CalendarTab {...props} />,
    clocks: <ClocksTab {...props} />,
    sources: <SourcesTab {...props} />,
    rules: <RulesTab {...props} />,
    preview: <PreviewTab editor={editor} />,
    versions: (
      <VersionList
        channel={channel}
        document={document}
        isInUse={Boolean(editor.published?.document)}
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
      <EditorBar editor={editor} problemCount={problems?.length ?? 0} />
      <OtherEditors draftKey={unsavedKey(channel.id)} what="this schedule" />
      {editor.conflict && <ScheduleConflict conflict={editor.conflict} />}
      <ProblemSummary document={document} problems={problems ?? []} onOpen={open} />
      <div ref={tabs}>
        <Tabs<Tab>
          label="Schedule"
          value={tab}
          onChange={open}
          listClassName="overflow-x-auto scrollbar-none"
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
